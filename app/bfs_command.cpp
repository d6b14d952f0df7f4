// `atoll bfs`

#include "app/bfs_job.hpp"
#include "app/bfs_memory.hpp"
#include "app/bfs_text.hpp"
#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/base/error.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

constexpr std::uint64_t k_most_roots = 10'000;

// What the limit program takes.
constexpr std::uint64_t k_largest_scale_of_limit = 27;
constexpr std::uint64_t k_largest_edge_factor_of_limit = 1024;

bool limit_takes(const bfs_flags& flags) {
  if (flags.arcs_are != orientation::undirected || !flags.chosen_roots.empty()) return false;
  if (flags.generated()) {
    return flags.random.scale >= 1 && flags.random.scale <= k_largest_scale_of_limit &&
           flags.random.edge_factor <= k_largest_edge_factor_of_limit;
  }
  const auto format = file_format_of(flags.files.edges);
  return format.edges == edge_format::el && format.packing == compression::none &&
         flags.files.names.empty();
}

// The same graph and roots, on as many cores.
std::vector<compared_program> programs(report& result, const bfs_flags& flags) {
  if (!limit_takes(flags)) {
    if (flags.common.compare) {
      result.line("limit is left out: it searches undirected Kronecker graphs and .el files, from "
                  "random roots");
    }
    return {};
  }
  std::vector<std::string> command = {"atoll-limit-bfs"};
  const auto add = [&](const char* flag, const std::string& value) {
    command.insert(command.end(), {flag, value});
  };
  if (flags.generated()) {
    add("--scale", std::to_string(flags.random.scale));
    add("--edge-factor", std::to_string(flags.random.edge_factor));
  } else {
    add("--graph", flags.files.edges);
  }
  add("--seed", std::to_string(flags.random.seed));
  add("--roots", std::to_string(flags.roots));
  add("--threads", std::to_string(result.busy_cores()));
  if (flags.common.verify) command.emplace_back("--verify");
  return {{"limit", command}};
}

void check_before_start(const bfs_flags& flags, const settings& options, std::uint64_t pes) {
  if (!flags.generated()) {
    check_memory_to_read(flags, options);
    return;
  }
  if (!flags.files.names.empty())
    fail(errc::input, "--names: {} names the vertices of a GRAPH, and none is given",
         flags.files.names);
  flags.random.check();
  const graph_size size{flags.random.vertices(), flags.random.edges()};
  check_memory(
      flags, options,
      {size, pes, flags.arcs_are, id_bytes_for(flags, size.vertices), flags.common.verify});
}

void add_parameters(report& result, const bfs_flags& flags) {
  if (flags.generated()) {
    result.parameter("scale", flags.random.scale);
    result.parameter("edge_factor", flags.random.edge_factor);
  } else {
    result.parameter("graph", flags.files.edges);
  }
  if (flags.arcs_are != orientation::undirected)
    result.parameter("directed", flags.arcs_are == orientation::out ? "out" : "in");
  if (flags.chosen_roots.empty()) {
    result.parameter("roots", flags.roots);
  } else {
    result.parameter("root", flags.chosen_roots);
  }
}

int run(bfs_flags flags, settings options) {
  flags.random.seed = options.seed;
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  report result("bfs", options);
  check_before_start(flags, options, result.pes());
  add_parameters(result, flags);
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = search_graph(flags, options, trials);
  if (flags.common.verify) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common);
}

void add_graph_flags(CLI::App& command, bfs_flags& flags) {
  const auto graph = add_text_flag(command, "GRAPH", "", flags.files.edges,
                                   "An .el, .wel or .tsv file of edges, also as .gz or .zst")
                         .under("Graph");
  add_count_flag(command, "--scale", flags.random.scale, 0, generator_parameters::largest_scale,
                 "Without GRAPH: a Kronecker graph of 2^N vertices")
      .excludes(graph)
      .under("Graph");
  add_count_flag(command, "--edge-factor", flags.random.edge_factor, 1, std::uint64_t{1} << 20,
                 "and N edges for each")
      .excludes(graph)
      .under("Graph");
  const auto direct = [&flags](bool out) {
    flags.arcs_are = out ? orientation::out : orientation::in;
  };
  add_choice_flag(command, "--directed", "out", "in", direct,
                  "Follow edges from -> to, or back; by default both ways")
      .under("Graph");
  add_text_flag(command, "--names", "FILE", flags.files.names,
                "Line i, from 0 on, names vertex i; may be shorter or longer than the graph")
      .under("Graph");
  add_switch(command, "--wide-ids", flags.wide_ids, "").under("");
}

void add_search_flags(CLI::App& command, bfs_flags& flags) {
  const auto root = add_texts_flag(command, "--root", "NAME|ID", flags.chosen_roots,
                                   "Search from this vertex; may be repeated")
                        .under("Searches");
  add_count_flag(command, "--roots", flags.roots, 1, k_most_roots,
                 "Search from N random vertices that have an edge")
      .excludes(root)
      .under("Searches");
  add_switch(command, "--levels", flags.levels,
             "Tell who is found at each level from the first root")
      .under("Searches");
  add_text_flag(command, "--path-to", "NAME|ID", flags.path_to,
                "Show a path from the first root to this vertex")
      .under("Searches");
}

constexpr const char* k_bfs_explanation =
    "\nFinds how far every vertex is from a root, in steps along edges. A trial searches from all\n"
    "roots; its rate is the harmonic mean of edges per second, as Graph500 has it: each edge of\n"
    "the input that is reached counts once. --verify compares the graph with its edges, vertex by\n"
    "vertex (degree, neighbours), and checks every search by all rules of Graph500.\n"
    "--compare runs the limit between the trials: a search in shared memory on the same graph.\n\n"
    "In .tsv files the ends of edges may be names; of several vertices with one name (--names),\n"
    "the first is meant.\n\n"
    "  atoll bfs --scale 20 --pes 2 --verify --compare\n"
    "  atoll bfs packages.tsv --directed in --root libc6 --levels --path-to git";

}  // namespace

void add_bfs(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<bfs_flags>();
  auto& command = add_command(root, context, "bfs", "Breadth-first search of a graph over all PEs",
                              [&context, flags] { return run(*flags, context.settings); });
  add_graph_flags(command, *flags);
  add_search_flags(command, *flags);
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_bfs_explanation);
}

}  // namespace atl::app
