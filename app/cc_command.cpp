// `atoll cc`

#include "app/cc_job.hpp"
#include "app/cc_memory.hpp"
#include "app/cc_text.hpp"
#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/graph_memory.hpp"
#include "app/vertex_output.hpp"
#include "atoll/error.hpp"

#include <memory>

namespace atl::app {
namespace {

const std::vector<std::string> k_algorithms = {"afforest", "traversals"};

// The same graph, on as many cores.
std::vector<compared_program> programs(report& result, const cc_flags& flags) {
  if (!limit_takes_graph(flags)) {
    if (flags.common.compare)
      result.line("limit is left out: it takes Kronecker graphs and .el files");
    return {};
  }
  auto command = limit_command("atoll-limit-cc", flags, result);
  if (flags.common.verify) command.emplace_back("--verify");
  return {{"limit", command}};
}

void check_before_start(const cc_flags& flags, const settings& options, std::uint64_t pes) {
  if (!flags.set && flags.traversals != cc_flags().traversals)
    fail(errc::input, "--traversals: {} has no effect without --set or --algorithm traversals",
         flags.traversals);
  check_graph_flags(flags);
  if (flags.generated()) {
    check_memory(flags, options, {flags.random.vertices(), flags.random.edges()}, pes);
  } else {
    check_memory_to_load(flags, options, true, pes, flags.common.verify);
  }
}

int run(cc_flags flags, settings options) {
  flags.random.seed = options.seed;
  open_input(flags);
  flags.files.form.without_weights = true;
  // PE 0 waits for the limit program within the job, blocked, while the other PEs do nothing.
  if (flags.common.compare) options.hang_timeout = 0;
  report result("cc", options);
  vertex_output output(flags);
  check_before_start(flags, options, result.pes());
  add_graph_parameters(result, flags);
  result.parameter("algorithm", k_algorithms[flags.set ? 1 : 0]);
  if (flags.set) {
    result.parameter("set", k_set_forms[static_cast<std::size_t>(*flags.set)]);
    result.parameter("traversals", flags.traversals);
  }
  trial_series trials(result, flags.common, programs(result, flags));
  const auto found = label_graph(flags, options, trials, output);
  if (flags.common.verify) result.verified(found.right());
  describe(result, flags, found);
  return publish(result, flags.common, output);
}

void add_algorithm_flags(CLI::App& command, cc_flags& flags) {
  using kernels::cc::set_form;
  const auto take_algorithm = [&flags](std::size_t chosen) {
    if (chosen == 1) flags.set = set_form::combining;
  };
  const auto algorithm =
      add_word_flag(command, "--algorithm", k_algorithms, take_algorithm, "How they are found")
          .with_default("afforest")
          .under("Components");
  const auto take_set = [&flags](std::size_t form) { flags.set = static_cast<set_form>(form); };
  add_word_flag(command, "--set", k_set_forms, take_set, "By traversals, with a set in this form")
      .excludes(algorithm)
      .under("Components");
  constexpr std::uint64_t most_traversals = 1'000'000;
  add_count_flag(command, "--traversals", flags.traversals, 1, most_traversals,
                 "Traversals that begin at random vertices of each PE")
      .under("Components");
}

constexpr const char* k_cc_explanation =
    "\nFinds the connected components: which vertices a path leads between. Edges count both "
    "ways,\n"
    "so those of a directed graph are its weakly connected components. Each vertex is labelled\n"
    "with the smallest vertex of its component. The rate is the number of edges of the input by "
    "the\n"
    "time of a trial.\n"
    "  --algorithm afforest  links each vertex with one neighbour, or two, takes a sample to find\n"
    "                        the largest component, and looks at the other neighbours of vertices\n"
    "                        outside of it only (Sutton, Ben-Nun, Barak 2018)\n"
    "  --algorithm traversals  claims vertices by many traversals at once; where two meet, their\n"
    "                        pair goes into a global set, whose components are found then (Holt "
    "and\n"
    "                        others 2013). --set says how pairs get there:\n"
    "    --set simple        each insert travels alone to the owner of its pair, and waits\n"
    "    --set combining     those of a PE travel together, equal ones once; each waits\n"
    "    --set tuned         each PE gathers a set of its own; they are merged in the end\n"
    "    --set delegates     no global set: each insert is a delegate to the owner's own table\n"
    "  --verify              compares every label with plain union-find over all edges of the\n"
    "                        input; needs a number for each vertex on each PE\n"
    "  --compact             numbers the ids that occur without gaps: else all vertices up to the\n"
    "                        largest id take memory. All output has the ids of the file, and a\n"
    "                        .npy gets them as a first column\n"
    "  --compare             runs the limit between the trials: Afforest in shared memory on the\n"
    "                        same graph\n"
    "  --output FILE         writes a row for each vertex, vertex and label, by their names where\n"
    "                        they have any; nothing where the labels are found to be wrong. The\n"
    "                        file is the same for every number of PEs and replaces what has its\n"
    "                        name when it is complete. In .tsv and .csv the first line has the\n"
    "                        titles, in .txt it is a comment; .npy is the array of labels\n"
    "                        by vertex, 64-bit integers\n\n"
    "  atoll cc --scale 20 --pes 2 --verify --compare\n"
    "  atoll cc packages.tsv --largest 10\n"
    "  atoll cc packages.tsv --verify --trials 1 --output labels.csv.zst";

}  // namespace

void add_cc(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<cc_flags>();
  auto& command = add_command(root, context, "cc", "Connected components of a graph over all PEs",
                              [&context, flags] { return run(*flags, context.settings); });
  add_graph_flags(command, *flags);
  add_algorithm_flags(command, *flags);
  constexpr std::uint64_t most_shown = 1000;
  add_count_flag(command, "--largest", flags->largest, 0, most_shown,
                 "Tell the N largest one by one")
      .under("Components");
  add_output_flag(command, *flags, "Write the label of each vertex");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_cc_explanation);
}

}  // namespace atl::app
