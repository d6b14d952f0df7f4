// `atoll mst`

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/graph_memory.hpp"
#include "app/input_flags.hpp"
#include "app/mst_job.hpp"
#include "app/mst_memory.hpp"
#include "app/mst_programs.hpp"
#include "app/mst_text.hpp"
#include "atoll/error.hpp"

#include <memory>

namespace atl::app {
namespace {

using kernels::mst::post_processing;
using kernels::mst::progress_test;

std::vector<compared_program> programs(report& result, const mst_flags& flags) {
  if (flags.generated()) return mst_programs(flags, result.pes());
  if (flags.common.compare) result.line("limit and peers are left out: they take generated graphs");
  return {};
}

int run(mst_flags flags, settings options) {
  flags.random.seed = options.seed;
  open_input(flags);
  flags.files.form.without_weights |= flags.hashed_weights;
  flags.how.group = static_cast<int>(flags.group);
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  // Between exchanges every PE computes alone, and nobody waits for a message of it.
  options.stall_time = 0;
  report result("mst", options);
  mst_output output(flags);
  check_graph_flags(flags);
  if (flags.generated())
    check_memory(flags, options, {flags.random.vertices(), flags.random.edges()}, result.pes());
  else
    check_memory(flags, options, guess_graph(flags.files.edges, options_of(flags.files)).size,
                 result.pes());
  add_graph_parameters(result, flags);
  add_mst_parameters(result, flags);
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = find_forest(flags, options, trials, output);
  if (flags.common.verify || !found.right()) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common, output);
}

void add_exchange_flags(CLI::App& command, mst_flags& flags) {
  const auto take_exchange = [&flags](bool one_sided) {
    flags.exchange = one_sided ? mst_exchange::one_sided : mst_exchange::two_sided;
  };
  add_choice_flag(command, "--exchange", "one-sided", "two-sided", take_exchange,
                  "How PEs tell each other what they know")
      .with_default("one-sided")
      .under("Forest");
  constexpr std::uint64_t most_chunks = 1024;
  add_count_flag(command, "--chunks", flags.chunks, 1, most_chunks,
                 "A list is fetched in N pieces, each used while the next is on its way")
      .under("Forest");
}

/// Of what a PE does alone.
void add_local_flags(CLI::App& command, kernels::mst::parameters& how) {
  const auto take_local = [&how](bool sorted) {
    using kernels::mst::local_method;
    how.local = sorted ? local_method::sorted : local_method::rounds;
  };
  add_choice_flag(command, "--local", "sorted", "rounds", take_local,
                  "Joining within a PE: by edges in the order of their weights, or in rounds")
      .with_default("sorted")
      .under("Forest");
  const auto take_filter = [&how](bool on) { how.filter = on; };
  add_choice_flag(command, "--filter", "on", "off", take_filter,
                  "Each PE first drops those of its edges that close a cycle of lighter ones")
      .with_default("on")
      .under("Forest");
  constexpr double most_finish = 1e6;
  add_real_flag(
      command, "--filter-finish", how.filter_finish, 0, most_finish,
      "PE 0 ends it at once where no more is left than X times the edges a PE had; 0: never")
      .under("Forest");
}

void add_phase_flags(CLI::App& command, mst_flags& flags) {
  auto& how = flags.how;
  const auto take_algorithm = [](std::size_t) {};
  add_word_flag(command, "--algorithm", {"mnd"}, take_algorithm, "How the forest is found")
      .with_default("mnd")
      .under("Forest");
  add_real_flag(command, "--theta", how.theta, 0, 1,
                "Joining within a PE ends with a round that joins fewer, of all tree edges")
      .under("Forest");
  add_real_flag(command, "--mst-threshold", how.mst_threshold, 0, 1,
                "Fewer PEs go on when no more is left, of all tree edges")
      .under("Forest");
  const auto take_test = [&how](bool remaining) {
    how.test = remaining ? progress_test::remaining : progress_test::found;
  };
  add_choice_flag(command, "--mst-test", "remaining", "new", take_test,
                  "What is compared: edges that are missing, or those found last")
      .with_default("new")
      .under("Forest");
  add_real_flag(command, "--ring-fraction", how.ring_fraction, 0, 1,
                "So many of a PE's components move to the next one at most")
      .under("Forest");
  const auto take_post = [&how](bool single) {
    how.post = single ? post_processing::single : post_processing::leader;
  };
  add_choice_flag(command, "--post", "single", "leader", take_post,
                  "What is left goes to PE 0, or to one PE of each group")
      .with_default("single")
      .under("Forest");
  constexpr std::uint64_t largest_group = 1 << 20;
  add_count_flag(command, "--group", flags.group, 2, largest_group, "PEs of a group")
      .under("Forest");
}

constexpr const char* k_mst_explanation =
    "\nFinds a minimum spanning forest: of each connected component the lightest edges that hold\n"
    "it together. Edges count both ways. Weights are those of the file. A random graph has, and\n"
    "with --hashed-weights a file gets, those by a hash of the two ends and --seed; a file\n"
    "without weights is refused else. Of equal weights the edge with the smaller end, then the "
    "smaller other end,\n"
    "is lighter, so there is one right forest, whatever the PEs and the algorithm. The rate is "
    "the\n"
    "number of edges of the input by the time from the edges in memory to the forest.\n"
    "  --algorithm mnd       each PE joins the components of a range of vertices as far as it can\n"
    "                        alone, tells its neighbours their new names, moves some of them "
    "along\n"
    "                        a ring of PEs, and, when little is left, hands over to fewer PEs\n"
    "                        (Panja, Vadhiyar 2018)\n"
    "  --exchange one-sided  sizes are stored into memory of the others, lists are fetched\n"
    "  --exchange two-sided  the same lists by messages that both sides agree on\n"
    "  --verify              compares every edge of the last trial's forest with that of "
    "Kruskal's\n"
    "                        algorithm on all edges of the input, on PE 0, and the weights of all\n"
    "  --compare             runs beside it, in turn and on the same edges: the limit, Kruskal's\n"
    "                        algorithm with a radix sort on one core; by as many processes the "
    "same\n"
    "                        algorithm by messages of openmpi and mpich, by their one-sided\n"
    "                        operations (openmpi_rma, mpich_rma), and by shmem.h on Atoll (shmem)\n"
    "                        and on Open MPI (openshmem)\n"
    "  --output FILE         writes the edges of the forest, by their smaller and then their "
    "larger\n"
    "                        end, with their weights where the file is a .wel\n\n"
    "  atoll mst --scale 18 --pes 2 --verify --compare\n"
    "  atoll mst roads.wel --output forest.wel.zst";

}  // namespace

void add_mst(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<mst_flags>();
  auto& command =
      add_command(root, context, "mst", "Minimum spanning forest of a graph over all PEs",
                  [&context, flags] { return run(*flags, context.settings); });
  add_graph_flags(command, *flags);
  add_weights_flag(command, flags->files, "Graph");
  add_switch(command, "--hashed-weights", flags->hashed_weights,
             "Weights by hash, whether the file has some or not")
      .under("Graph");
  add_phase_flags(command, *flags);
  add_local_flags(command, flags->how);
  add_exchange_flags(command, *flags);
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "Write the edges of the forest: .wel with weights, .el, .tsv, .txt or .csv, also "
                "as .gz or .zst")
      .under("Output");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_mst_explanation);
}

}  // namespace atl::app
