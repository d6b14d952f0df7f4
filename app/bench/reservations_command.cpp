// Implements `atoll bench reservations`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/reservations.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace reservations = bench::reservations;

struct flags_of_reservations {
  benchmark_flags common;
  reservations::parameters chosen;
};

class reservations_benchmark {
 public:
  reservations_benchmark(const flags_of_reservations& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes == 0 && !job::present_launch()) options_.pes = 1;
  }

  int run() {
    report result("reservations", options_);
    result.parameter("per_pe", flags_.chosen.per_pe);
    result.parameter("chains", flags_.chosen.chains);
    result.parameter("length", flags_.chosen.length);
    result.parameter("unfairness", options_.value("unfairness"));
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(right_);
    return publish(result, flags_.common);
  }

 private:
  measurements trial() {
    const auto found =
        result_of_job(options_,
                      fmt::format("--per-pe {} --chains {} --length {}", flags_.chosen.per_pe,
                                  flags_.chosen.chains, flags_.chosen.length),
                      [this] { return reservations::measure(flags_.chosen); });
    check(found.wrong_grants == 0, found.wrong_grants, "grants too many or too few");
    check(found.lost_counts == 0, found.lost_counts, "counts lost under a reservation");
    check(found.counted.most_overtaken <= options_.unfairness, found.counted.most_overtaken,
          "requests overtook one of another PE (--unfairness)");
    const auto grants = static_cast<double>(found.grants);
    return {
        {"rate", "grants/s", grants / (found.creation_seconds + found.seconds)},
        {"rate_of_grants", "grants/s", grants / found.seconds},
        {"creation_part", "", found.creation_seconds / (found.creation_seconds + found.seconds)},
        {"migrations_per_grant", "", static_cast<double>(found.counted.migrations) / (2 * grants)},
        {"most_overtaken", "", static_cast<double>(found.counted.most_overtaken)},
        {"seconds", "s", found.creation_seconds + found.seconds}};
  }

  void check(bool is_right, std::uint64_t number, const char* what) {
    if (is_right) return;
    right_ = false;
    log::write(log_level::error, fmt::format("wrong result: {} {}", number, what));
  }

  const flags_of_reservations& flags_;
  settings options_;
  bool right_ = true;
};

constexpr const char* k_reservations_explanation =
    "\nEach PE makes --per-pe reservations and tells all. A chain is --length acquisitions, each "
    "with\n"
    "its release, which events put one after the other; each is of a reservation picked at random\n"
    "from those of all PEs. All chains start with one event. rate counts grants and includes "
    "making\n"
    "the chains, rate_of_grants goes from the start to the end of the last chain. Always "
    "verified:\n"
    "the number of grants, counters that reservations protect, and the bound --unfairness.\n\n"
    "  atoll bench reservations --pes 2 --per-pe 16 --unfairness 0";

}  // namespace

void add_reservations(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_reservations>();
  auto& command = add_command(
      bench, context, "reservations", "Locks that are acquired and released by events",
      [&context, flags] { return reservations_benchmark(*flags, context.settings).run(); });
  add_count_flag(command, "--per-pe", flags->chosen.per_pe, 1, 1'000'000,
                 "Reservations that each PE makes");
  add_count_flag(command, "--chains", flags->chosen.chains, 1, 1'000'000, "Chains of all PEs");
  add_count_flag(command, "--length", flags->chosen.length, 1, 1'000'000,
                 "Acquisitions of a chain");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_reservations_explanation);
}

}  // namespace atl::app
