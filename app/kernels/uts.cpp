// Implements `atoll bench uts`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "app/kernels/kernels.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"
#include "atoll/settings.hpp"
#include "bench/uts_in_memory.hpp"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace atl::app {
namespace {

namespace uts = bench::uts;

tree_parameters checked_tree(const std::string& name) {
  const auto* const found = find_tree(name);
  if (found != nullptr) return *found;
  std::vector<std::string> known;
  for (const auto& tree : published_trees()) known.emplace_back(tree.name);
  const std::string nearest = nearest_name(name, known);
  fail(errc::input, "--tree: there is no tree \"{}\", {}", name,
       nearest.empty() ? "see --help" : fmt::format("did you mean {}?", nearest));
}

struct flags_of_uts {
  benchmark_flags common;
  uts::parameters chosen{.tree = *find_tree("T1")};
  bool in_memory = false;
};

// Checks the memory of the tree before PEs are started. Later, the runtime checks the memory of the
// tree again, together with its other allocations.
void check_memory(const flags_of_uts& flags, const settings& options) {
  if (!flags.in_memory) return;
  const std::uint64_t needed = flags.chosen.tree.published.nodes * sizeof(uts::vertex);
  const job_memory free = memory_for_job(options);
  if (needed <= free.bytes) return;
  fail(errc::out_of_memory, "--in-memory: the vertices of {} need {}, and {}",
       flags.chosen.tree.name, human_bytes(static_cast<double>(needed)), free.sentence);
}

class uts_benchmark {
 public:
  uts_benchmark(const flags_of_uts& flags, settings options)
      : flags_(flags), options_(std::move(options)), chosen_(flags.chosen) {
    // A simulated job has a virtual clock, on which computing takes no time. Virtual time passes
    // slowly, so repeating traversals until `seconds` of virtual time have passed would take too
    // long.
    if (options_.transport == transport_kind::sim) chosen_.seconds = 0;
  }

  int run() {
    report result("uts", options_);
    check_memory(flags_, options_);
    result.parameter("tree", flags_.chosen.tree.name);
    result.parameter("in_memory", flags_.in_memory);
    result.parameter("join", flags_.chosen.join == uts::join_at::whole ? "whole" : "vertex");
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result));
    add_checks(result);
    return publish(result, flags_.common);
  }

 private:
  measurements trial() { return flags_.in_memory ? trial_in_memory() : trial_on_the_fly(); }

  measurements trial_on_the_fly() {
    const auto outcome = result_of_job(options_, fmt::format("--tree {}", flags_.chosen.tree.name),
                                       [this] { return uts::measure(chosen_); });
    return measured(outcome, "nodes/s");
  }

  measurements trial_in_memory() {
    const auto outcome =
        result_of_job(options_, fmt::format("--tree {} --in-memory", flags_.chosen.tree.name),
                      [this] { return uts::in_memory::measure(chosen_); });
    auto all = measured(outcome, "vertices/s");
    all.push_back({"share_of_remote_reads", "", outcome.share_of_remote_reads()});
    if (outcome.network_taken > 0) all.push_back({"network_busy", "", outcome.network_busy()});
    all.push_back({"seconds_to_build", "s", outcome.seconds_to_build});
    all.push_back({"bytes_peak", "B", static_cast<double>(outcome.bytes_peak)});
    return all;
  }

  measurements measured(const uts::outcome& outcome, const std::string& unit) {
    if (!last_ || right()) last_ = outcome;
    return {{"rate", unit, outcome.rate()},
            {"seconds", "s", outcome.seconds},
            {"traversals", "", static_cast<double>(outcome.traversals)}};
  }

  // Returns the command of the limit program, a plain program without Atoll that traverses the tree
  // of the benchmark. In the limit program, every core traverses the whole tree by itself.
  std::vector<compared_program> programs(report& result) const {
    if (flags_.in_memory) {
      if (flags_.common.compare) result.line("limit is left out: it traverses trees on the fly");
      return {};
    }
    return {{"limit",
             {"atoll-limit-uts", "--tree", std::string(flags_.chosen.tree.name), "--processes",
              std::to_string(result.busy_cores())}}};
  }

  std::string complaint() const { return last_->complaint(flags_.chosen.tree.published); }
  bool right() const { return complaint().empty(); }

  // Adds the numbers of vertices and leaves, the depth, and the check of these values. A wrong
  // number of vertices is reported even without --verify, because comparing two numbers costs no
  // time.
  void add_checks(report& result) const {
    result.section("nodes", last_->found.nodes);
    result.section("leaves", last_->found.leaves);
    result.section("depth", last_->found.depth);
    result.line(fmt::format("{} nodes, {} leaves, depth {}", last_->found.nodes,
                            last_->found.leaves, last_->found.depth));
    if (flags_.common.verify || !right()) result.verified(right());
    if (!right()) log::write(log_level::error, "wrong result: " + complaint());
  }

  const flags_of_uts& flags_;
  settings options_;
  uts::parameters chosen_;
  // Outcome of the first trial with a wrong result; if all results are right, outcome of the latest
  // trial.
  std::optional<uts::outcome> last_;
};

void add_tree_flags(CLI::App& command, flags_of_uts& flags) {
  auto& chosen = flags.chosen;
  add_tree_flag(command, chosen.tree);
  add_switch(command, "--in-memory", flags.in_memory,
             "Build the tree in global memory and search that");
  const auto join = [&chosen](bool at_vertex) {
    chosen.join = at_vertex ? uts::join_at::vertex : uts::join_at::whole;
  };
  add_choice_flag(command, "--join", "vertex", "whole", join,
                  "Every task waits for those it put out, or one for all (default whole)");
}

constexpr const char* k_uts_text =
    "\nCounts the vertices of a tree that shows itself only while it is searched: SHA-1 of a\n"
    "vertex and a number gives its child of that number. Idle PEs steal work from others. The\n"
    "rate is that of all PEs, of as many traversals as fill a second.\n\n"
    "  atoll bench uts --tree T1L --pes 2 --verify --compare";

constexpr const char* k_uts_details =
    "\n  --verify     compares the numbers of vertices and leaves and the depth with those "
    "published\n"
    "  --in-memory  every vertex at a random place of global memory, read by a task that waits;\n"
    "               --workers says how many of them a PE has under way at a time\n"
    "  --compare    limit: the plain serial traversal of the same tree on every core, with the\n"
    "               same SHA-1";

}  // namespace

void add_tree_flag(CLI::App& command, tree_parameters& tree) {
  const auto take = [&tree](const std::string& name) { tree = checked_tree(name); };
  add_checked_flag(command, "--tree", "T1|T2|T3|T4|T5|T1L|T2L|T3L", take,
                   "One of the published trees (default T1)");
}

void add_bench_uts(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_uts>();
  auto& command =
      add_command(bench, context, "uts", "Unbalanced tree search over all PEs",
                  [&context, flags] { return uts_benchmark(*flags, context.settings).run(); });
  add_tree_flags(command, *flags);
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, context, k_uts_text, k_uts_details);
}

}  // namespace atl::app
