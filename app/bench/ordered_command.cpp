// Implements `atoll bench stack` and `atoll bench queue`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/ordered.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace ordered = bench::ordered;

constexpr std::uint64_t k_usual_ordered_workers = 2048;

struct flags_of_ordered {
  benchmark_flags common;
  ordered::kind structure = ordered::kind::stack;
  double mix = 1;
  std::uint64_t operations = 0;
  std::uint64_t prefill = 0;
  bool alone = false;

  const char* name() const { return structure == ordered::kind::stack ? "stack" : "queue"; }
};

/// Returns the number of elements to insert before the measurement, so that pops rarely find the
/// structure empty. The result is the expected excess of pops over pushes, plus an eighth of all
/// operations. If there are no pops, the result is 0.
std::uint64_t prefill_for(const ordered::parameters& chosen) {
  if (chosen.mix == 1) return 0;
  const double popped_only = std::max(0.0, 1 - 2 * chosen.mix);
  return static_cast<std::uint64_t>((popped_only + 0.125) * double(chosen.operations));
}

class ordered_benchmark {
 public:
  ordered_benchmark(const flags_of_ordered& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0 && !job::present_launch()) options_.pes = 2;
    if (options_.origin("workers") == "default") options_.workers = k_usual_ordered_workers;
    chosen_.structure = flags.structure;
    chosen_.mix = flags.mix;
    chosen_.mode = options_.combining;
    const bool combined_at_pe =
        chosen_.mode == combining_mode::local || chosen_.mode == combining_mode::both;
    chosen_.operations = flags.operations != 0 ? flags.operations
                         : combined_at_pe      ? 20'000'000
                                               : 500'000;
    chosen_.prefill = flags.prefill != 0 ? flags.prefill : prefill_for(chosen_);
  }

  int run() {
    report result(flags_.name(), options_);
    result.parameter("mix", chosen_.mix);
    result.parameter("operations", chosen_.operations);
    result.parameter("prefill", chosen_.prefill);
    result.parameter("workers", options_.workers);
    result.parameter("combining", options_.value("combining"));
    result.parameter("batch", options_.value("batch"));
    run_trials(result, flags_.common, [this] { return trial(); }, programs(result.pes()));
    add_findings(result);
    return publish(result, flags_.common);
  }

 private:
  ordered::outcome job(const ordered::parameters& chosen) { return job(chosen, options_); }

  /// Runs a second job, with the parameters `chosen`, for comparison. The second job writes no
  /// files for --metrics and --trace, because only the job that the user has chosen fills these two
  /// files.
  ordered::outcome job_beside(const ordered::parameters& chosen) {
    settings options = options_;
    options.metrics.clear();
    options.trace.clear();
    return job(chosen, options);
  }

  ordered::outcome job(const ordered::parameters& chosen, const settings& options) {
    const auto found = result_of_job(
        options, fmt::format("--operations {} --prefill {}", chosen.operations, chosen.prefill),
        [&] { return ordered::measure(chosen); });
    if (!found.right()) {
      wrong_ = true;
      log::write(
          log_level::error,
          fmt::format("wrong result: {} elements lost, {} made up, {} out of order, sizes {}",
                      found.lost, found.made_up, found.out_of_order,
                      found.sizes_agree ? "agree" : "differ"));
    }
    return found;
  }

  /// Returns the parameters of the job that does not combine operations. A job that does not
  /// combine operations is slow, so it has at most 400,000 operations.
  ordered::parameters uncombined() const {
    ordered::parameters alone = chosen_;
    alone.mode = combining_mode::none;
    alone.operations = std::min<std::uint64_t>(chosen_.operations, 400'000);
    alone.prefill = std::min(chosen_.prefill, prefill_for(alone));
    return alone;
  }

  measurements trial() {
    const auto found = job(chosen_);
    last_ = found;
    const auto& combined = found.combined;
    measurements measured = {
        {"rate", "operations/s", found.rate()},
        {"seconds", "s", found.seconds},
        {"operations_per_commit", "", combined.operations_per_commit()},
        {"matched_pairs", "", static_cast<double>(combined.matched_pairs)},
        {"requests_combined_at_master", "", combined.requests_combined_at_master()}};
    if (found.pops != 0) {
      const auto empty = static_cast<double>(found.empty_pops);
      measured.push_back({"empty_pops", "", empty / static_cast<double>(found.pops)});
    }
    if (flags_.alone) return measured;
    add_baseline(measured, found);
    if (chosen_.mix != 1) add_push_only(measured, found);
    return measured;
  }

  void add_baseline(measurements& measured, const ordered::outcome& found) {
    const bool is_baseline = chosen_.mode == combining_mode::none;
    const auto alone = is_baseline ? found : job_beside(uncombined());
    measured.push_back({"rate_none", "operations/s", alone.rate()});
    measured.push_back({"lone_nanoseconds", "ns", alone.lone_nanoseconds});
    measured.push_back({"none_by_round_trip", "", alone.rate() * alone.lone_nanoseconds * 1e-9});
    if (!is_baseline) measured.push_back({"factor_over_none", "", found.rate() / alone.rate()});
  }

  void add_push_only(measurements& measured, const ordered::outcome& found) {
    ordered::parameters push_only = chosen_;
    push_only.mix = 1;
    push_only.prefill = 0;
    const auto pushed = job_beside(push_only);
    measured.push_back({"rate_push_only", "operations/s", pushed.rate()});
    measured.push_back({"fraction_of_push_only", "", found.rate() / pushed.rate()});
  }

  // Returns the other programs that --compare runs and compares with this benchmark. Each program
  // that --compare runs has one thread per PE.
  std::vector<compared_program> programs(std::uint64_t pes) const {
    const auto with = [&](const std::string& program) {
      return std::vector<std::string>{program,
                                      "--structure",
                                      flags_.name(),
                                      "--mix",
                                      fmt::format("{}", flags_.mix),
                                      "--operations",
                                      std::to_string(chosen_.operations),
                                      "--prefill",
                                      std::to_string(chosen_.prefill),
                                      "--threads",
                                      std::to_string(pes)};
    };
    std::vector<compared_program> all = {{"peer:mutex", with("atoll-peer-mutex")}};
    if (flags_.structure == ordered::kind::queue) {
      all.push_back({"peer:onetbb", with("atoll-peer-onetbb")});
    } else {
      all.push_back({"peer:boost", with("atoll-peer-boost")});
    }
    return all;
  }

  void add_findings(report& result) const {
    result.verified(!wrong_);
    named_values sizes;
    std::string text;
    const auto& counted = last_.combined.batch_sizes;
    for (std::size_t i = 0; i < counted.size(); ++i) {
      if (counted[i] == 0) continue;
      sizes.emplace_back(std::to_string(std::uint64_t{1} << i), counted[i]);
      text += fmt::format("  {}+: {}", sizes.back().first, counted[i]);
    }
    result.section("batch_sizes", sizes);
    if (!text.empty()) result.line("commits by size of their batch:" + text);
  }

  const flags_of_ordered& flags_;
  settings options_;
  ordered::parameters chosen_;
  ordered::outcome last_;
  bool wrong_ = false;
};

constexpr const char* k_ordered_explanation =
    "\nSo many tasks on each PE (--workers, here 2048 by default), each of which pushes a sequence "
    "of\n"
    "its own or pops, at random. Always verified: everything pushed is popped once, sizes agree,\n"
    "a queue keeps the order of each task, and a stack gives back in the opposite one what is\n"
    "left in it at the end. Beside the mode asked for, each trial measures the\n"
    "same without combining (rate_none), and that over one operation a round trip\n"
    "(none_by_round_trip); where there are pops, also pushes alone.\n"
    "  operations_per_commit        operations over commits of the whole structure\n"
    "  matched_pairs                pushes and pops that answered each other without a message\n"
    "  requests_combined_at_master  in one commit, with --combining central or both\n\n";

void add_ordered(CLI::App& bench, command_context& context, ordered::kind structure) {
  const auto flags = std::make_shared<flags_of_ordered>();
  flags->structure = structure;
  auto& command = add_command(
      bench, context, flags->name(), fmt::format("Throughput of a global {}", flags->name()),
      [&context, flags] { return ordered_benchmark(*flags, context.settings).run(); });
  add_real_flag(command, "--mix", flags->mix, 0, 1, "The part of the operations that push");
  add_count_flag(command, "--operations", flags->operations, 0, 10'000'000'000,
                 "Operations in all; 0: as many as take a moment");
  add_count_flag(command, "--prefill", flags->prefill, 0, 1'000'000'000,
                 "Elements before the clock starts; 0: enough for the mix");
  add_switch(command, "--alone", flags->alone, "Measure nothing beside what is asked for");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_ordered_explanation +
                               fmt::format("  atoll bench {} --mix 0.5 --compare", flags->name()));
}

}  // namespace

void add_stack(CLI::App& bench, command_context& context) {
  add_ordered(bench, context, ordered::kind::stack);
}

void add_queue(CLI::App& bench, command_context& context) {
  add_ordered(bench, context, ordered::kind::queue);
}

}  // namespace atl::app
