// `atoll pagerank`

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/graph_memory.hpp"
#include "app/input_flags.hpp"
#include "app/pagerank_job.hpp"
#include "app/pagerank_memory.hpp"
#include "app/pagerank_programs.hpp"
#include "app/pagerank_text.hpp"
#include "app/vertex_output.hpp"
#include "atoll/error.hpp"

#include <memory>

namespace atl::app {
namespace {

std::vector<compared_program> programs(report& result, const pagerank_flags& flags) {
  if (limit_takes_graph(flags) && !flags.weighted && flags.arcs_are() == orientation::undirected) {
    if (flags.common.compare) say_if_peers_are_left_out(flags, result);
    return pagerank_programs(flags, result);
  }
  if (flags.common.compare)
    result.line("limit and peers are left out: they take undirected Kronecker graphs, and the "
                "limit .el files, without weights");
  return {};
}

void check_before_start(const pagerank_flags& flags, const settings& options, std::uint64_t pes) {
  check_graph_flags(flags);
  if (flags.generated()) {
    check_memory(flags, options, {flags.random.vertices(), flags.random.edges()}, pes);
  } else {
    const bool undirected = flags.arcs_are() == orientation::undirected;
    check_memory_to_load(flags, options, undirected, pes, flags.common.verify || flags.weighted);
  }
}

void add_pagerank_parameters(report& result, const pagerank_flags& flags) {
  add_graph_parameters(result, flags);
  result.parameter("weighted", flags.weighted);
  result.parameter("algorithm", k_pagerank_forms[static_cast<std::size_t>(flags.how)]);
  result.parameter("damping", flags.with.damping);
  result.parameter("tolerance", flags.with.tolerance);
  result.parameter("max_iterations", flags.with.max_iterations);
}

int run(pagerank_flags flags, settings options) {
  flags.random.seed = options.seed;
  open_input(flags);
  flags.files.form.without_weights |= !flags.weighted;
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  report result("pagerank", options);
  vertex_output output(flags);
  check_before_start(flags, options, result.pes());
  add_pagerank_parameters(result, flags);
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = rank_graph(flags, options, trials, output);
  result.parameter("directed", found.directed);
  if (flags.common.verify) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common, output);
}

void add_rank_flags(CLI::App& command, pagerank_flags& flags) {
  const auto directed = add_switch(command, "--directed", flags.directed,
                                   "Edges lead from the first end to the second; so in GRAPH by "
                                   "default, where its format does not say that they have none")
                            .under("Graph");
  add_switch(command, "--undirected", flags.undirected,
             "Edges lead both ways; so in random graphs by default")
      .excludes(directed)
      .under("Graph");
  add_weights_flag(command, flags.files, "Graph");
  add_switch(command, "--weighted", flags.weighted,
             "Arcs are followed as often as they weigh: in GRAPH, or at random")
      .under("Graph");
  constexpr std::uint64_t most_iterations = 1'000'000, most_shown = 1000;
  add_real_flag(command, "--damping", flags.with.damping, 0, 1,
                "How much of a rank goes over arcs; the rest to all vertices")
      .under("Ranks");
  add_real_flag(command, "--tolerance", flags.with.tolerance, 0, 2,
                "End when the ranks change by less, summed over vertices")
      .under("Ranks");
  add_count_flag(command, "--max-iterations", flags.with.max_iterations, 1, most_iterations,
                 "End after so many in any case")
      .under("Ranks");
  const auto take_form = [&flags](std::size_t form) {
    flags.how = static_cast<kernels::pagerank::form>(form);
  };
  add_word_flag(command, "--algorithm", k_pagerank_forms, take_form, "How rank gets to others")
      .with_default("blocked")
      .under("Ranks");
  add_count_flag(command, "--top", flags.top, 0, most_shown, "Show the N vertices of highest rank")
      .under("Ranks");
}

constexpr const char* k_pagerank_explanation =
    "\nRanks vertices by how often somebody comes to each who follows a random arc with\n"
    "probability --damping, and else, or where no arc leads on, goes to any vertex. Ranks are\n"
    "iterated from equal ones on, and add up to 1. Duplicates of an edge count once, and self\n"
    "loops not at all. The rate is the number of edges of the input, times iterations, by the\n"
    "time of a trial. With --weighted an arc is followed as often as its edges weigh together, in\n"
    "GRAPH or, for random graphs, by a hash of their ends and --seed. What is the same in all "
    "iterations is prepared once, in plan_seconds.\n"
    "  --algorithm blocked  each PE adds up what its vertices give to each vertex; both PEs have\n"
    "                       agreed once on the order of the sums, and nothing else travels\n"
    "  --algorithm plain    a loop over vertices and arcs, and a delegate for each arc (Nelson "
    "and\n"
    "                       others 2015)\n"
    "  --verify             compares every rank, to 1e-9 of itself, with what PE 0 finds by "
    "itself\n"
    "                       from the edges of the input; needs memory for all of them on PE 0\n"
    "  --compact            numbers the ids that occur without gaps: else all vertices up to the\n"
    "                       largest id have a rank. All output has the ids of the file, and a\n"
    "                       .npy gets them as a first column\n"
    "  --compare            runs between the trials the same iterations on the same graph, where\n"
    "                       that is undirected: the limit, in shared memory; and, of a generated\n"
    "                       graph, openmpi and mpich, with MPI_Alltoallv; tpetra, on a matrix of\n"
    "                       Trilinos\n"
    "  --output FILE        writes a row for each vertex, vertex and rank, by their names where\n"
    "                       they have any; nothing where ranks are found to be wrong. It replaces\n"
    "                       what has its name when it is complete. In .tsv and .csv the first "
    "line\n"
    "                       has the titles, in .txt it is a comment; .npy is the array of ranks "
    "by\n"
    "                       vertex, doubles. The last digits depend on the number of PEs\n\n"
    "  atoll pagerank --scale 20 --pes 2 --verify --compare\n"
    "  atoll pagerank packages.tsv --top 20\n"
    "  atoll pagerank packages.tsv --undirected --trials 1 --output ranks.csv.zst";

}  // namespace

void add_pagerank(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<pagerank_flags>();
  auto& command = add_command(root, context, "pagerank", "PageRank of a graph over all PEs",
                              [&context, flags] { return run(*flags, context.settings); });
  add_graph_flags(command, *flags);
  add_rank_flags(command, *flags);
  add_output_flag(command, *flags, "Write the rank of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_pagerank_explanation);
}

}  // namespace atl::app
