// Implements `atoll bfs` and `atoll bench bfs`.

#include "app/kernels/bfs.hpp"

#include "app/command.hpp"
#include "app/driver/graph_findings.hpp"
#include "app/driver/memory.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

// ---- Memory.

/// Returns the peak memory that building and searching the graph needs, in bytes for all PEs
/// together. The result does not include `fixed_bytes`, the memory that does not depend on the
/// graph.
double bytes_to_search(const bfs_flags& flags, const load_demand& demand, double copies) {
  const auto id = static_cast<double>(demand.id_bytes);
  const auto pes = static_cast<double>(demand.pes);
  const auto vertices = static_cast<double>(demand.size.vertices);
  const double arcs = static_cast<double>(demand.size.edges) * (demand.undirected ? 2 : 1);
  const bool verify = flags.common.verify;
  constexpr double level = 4, parent = 8;

  const bytes_of_graph graph(demand);
  // The search stores parents, reached vertices, and copies of a level (the vertices at one
  // distance from the root).
  const double tree = graph.built + vertices * (2 + copies) * id;
  // The estimate has six bits per vertex: three on its owner (visited, isolated, newly reached) and
  // three in bitmaps that the PEs of a node share.
  const double bits = vertices / 8 * (2 + 1 + 3);
  // --verify stores the arcs of the input in growing lists, and three sums per vertex.
  const double comparing =
      verify ? graph.stored + graph.built + arcs * 2 * id * 1.5 + vertices * 24 : 0;
  const double checking = verify ? level * (vertices + pes * k_gathered_copies * graph.window) : 0;
  // While the tree of the first root is examined, memory also holds the level and the parent of
  // each vertex. The program counts the vertices of each level in a copy of the search tree, for
  // which the estimate has three ids per vertex.
  const double telling = vertices * (level + parent + 3 * id);
  return std::max({graph.building, comparing, tree + bits + std::max(checking, telling)});
}

// The functions below show the result as text and as JSON.

// Limits on the examples, paths, levels and lines that are shown.
constexpr std::size_t k_longest_examples = 70;
constexpr std::size_t k_most_levels = 24;
constexpr std::size_t k_most_lines = 20;

std::string range(std::uint64_t least, std::uint64_t most) {
  if (least == most) return grouped_digits(least);
  return fmt::format("{} to {}", grouped_digits(least), grouped_digits(most));
}

std::string search_line(const bfs_findings& found, const search_counts& search,
                        const shown_vertex& root) {
  return fmt::format("{} of {} vertices reached from {} in {}", grouped_digits(search.reached),
                     grouped_digits(found.size.vertices), short_name(root.text),
                     plural(search.levels, "level"));
}

std::string searches_line(const bfs_findings& found, const std::vector<search_counts>& all) {
  const auto [least, most] = std::ranges::minmax(all, {}, &search_counts::reached);
  const auto [flat, deep] = std::ranges::minmax(all, {}, &search_counts::levels);
  return fmt::format("{} of {} vertices reached in {} levels, from {} random roots",
                     range(least.reached, most.reached), grouped_digits(found.size.vertices),
                     range(flat.levels, deep.levels), all.size());
}

void add_search_lines(report& result, const bfs_flags& flags, const bfs_findings& found) {
  const auto& searches = found.trials.back();
  if (flags.chosen_roots.empty() && searches.size() > 1) {
    result.line(searches_line(found, searches));
    return;
  }
  for (std::size_t i = 0; i < std::min(searches.size(), k_most_lines); ++i)
    result.line(search_line(found, searches[i], found.roots[i]));
  if (searches.size() > k_most_lines)
    result.line(fmt::format("and {} more roots", searches.size() - k_most_lines));
}

// Returns the examples of a level that fit in a line.
std::string examples_text(const bfs_level& level) {
  std::string text;
  std::uint64_t shown = 0;
  for (const auto& example : level.examples) {
    const auto name = short_name(example);
    if (shown > 0 && text.size() + name.size() > k_longest_examples) break;
    text += (shown++ == 0 ? "  " : ", ") + name;
  }
  return shown > 0 && shown < level.vertices ? text + ", ..." : text;
}

void add_level_lines(report& result, const bfs_findings& found) {
  result.line("");
  result.line(fmt::format("levels from {}, with the vertices of most neighbours",
                          short_name(found.roots.front().text)));
  const auto shown = std::min(found.levels.size(), k_most_levels);
  for (std::size_t level = 0; level < shown; ++level) {
    result.line(fmt::format("{:>5} {:>15}{}", level, grouped_digits(found.levels[level].vertices),
                            examples_text(found.levels[level])));
  }
  if (shown < found.levels.size())
    result.line(fmt::format("  and so on to level {}", grouped_digits(found.levels.size() - 1)));
}

void add_path_lines(report& result, const bfs_flags& flags, const bfs_findings& found) {
  result.line("");
  const auto& root = short_name(found.roots.front().text);
  const auto goal = short_name(flags.path_to);
  if (found.path.empty()) {
    result.line(fmt::format("no path leads from {} to {}", root, goal));
    return;
  }
  result.line(
      fmt::format("a path of {} from {} to {}", plural(found.path.size() - 1, "edge"), root, goal));
  result.line(path_text(found.path, flags.arcs_are));
}

double median_seconds(const bfs_findings& found, std::size_t root) {
  std::vector<double> seconds;
  for (const auto& trial : found.trials) seconds.push_back(trial[root].seconds);
  std::ranges::sort(seconds);
  return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

void add_searches(report& result, const bfs_findings& found) {
  for (std::size_t i = 0; i < found.roots.size(); ++i) {
    const auto& search = found.trials.back()[i];
    named_values values = {{"root", found.roots[i].input_id.value_or(search.root)},
                           {"name", found.roots[i].text},
                           {"levels", search.levels},
                           {"reached_vertices", search.reached},
                           {"traversed_edges", search.edges}};
    if (!result.wrong()) {
      const double seconds = median_seconds(found, i);
      values.emplace_back("seconds", seconds);
      if (!result.is_answer())
        values.emplace_back("rate", static_cast<double>(search.edges) / seconds);
    }
    result.add_to_section("searches", values);
  }
}

void add_levels(report& result, const bfs_findings& found) {
  std::vector<std::uint64_t> vertices;
  for (const auto& level : found.levels) vertices.push_back(level.vertices);
  result.section("levels", vertices);
}

void add_sections(report& result, const bfs_flags& flags, const bfs_findings& found) {
  constexpr const char* orientations[] = {"undirected", "out", "in"};
  add_graph_sections(result, found,
                     {{"orientation", orientations[static_cast<int>(flags.arcs_are)]}});
  add_searches(result, found);
  add_levels(result, found);
  if (!flags.path_to.empty()) result.section("path", found.path);
}

void describe_searches(report& result, const bfs_flags& flags, const bfs_findings& found) {
  add_graph_metrics(result, found, flags.generated());
  add_sections(result, flags, found);
  add_graph_lines(result, found, flags.name());
  add_search_lines(result, flags, found);
  if (flags.levels) add_level_lines(result, found);
  if (!flags.path_to.empty()) add_path_lines(result, flags, found);
  if (result.wrong()) add_fault(result, found);
}

// ---- The command.

std::vector<compared_program> bfs_programs(const bfs_flags& flags, const report& result) {
  std::vector<compared_program> programs;
  const auto add = [&](const std::string& metric, std::vector<std::string> command) {
    command.insert(command.end(), {"--roots", std::to_string(flags.roots)});
    if (flags.common.verify) command.emplace_back("--verify");
    programs.emplace_back(metric, std::move(command));
  };
  add("limit", limit_command("atoll-limit-bfs", flags, result));
  if (!peers_take_graph(flags)) return programs;
  for (const std::string library : {"openmpi", "mpich"}) {
    for (const std::string algorithm : {"edges", "bitmaps"}) {
      auto command = peer_command("atoll-peer-bfs-" + library, flags, result);
      command.insert(command.end(), {"--algorithm", algorithm});
      add(fmt::format("peer:{}-{}", library, algorithm), std::move(command));
    }
  }
  return programs;
}

bool limit_takes(const bfs_flags& flags) {
  return flags.arcs_are == orientation::undirected && flags.chosen_roots.empty() &&
         limit_takes_graph(flags);
}

}  // namespace

void bfs_command::describe() { describe_searches(result(), flags_, findings_); }

void bfs_command::check_memory(graph_size size) {
  const load_demand demand =
      demand_to_load(flags_, size, undirected(), pes(), flags_.common.verify);
  check_memory_for(flags_, options(),
                   {"searching", size, pes(), bytes_to_search(flags_, demand, copies_of_a_level()),
                    bytes_of_graph(demand).stored});
}

void bfs_command::check_before_start() {
  check_graph_flags(flags_);
  if (flags_.generated())
    check_memory({flags_.random.vertices(), flags_.random.edges()});
  else
    check_memory_to_load(flags_, options(), undirected(), pes(), flags_.common.verify);
}

task<> bfs_command::compute(global_graph graph) {
  if (flags_.common.verify) {
    trials().show("comparing the graph with its edges");
    co_await keep_fault([graph](site where) { return verify(graph, where); }, findings_);
  }
  auto searches = co_await repeated_searches::make(graph);
  co_await choose_roots(graph);
  co_await prepare(graph);
  while (trials().begin()) {
    auto measured = co_await trial(searches);
    trials().end(measured);
  }
  co_await gather_facts(graph, findings_);
  co_await look_at_first_tree(graph, searches);
  co_await searches.destroy();
}

task<> bfs_command::choose_roots(global_graph graph) {
  std::vector<vertex_id> roots = roots_;
  if (roots.empty() && !flags_.common.measures) co_await ask_for_a_root(graph);
  if (roots.empty()) roots = co_await random_roots(graph, flags_.roots, flags_.random.seed);
  if (roots.empty()) fail(errc::input, "{}: there is no edge to search", flags_.name());
  for (const auto root : roots) {
    auto vertex = co_await shown(graph.names(), root);
    findings_.roots.push_back(std::move(vertex));
  }
}

/// Throws an `error` (input) whose message asks for a root. The message names the vertex with the
/// most neighbours as an example.
task<> bfs_command::ask_for_a_root(global_graph graph) {
  const vertex_degree busiest = co_await vertex_with_most_neighbours(graph);
  if (busiest.degree == 0) fail(errc::input, "{}: there is no edge to search", flags_.name());
  const auto vertex = co_await shown(graph.names(), busiest.vertex);
  fail(errc::input,
       "--root: a search begins at a vertex; for example --root {}, which has most neighbours ({})",
       vertex.text, grouped_digits(busiest.degree));
}

double mean_rate(const std::vector<search_counts>& searches) {
  double inverse = 0;
  for (const auto& one : searches) inverse += one.seconds / static_cast<double>(one.edges);
  return static_cast<double>(searches.size()) / inverse;
}

task<measurements> bfs_command::trial(repeated_searches searches) {
  std::vector<search_counts> found;
  double seconds = 0;
  findings_.scanned_edges = 0;
  for (const auto& root : findings_.roots) {
    trials().show(fmt::format("search {} of {}", found.size() + 1, findings_.roots.size()));
    const search_counts counts = co_await searches.search(root.id);
    if (flags_.common.verify && right() && !trials().warming_up())
      co_await keep_fault([&](site where) { return searches.verify(where); }, findings_);
    found.push_back(counts);
    seconds += counts.seconds;
    findings_.scanned_edges += counts.arcs_looked_at;
  }
  measurements measured;
  measured.emplace_back("rate", "edges/s", mean_rate(found));
  measured.emplace_back("seconds", "s", seconds / static_cast<double>(found.size()));
  if (!trials().warming_up()) findings_.trials.push_back(std::move(found));
  co_return measured;
}

/// Collects the levels, the path and the output from the tree of the first root. With several
/// roots, the search from the first root is repeated, because later searches have replaced the tree
/// of the first root.
task<> bfs_command::look_at_first_tree(global_graph graph, repeated_searches searches) {
  if (findings_.roots.size() > 1) {
    co_await searches.search(findings_.roots.front().id);
    if (flags_.common.verify && right() && output_.wanted())
      co_await keep_fault([&](site where) { return searches.verify(where); }, findings_);
  }
  const search_tree tree = co_await searches.tree();
  for (const tree_level& level : co_await levels_of(graph, tree, k_levels, k_examples)) {
    bfs_level told{level.vertices, {}};
    for (const vertex_id example : level.examples) {
      auto vertex = co_await shown(graph.names(), example);
      told.examples.push_back(std::move(vertex.text));
    }
    findings_.levels.push_back(std::move(told));
  }
  if (goal_) {
    for (const vertex_id vertex : co_await tree.path_to(*goal_)) {
      auto step = co_await shown(graph.names(), vertex);
      findings_.path.push_back(std::move(step.text));
    }
  }
  co_await write(tree);
  co_await tree.destroy();
}

void bfs_command::add_parameters() {
  library_kernel::add_parameters();
  if (flags_.arcs_are != orientation::undirected)
    result().parameter("directed", flags_.arcs_are == orientation::out ? "out" : "in");
  if (flags_.chosen_roots.empty()) {
    result().parameter("roots", flags_.roots);
  } else {
    result().parameter("root", flags_.chosen_roots);
  }
}

std::vector<compared_program> bfs_command::programs() {
  if (limit_takes(flags_)) {
    if (flags_.common.compare) say_if_peers_are_left_out(flags_, result());
    return bfs_programs(flags_, result());
  }
  if (flags_.common.compare) {
    result().line("limit and peers are left out: they search undirected Kronecker graphs, and the "
                  "limit .el files, from random roots");
  }
  return {};
}

task<> bfs_command::look_at(graph_builder& read) {
  if (!undirected() && read.notes().undirected)
    fail(errc::input, "--directed: the edges of {} have no direction", flags_.files.edges);
  output_.check_names(read.names(), flags_.files.names.empty());
  for (const auto& root : flags_.chosen_roots) {
    const auto vertex = co_await vertex_of("--root", root, read, flags_.files);
    roots_.push_back(vertex);
  }
  if (!flags_.path_to.empty())
    goal_ = co_await vertex_of("--path-to", flags_.path_to, read, flags_.files);
}

namespace {

constexpr std::uint64_t k_most_roots = 10'000;

void add_measuring_flags(CLI::App& command, bfs_flags& flags) {
  const auto root = add_texts_flag(command, "--root", "NAME|ID", flags.chosen_roots,
                                   "Search from this vertex; may be repeated")
                        .under("Searches");
  add_count_flag(command, "--roots", flags.roots, 1, k_most_roots,
                 "Search from N random vertices that have an edge")
      .excludes(root)
      .under("Searches");
}

void add_search_flags(CLI::App& command, bfs_flags& flags) {
  if (flags.common.measures) {
    add_measuring_flags(command, flags);
  } else {
    const auto take = [&flags](const std::string& text) { flags.chosen_roots = {text}; };
    add_checked_flag(command, "--root", "NAME|ID", take, "The vertex where the search begins")
        .under("Search");
  }
  const std::string title = flags.common.measures ? "Searches" : "Search";
  const auto direct = [&flags](bool out) {
    flags.arcs_are = out ? orientation::out : orientation::in;
  };
  add_choice_flag(command, "--directed", "out", "in", direct,
                  "Follow edges from -> to, or back; by default both ways")
      .under(title);
  add_switch(command, "--levels", flags.levels,
             "Count the vertices at each distance from the root, with examples")
      .under(title);
  add_text_flag(command, "--path-to", "NAME|ID", flags.path_to,
                "Show a shortest path from the root to this vertex")
      .under(title);
}

constexpr const char* k_answer_text =
    "\nFinds how far every vertex is from a root, in steps along edges, and by which parent a\n"
    "shortest path reaches it. Distances do not depend on the number of PEs, parents may.\n\n"
    "  atoll bfs packages.tsv --directed in --root libc6 --path-to git\n"
    "  atoll bfs packages.tsv --directed in --root libc6 --output tree.csv";

constexpr const char* k_answer_details =
    "\n--verify compares the graph with its edges, vertex by vertex (degree, neighbours), and\n"
    "checks the search by all rules of Graph500.\n\n"
    "Edges are the first two columns of a .txt or .csv file, as SNAP publishes them: separated by\n"
    "blanks, commas or semicolons; comments begin with #, % or //, a .csv may begin with titles.\n"
    "Ids with gaps (12, 2^40, ...) take memory for all vertices up to the largest one; --compact\n"
    "numbers those that occur. --root, --path-to and all output have the ids of the file.\n"
    "In .tsv files the ends of edges may be names; of several vertices with one name (--names),\n"
    "the first is meant.\n\n"
    "--output FILE gets a row for each vertex that was reached: the vertex, its parent in the\n"
    "tree, and its distance from the root, by names where there are any. The root is its own\n"
    "parent. A wrong tree is not written. The file replaces an older one when it is complete.\n"
    "In .tsv and .csv the first line has the titles, in .txt it is a comment. A .npy is an array\n"
    "of a row for each vertex, parent and distance, 64-bit integers, -1 for both where a vertex\n"
    "is out of reach; with --compact the ids are one more column, the first.";

constexpr const char* k_bench_text =
    "\nA trial searches from all roots; its rate is the harmonic mean of edges per second, as\n"
    "Graph500 has it: each edge of the input that is reached counts once.\n\n"
    "  atoll bench bfs --scale 20 --pes 2 --verify --compare";

constexpr const char* k_bench_details =
    "\n--verify compares the graph with its edges, and checks every search by all rules of\n"
    "Graph500.\n"
    "--compare runs between the trials, on the same graph: the limit, a search in shared memory;\n"
    "and, where that is generated, over MPI (openmpi, mpich) a search from above with an item for\n"
    "each arc (edges), and one in two dimensions and both directions (bitmaps).\n\n"
    "--output FILE writes the tree of the first root, which is searched once more for it.";

constexpr kernel_texts k_texts = {.name = "bfs",
                                  .answers = "Distances from a vertex: breadth-first search",
                                  .measures = "Breadth-first searches of a random graph or a file",
                                  .answer = k_answer_text,
                                  .answer_details = k_answer_details,
                                  .bench = k_bench_text,
                                  .bench_details = k_bench_details};

}  // namespace

void add_bfs_flags(CLI::App& command, command_context& context, bfs_flags& flags) {
  add_search_flags(command, flags);
  add_graph_flags(command, flags);
  add_output_flag(command, flags, "Write parent and distance of each vertex");
  add_benchmark_flags(command, flags.common);
  add_settings_flags(command, context);
}

void add_bfs(CLI::App& parent, command_context& context, bool measures) {
  add_kernel_command<bfs_command, bfs_flags>(parent, context, measures, k_texts, add_bfs_flags);
}

}  // namespace atl::app
