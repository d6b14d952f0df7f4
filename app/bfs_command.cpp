// `atoll bfs`

#include "app/bfs_job.hpp"
#include "app/bfs_memory.hpp"
#include "app/bfs_programs.hpp"
#include "app/bfs_text.hpp"
#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/graph_memory.hpp"
#include "app/vertex_output.hpp"

#include <memory>

namespace atl::app {
namespace {

constexpr std::uint64_t k_most_roots = 10'000;

bool limit_takes(const bfs_flags& flags) {
  return flags.arcs_are == orientation::undirected && flags.chosen_roots.empty() &&
         limit_takes_graph(flags);
}

std::vector<compared_program> programs(report& result, const bfs_flags& flags) {
  if (limit_takes(flags)) {
    if (flags.common.compare) say_if_peers_are_left_out(flags, result);
    return bfs_programs(flags, result);
  }
  if (flags.common.compare) {
    result.line("limit and peers are left out: they search undirected Kronecker graphs, and the "
                "limit .el files, from random roots");
  }
  return {};
}

void check_before_start(const bfs_flags& flags, const settings& options, std::uint64_t pes) {
  check_graph_flags(flags);
  if (!flags.generated()) {
    const bool undirected = flags.arcs_are == orientation::undirected;
    check_memory_to_load(flags, options, undirected, pes, flags.common.verify);
    return;
  }
  const graph_size size{flags.random.vertices(), flags.random.edges()};
  check_memory(flags, options, demand_of(flags, size, pes));
}

void add_parameters(report& result, const bfs_flags& flags) {
  add_graph_parameters(result, flags);
  if (flags.arcs_are != orientation::undirected)
    result.parameter("directed", flags.arcs_are == orientation::out ? "out" : "in");
  if (flags.chosen_roots.empty()) {
    result.parameter("roots", flags.roots);
  } else {
    result.parameter("root", flags.chosen_roots);
  }
  if (flags.queue) result.parameter("queue", k_queue_forms[static_cast<std::size_t>(*flags.queue)]);
}

int run(bfs_flags flags, settings options) {
  flags.random.seed = options.seed;
  open_input(flags);
  flags.files.form.without_weights = true;
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  report result("bfs", options);
  vertex_output output(flags);
  check_before_start(flags, options, result.pes());
  add_parameters(result, flags);
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = search_graph(flags, options, trials, output);
  if (flags.common.verify) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common, output);
}

void add_search_flags(CLI::App& command, bfs_flags& flags) {
  const auto direct = [&flags](bool out) {
    flags.arcs_are = out ? orientation::out : orientation::in;
  };
  add_choice_flag(command, "--directed", "out", "in", direct,
                  "Follow edges from -> to, or back; by default both ways")
      .under("Graph");
  const auto root = add_texts_flag(command, "--root", "NAME|ID", flags.chosen_roots,
                                   "Search from this vertex; may be repeated")
                        .under("Searches");
  add_count_flag(command, "--roots", flags.roots, 1, k_most_roots,
                 "Search from N random vertices that have an edge")
      .excludes(root)
      .under("Searches");
  const auto take_queue = [&flags](std::size_t form) {
    flags.queue = static_cast<kernels::bfs::queue_form>(form);
  };
  add_word_flag(command, "--queue", k_queue_forms, take_queue,
                "Every vertex found goes through a global queue, in this form")
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
    "--compare runs between the trials, on the same graph: the limit, a search in shared memory;\n"
    "and, where that is generated, over MPI (openmpi, mpich) a search from above with an item for\n"
    "each arc (edges), and one in two dimensions and both directions (bitmaps).\n\n"
    "With --queue every vertex found at any level is pushed to a global queue, and the next level\n"
    "is what all PEs pop (Holt and others 2013); the search without it is timed beside it, as\n"
    "rate_without_queue:\n"
    "  simple     each operation travels alone to the master of the queue, and waits for it\n"
    "  combining  those of a PE travel together; each waits\n"
    "  relaxed    likewise, and pushes do not wait\n"
    "  delegates  no global queue: each operation is a delegate to PE 0, which keeps the "
    "elements\n\n"
    "Edges are the first two columns of a .txt or .csv file, as SNAP publishes them: separated by\n"
    "blanks, commas or semicolons; comments begin with #, % or //, a .csv may begin with titles.\n"
    "Ids with gaps (12, 2^40, ...) take memory for all vertices up to the largest one; --compact\n"
    "numbers those that occur. --root, --path-to and all output have the ids of the file.\n"
    "In .tsv files the ends of edges may be names; of several vertices with one name (--names),\n"
    "the first is meant.\n\n"
    "--output FILE writes a row for each vertex that is reached from the first root: the vertex,\n"
    "its parent in the tree, and its distance from the root, by names where there are any. The\n"
    "root is its own parent, vertices out of reach are left out. That search is one more after\n"
    "the trials, with --verify a checked one; a wrong tree is not written. Distances are the same\n"
    "for every number of PEs, parents may differ. The file replaces what has its name when it is\n"
    "complete. In .tsv and .csv the first line has the titles, in .txt it is a comment.\n"
    ".npy is an array of a row for each vertex, parent and distance, 64-bit integers, -1 for both\n"
    "where a vertex is out of reach; with --compact the ids are one more column, the first.\n\n"
    "  atoll bfs --scale 20 --pes 2 --verify --compare\n"
    "  atoll bfs packages.tsv --directed in --root libc6 --levels --path-to git\n"
    "  atoll bfs packages.tsv --directed in --root libc6 --trials 1 --output tree.csv";

}  // namespace

void add_bfs(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<bfs_flags>();
  auto& command = add_command(root, context, "bfs", "Breadth-first search of a graph over all PEs",
                              [&context, flags] { return run(*flags, context.settings); });
  add_graph_flags(command, *flags);
  add_search_flags(command, *flags);
  add_output_flag(command, *flags, "Write parent and distance of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_bfs_explanation);
}

}  // namespace atl::app
