// Implements `atoll paths` and `atoll bench paths`.

#include "app/command.hpp"
#include "app/driver/graph_findings.hpp"
#include "app/driver/kernel_command.hpp"
#include "app/driver/memory.hpp"
#include "app/flags.hpp"
#include "atoll/kernels/bfs.hpp"
#include "atoll/kernels/shortest_paths.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {
namespace {

// The types below hold the flags of the command, and the results that it shows.

struct paths_flags : graph_flags {
  orientation arcs_are = orientation::undirected;
  std::uint64_t roots = 4;
  std::vector<std::string> chosen_roots;  ///< names or ids of the roots; empty: random roots
  bool unweighted = false;
  double width = 0;
  std::string path_to;  ///< name or id of the vertex to which a path is shown; "" for none
};

struct paths_findings : graph_findings {
  std::vector<shown_vertex> roots;
  /// For each timed trial, one entry per root with the counts of the search from this root.
  std::vector<std::vector<path_counts>> trials;
  bool weighted = false;
  /// Path from the first root; empty if the root does not reach the goal.
  std::vector<std::string> path;
  double path_length = 0;
};

// ---- The command.

class paths_command : public library_kernel {
 public:
  paths_command(paths_flags& flags, const settings& options)
      : library_kernel("paths", flags, options), flags_(flags), output_(flags) {
    flags.files.form.without_weights = flags.unweighted;
    flags.files.form.real_weights = true;
  }

 private:
  void check_before_start() override;
  void add_parameters() override;
  std::vector<compared_program> programs() override;
  const result_output& output() const override { return output_; }
  graph_findings& findings() override { return findings_; }
  std::string_view doing() const override { return "searching"; }
  void describe() override;

  bool undirected() const { return flags_.arcs_are == orientation::undirected; }
  void check_memory(graph_size size) override;
  graph_options building() const override;
  bool may_divide_hubs() const override { return false; }
  task<> look_at(graph_builder& read) override;

  task<> compute(global_graph graph) override;
  task<> choose_roots(global_graph graph);
  task<measurements> trial(global_graph graph, repeated_shortest_paths searches);
  task<> check(global_graph graph, repeated_shortest_paths searches);
  task<> look_at_first_tree(global_graph graph, repeated_shortest_paths searches);

  const paths_flags& flags_;
  vertex_output output_;
  paths_findings findings_;
  std::vector<vertex_id> roots_;  // roots that the user named
  std::optional<vertex_id> goal_;
};

/// The largest weight of an edge of a random graph, as in the GAP benchmark suite.
constexpr std::uint32_t k_largest_random_weight = 255;

// ---- Memory.

/// Returns the peak memory in bytes of all PEs together.
double bytes_to_search(const paths_flags& flags, const load_demand& demand) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const auto edges = static_cast<double>(demand.size.edges);
  constexpr double real = 8;
  const bytes_of_graph graph(demand);
  const double stored = demand.edges == file_edges::kept ? graph.stored : 0;
  // Distances and parents are stored twice: in the search and in the result. The buckets hold about
  // three entries per vertex, in lists that grow.
  const double searching = vertices * (2 * real + id + real + 3 * 1.5 * 2 * real);
  // --verify builds a second graph on PE 0 for a serial search, with about 80 bytes per edge.
  const double verifying = flags.common.verify ? 80 * edges + vertices * 8 * real : 0;
  return std::max(graph.building, stored + graph.built + searching + verifying);
}

load_demand demand_of(const paths_flags& flags, graph_size size, std::uint64_t pes) {
  const bool undirected = flags.arcs_are == orientation::undirected;
  return demand_to_load(flags, size, undirected, pes, flags.common.verify, !flags.unweighted);
}

/// Returns whether the limit program, a plain program that does the same memory work as the kernel,
/// accepts the graph and the roots.
bool limit_takes(const paths_flags& flags) {
  if (flags.arcs_are != orientation::undirected || flags.unweighted || !flags.chosen_roots.empty())
    return false;
  constexpr std::uint64_t largest_scale = 27, largest_factor = 1024;
  if (flags.generated())
    return flags.random.scale >= 1 && flags.random.scale <= largest_scale &&
           flags.random.edge_factor >= 1 && flags.random.edge_factor <= largest_factor;
  const graph_files& files = flags.files;
  if (is_described(files.form) || !files.content.empty()) return false;
  const auto format = recognised_format(files);
  return format.edges == edge_format::wel && format.packing == compression::none &&
         files.names.empty() && !files.compact;
}

/// Awaits `call(where)`, a coroutine of the library, and returns its result. If the coroutine
/// throws an error, the error is rethrown without its position in the source.
template <class Call>
auto without_place(Call call, site where = site::current()) -> decltype(call(where)) {
  try {
    co_return co_await call(where);
  } catch (const error& failure) {
    const std::string text = failure.what(), prefix = to_string(where) + ": ";
    fail(failure.code(), "{}", text.starts_with(prefix) ? text.substr(prefix.size()) : text);
  }
}

// The functions below show the result as text and as JSON.

constexpr std::size_t k_most_lines = 20;

std::string search_line(const paths_findings& found, const path_counts& search,
                        const shown_vertex& root) {
  return fmt::format("{} of {} vertices reached from {}, the farthest at distance {}",
                     grouped_digits(search.reached), grouped_digits(found.size.vertices),
                     short_name(root.text), search.farthest);
}

void add_search_lines(report& result, const paths_findings& found) {
  const auto& searches = found.trials.back();
  for (std::size_t i = 0; i < std::min(searches.size(), k_most_lines); ++i)
    result.line(search_line(found, searches[i], found.roots[i]));
  if (searches.size() > k_most_lines)
    result.line(fmt::format("and {} more roots", searches.size() - k_most_lines));
}

void add_weight_lines(report& result, const paths_flags& flags, const paths_findings& found) {
  if (flags.generated())
    result.line(fmt::format("weights: 1 to {}, at random", k_largest_random_weight));
  else
    result.line(found.weighted ? "weights: " + weights_text(found) : "each edge weighs 1");
  add_columns_left_out(result, found);
}

void add_path_lines(report& result, const paths_flags& flags, const paths_findings& found) {
  const auto& root = short_name(found.roots.front().text);
  const auto goal = short_name(flags.path_to);
  result.line("");
  if (found.path.empty()) {
    result.line(fmt::format("no path leads from {} to {}", root, goal));
    return;
  }
  result.line(fmt::format("a path of length {} and {} from {} to {}", found.path_length,
                          plural(found.path.size() - 1, "edge"), root, goal));
  result.line(path_text(found.path, flags.arcs_are));
}

double median_seconds(const paths_findings& found, std::size_t root) {
  std::vector<double> seconds;
  for (const auto& trial : found.trials) seconds.push_back(trial[root].seconds);
  std::ranges::sort(seconds);
  return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

void add_searches(report& result, const paths_findings& found) {
  for (std::size_t i = 0; i < found.roots.size(); ++i) {
    const auto& search = found.trials.back()[i];
    named_values values = {{"root", found.roots[i].input_id.value_or(search.root)},
                           {"name", found.roots[i].text},
                           {"reached_vertices", search.reached},
                           {"farthest", search.farthest},
                           {"width", search.width},
                           {"rounds", search.rounds}};
    if (!result.wrong()) values.emplace_back("seconds", median_seconds(found, i));
    result.add_to_section("searches", values);
  }
}

void describe_paths(report& result, const paths_flags& flags, const paths_findings& found) {
  constexpr const char* orientations[] = {"undirected", "out", "in"};
  add_graph_metrics(result, found, flags.generated());
  add_graph_sections(result, found,
                     {{"orientation", orientations[static_cast<int>(flags.arcs_are)]}});
  add_searches(result, found);
  if (!flags.path_to.empty()) result.section("path", found.path);
  add_graph_lines(result, found, flags.name());
  add_weight_lines(result, flags, found);
  add_search_lines(result, found);
  if (!flags.path_to.empty()) add_path_lines(result, flags, found);
  if (result.wrong()) add_fault(result, found);
}

}  // namespace

void paths_command::describe() { describe_paths(result(), flags_, findings_); }

// ---- The command.

void paths_command::check_memory(graph_size size) {
  const load_demand demand = demand_of(flags_, size, pes());
  check_memory_for(
      flags_, options(),
      {"searching", size, pes(), bytes_to_search(flags_, demand), bytes_of_graph(demand).stored});
}

void paths_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated())
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  else
    check_memory_to_load(flags_, options(), undirected(), pes(), flags_.common.verify,
                         !flags_.unweighted);
}

graph_options paths_command::building() const {
  graph_options wanted;
  wanted.directed = !undirected();
  wanted.reversed = flags_.arcs_are == orientation::in;
  wanted.keep_edges = flags_.common.verify;
  wanted.parallel = parallel_edges::least;
  wanted.ascending_neighbours = true;
  return wanted;
}

task<> paths_command::look_at(graph_builder& read) {
  if (!undirected() && read.notes().undirected)
    fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
  output_.check_names(read.names(), flags_.files.names.empty());
  const std::string& why_none = read.notes().why_no_weights;
  if (!why_none.empty()) fail(errc::input, "{}; --unweighted counts each edge as 1", why_none);
  if (flags_.generated() && !flags_.unweighted)
    co_await read.hash_weights(flags_.random.seed, k_largest_random_weight);
  findings_.weighted = read.has_weights() && !flags_.unweighted;
  read.options().arc_weights = findings_.weighted;
  for (const auto& root : flags_.chosen_roots) {
    const auto vertex = co_await vertex_of("--root", root, read, flags_.files);
    roots_.push_back(vertex);
  }
  if (!flags_.path_to.empty())
    goal_ = co_await vertex_of("--path-to", flags_.path_to, read, flags_.files);
}

task<> paths_command::compute(global_graph graph) {
  co_await choose_roots(graph);
  const shortest_paths_options wanted{.unweighted = !findings_.weighted, .width = flags_.width};
  const auto prepare = [&](site where) {
    return repeated_shortest_paths::make(graph, wanted, where);
  };
  auto searches = co_await without_place(prepare);
  while (trials().begin()) {
    auto measured = co_await trial(graph, searches);
    trials().end(measured);
  }
  co_await gather_facts(graph, findings_);
  co_await look_at_first_tree(graph, searches);
  co_await searches.destroy();
}

task<> paths_command::choose_roots(global_graph graph) {
  std::vector<vertex_id> roots = roots_;
  if (roots.empty() && !flags_.common.measures)
    fail(errc::input, "--root: paths begin at a vertex; for example --root 0");
  if (roots.empty()) roots = co_await random_roots(graph, flags_.roots, flags_.random.seed);
  if (roots.empty()) fail(errc::input, "{}: there is no edge to follow", flags_.name());
  for (const auto root : roots) {
    auto vertex = co_await shown(graph.names(), root);
    findings_.roots.push_back(std::move(vertex));
  }
}

task<measurements> paths_command::trial(global_graph graph, repeated_shortest_paths searches) {
  std::vector<path_counts> found;
  double seconds = 0;
  findings_.scanned_edges = 0;
  for (const auto& root : findings_.roots) {
    trials().show(fmt::format("search {} of {}", found.size() + 1, findings_.roots.size()));
    const auto search = [&](site where) { return searches.search(root.id, where); };
    const path_counts counts = co_await without_place(search);
    if (flags_.common.verify && right() && !trials().warming_up()) co_await check(graph, searches);
    found.push_back(counts);
    seconds += counts.seconds;
    findings_.scanned_edges += counts.arcs_looked_at;
  }
  const auto count = static_cast<double>(found.size());
  measurements measured;
  measured.emplace_back("rate", "edges/s", static_cast<double>(graph.edges()) * count / seconds);
  measured.emplace_back("seconds", "s", seconds / count);
  if (!trials().warming_up()) findings_.trials.push_back(std::move(found));
  co_return measured;
}

task<> paths_command::check(global_graph graph, repeated_shortest_paths searches) {
  const path_tree tree = co_await searches.tree();
  co_await keep_fault([&](site where) { return verify(graph, tree, where); }, findings_);
  co_await tree.destroy();
}

/// Collects the path and the output from the tree of the first root. With several roots, the search
/// from the first root is repeated, because later searches have replaced the tree of the first
/// root.
task<> paths_command::look_at_first_tree(global_graph graph, repeated_shortest_paths searches) {
  if (findings_.roots.size() > 1) {
    if (!output_.wanted() && !goal_) co_return;
    co_await searches.search(findings_.roots.front().id);
    if (flags_.common.verify && right()) co_await check(graph, searches);
  }
  const path_tree tree = co_await searches.tree();
  if (goal_) {
    for (const vertex_id vertex : co_await tree.path_to(*goal_)) {
      auto step = co_await shown(graph.names(), vertex);
      findings_.path.push_back(std::move(step.text));
    }
    findings_.path_length = co_await read(tree.distance[*goal_]);
  }
  co_await write(tree);
  co_await tree.destroy();
}

void paths_command::add_parameters() {
  library_kernel::add_parameters();
  if (!undirected())
    result().parameter("directed", flags_.arcs_are == orientation::out ? "out" : "in");
  if (flags_.chosen_roots.empty())
    result().parameter("roots", flags_.roots);
  else
    result().parameter("root", flags_.chosen_roots);
  result().parameter("unweighted", flags_.unweighted);
  if (flags_.width != 0) result().parameter("width", flags_.width);
}

std::vector<compared_program> paths_command::programs() {
  if (!limit_takes(flags_)) {
    if (flags_.common.compare)
      result().line("the limit is left out: it searches undirected random graphs, and .wel files, "
                    "from random roots");
    return {};
  }
  auto command = limit_command("atoll-limit-paths", flags_, result());
  command.insert(command.end(), {"--roots", std::to_string(flags_.roots)});
  if (flags_.common.verify) command.emplace_back("--verify");
  std::vector<compared_program> programs;
  programs.emplace_back("limit", std::move(command));
  return programs;
}

// ---- Flags and help.

namespace {

constexpr std::uint64_t k_most_roots = 10'000;

void add_root_flags(CLI::App& command, paths_flags& flags, const std::string& title) {
  if (!flags.common.measures) {
    const auto take = [&flags](const std::string& text) { flags.chosen_roots = {text}; };
    add_checked_flag(command, "--root", "NAME|ID", take, "The vertex where paths begin")
        .under(title);
    return;
  }
  const auto root = add_texts_flag(command, "--root", "NAME|ID", flags.chosen_roots,
                                   "Search from this vertex; may be repeated")
                        .under(title);
  add_count_flag(command, "--roots", flags.roots, 1, k_most_roots,
                 "Search from N random vertices that have an edge")
      .excludes(root)
      .under(title);
}

void add_path_flags(CLI::App& command, paths_flags& flags) {
  const std::string title = flags.common.measures ? "Searches" : "Search";
  add_root_flags(command, flags, title);
  const auto direct = [&flags](bool out) {
    flags.arcs_are = out ? orientation::out : orientation::in;
  };
  add_choice_flag(command, "--directed", "out", "in", direct,
                  "Follow edges from -> to, or back; by default both ways")
      .under(title);
  add_switch(command, "--unweighted", flags.unweighted, "Count each edge as 1").under(title);
  constexpr double widest = 1e300;
  add_real_flag(command, "--width", flags.width, 0, widest,
                "Width of a bucket of distances; 0: by weights and degrees")
      .under(title);
  add_text_flag(command, "--path-to", "NAME|ID", flags.path_to,
                "Show a shortest path from the root to this vertex")
      .under(title);
}

constexpr const char* k_answer_text =
    "\nFinds the length of the shortest paths from a root to every vertex, and the vertex before\n"
    "each on its path. Weights are integers or real numbers of at least 0; without any, each\n"
    "edge weighs 1. Of parallel edges the lightest counts.\n\n"
    "  atoll paths roads.csv --root 17 --path-to 4711\n"
    "  atoll paths roads.gr --directed out --root 1 --output paths.csv";

constexpr const char* k_answer_details =
    "\nDistances and parents are the same for any number of PEs. Of several neighbours on "
    "shortest\n"
    "paths, the parent is the smallest. Distances are exact where all weights are integers and no\n"
    "distance reaches 2^53; a larger one is an error, like a weight below 0.\n"
    "  --verify             compares all distances and parents with those that PE 0 finds by\n"
    "                       Dijkstra's algorithm from the edges of the input\n"
    "  --output FILE        gets a row for each vertex that was reached: the vertex, its distance\n"
    "                       and its parent. A .npy is an array of a row for each vertex, distance\n"
    "                       and parent, doubles: infinity and -1 where no path leads";

constexpr const char* k_bench_text =
    "\nA trial searches from all roots; its rate is the number of edges of the input by the mean\n"
    "time of a search. Edges of random graphs weigh 1 to 255.\n\n"
    "  atoll bench paths --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\n--verify compares all distances and parents with those that PE 0 finds by Dijkstra's\n"
    "algorithm from the edges of the input.\n"
    "--output FILE writes the paths of the first root, which is searched once more for it.";

void add_flags(CLI::App& command, command_context& context, paths_flags& flags) {
  add_path_flags(command, flags);
  add_graph_flags(command, flags);
  add_weights_flag(command, flags.files, "Graph");
  add_output_flag(command, flags, "Write distance and parent of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

constexpr kernel_texts k_texts = {.name = "paths",
                                  .answers = "Shortest paths from a vertex over edges with weights",
                                  .measures = "Shortest paths in a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_paths(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<paths_command, paths_flags>(parent, context, measures, k_texts, add_flags);
}

}  // namespace atl::app
