// Implements `atoll bench event-latency`, `atoll bench event-throughput`, and
// `atoll bench reservations`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "bench/event_latency.hpp"
#include "bench/event_throughput.hpp"
#include "bench/reservations.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace latency = bench::event_latency;
namespace throughput = bench::event_throughput;

constexpr std::uint64_t k_usual_inputs = 2'000'000;
constexpr std::uint64_t k_most_usual_levels = 50'000;

struct flags_of_events {
  benchmark_flags common;
  std::uint64_t events = 200'000;
  std::uint64_t fan = 16;
  std::uint64_t levels = 0;
  std::uint64_t tracks = 1;
};

settings on_one_pe_by_default(settings options) {
  if (options.pes == 0 && !job::present_launch()) options.pes = 1;
  return options;
}

void say_wrong(std::uint64_t events) {
  log::write(log_level::error,
             fmt::format("wrong result: {} events have triggered too early or not at all", events));
}

class latency_benchmark {
 public:
  latency_benchmark(const flags_of_events& flags, const settings& options)
      : flags_(flags), options_(on_one_pe_by_default(options)) {}

  int run() {
    report result("event-latency", options_);
    result.parameter("events", flags_.events);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(wrong_events_ == 0);
    return publish(result, flags_.common);
  }

 private:
  measurements trial() {
    const auto found = result_of_job(options_, fmt::format("--events {}", flags_.events),
                                     [this] { return latency::measure(flags_.events); });
    if (found.out_of_order != 0) say_wrong(found.out_of_order);
    wrong_events_ += found.out_of_order;
    const auto events = static_cast<double>(found.events);
    return {{"nanoseconds_per_trigger", "ns", 1e9 * found.seconds / events},
            {"nanoseconds_per_creation", "ns", 1e9 * found.creation_seconds / events},
            {"rate", "events/s", events / found.seconds},
            {"seconds", "s", found.seconds}};
  }

  const flags_of_events& flags_;
  settings options_;
  std::uint64_t wrong_events_ = 0;
};

class throughput_benchmark {
 public:
  throughput_benchmark(const flags_of_events& flags, const settings& options)
      : flags_(flags), options_(on_one_pe_by_default(options)) {
    chosen_.fan = flags.fan;
    chosen_.tracks = flags.tracks;
    const std::uint64_t usual = k_usual_inputs / (flags.fan * flags.fan * flags.tracks);
    chosen_.levels =
        flags.levels != 0 ? flags.levels : std::clamp<std::uint64_t>(usual, 4, k_most_usual_levels);
  }

  int run() {
    report result("event-throughput", options_);
    result.parameter("fan", chosen_.fan);
    result.parameter("levels", chosen_.levels);
    result.parameter("tracks", chosen_.tracks);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(wrong_events_ == 0);
    return publish(result, flags_.common);
  }

 private:
  measurements trial() {
    const auto found = result_of_job(options_,
                                     fmt::format("--fan {} --levels {} --tracks {}", chosen_.fan,
                                                 chosen_.levels, chosen_.tracks),
                                     [this] { return throughput::measure(chosen_); });
    if (found.wrong != 0) say_wrong(found.wrong);
    wrong_events_ += found.wrong;
    return {{"rate", "inputs/s", found.rate()},
            {"event_rate", "events/s", static_cast<double>(found.events) / found.seconds},
            {"creation_part", "", found.creation_seconds / found.seconds},
            {"seconds", "s", found.seconds}};
  }

  const flags_of_events& flags_;
  settings options_;
  throughput::parameters chosen_;
  std::uint64_t wrong_events_ = 0;
};

constexpr const char* k_latency_explanation =
    "\nA chain of so many events around the ring of PEs: the first PE makes a user event and "
    "passes\n"
    "it on, each next PE makes an event that is triggered when the one it got is, and passes that\n"
    "on. Measured is the time from triggering the first to the trigger of the last, and beside it\n"
    "that of making the chain. Always verified: the last triggers, and then all others have.\n\n"
    "  atoll bench event-latency --pes 2 --events 200000";

constexpr const char* k_throughput_explanation =
    "\nLevels of --fan events, spread evenly over the PEs; every event of a level waits for all "
    "of\n"
    "the level before. --tracks are so many of these beside each other: with one, and few events "
    "a\n"
    "level, PEs wait for messages. rate counts inputs: events times fan. The time includes making\n"
    "the events and telling all PEs of them (creation_part). Always verified: without one event "
    "of\n"
    "the first level of a track none of its others triggers, with it all do.\n\n"
    "  atoll bench event-throughput --pes 2 --fan 16";

}  // namespace

void add_event_latency(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_events>();
  auto& command =
      add_command(bench, context, "event-latency", "Time from an event to one that depends on it",
                  [&context, flags] { return latency_benchmark(*flags, context.settings).run(); });
  add_count_flag(command, "--events", flags->events, 1, 50'000'000, "Length of the chain");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_latency_explanation);
}

void add_event_throughput(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_events>();
  auto& command =
      add_command(bench, context, "event-throughput", "Merged events a second", [&context, flags] {
        return throughput_benchmark(*flags, context.settings).run();
      });
  add_count_flag(command, "--fan", flags->fan, 1, 65'536, "Events of a level, and inputs of each");
  add_count_flag(command, "--levels", flags->levels, 0, 50'000'000,
                 "Levels; 0: as many as make two million inputs, 50,000 at most");
  add_count_flag(command, "--tracks", flags->tracks, 1, 65'536, "Such levels, beside each other");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_throughput_explanation);
}

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
