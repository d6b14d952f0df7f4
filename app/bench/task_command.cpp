// Implements the benchmarks of tasks, `atoll bench context-switch` and `atoll bench stealing`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"
#include "bench/context_switch.hpp"
#include "bench/stealing.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::app {
namespace {

namespace switches = bench::context_switch;

constexpr std::uint64_t k_most_threads = 10'000;
constexpr std::uint64_t k_most_fibers = 4'000'000;

struct flags_of_switches {
  benchmark_flags common;
  std::vector<std::uint64_t> tasks = {1'000, 500'000, 1'000'000};
  std::uint64_t switches = 20'000'000;
};

class switch_benchmark {
 public:
  switch_benchmark(const flags_of_switches& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    if (options_.pes != 0) return;
    options_.pes = 1;
    all_pes_ = read_topology().cores;
  }

  int run() {
    report result("context-switch", options_);
    result.parameter("tasks", flags_.tasks);
    result.parameter("switches", flags_.switches);
    run_trials(result, flags_.common, [this] { return trial(); }, programs());
    result.verified(wrong_tasks_ == 0);
    if (!result.wrong()) explain_memory(result);
    return publish(result, flags_.common);
  }

 private:
  // Returns the name of a metric. If the benchmark runs with several numbers of tasks, the name of
  // the metric ends with the number of tasks, as in rate_1000.
  std::string name(const std::string& metric, std::uint64_t tasks) const {
    return flags_.tasks.size() == 1 ? metric : fmt::format("{}_{}", metric, tasks);
  }

  switches::outcome job(std::uint64_t pes, std::uint64_t tasks) {
    settings options = options_;
    options.pes = pes;
    const switches::parameters chosen{.tasks = tasks, .switches = flags_.switches};
    const auto outcome = result_of_job(options, fmt::format("--tasks {}", tasks),
                                       [chosen] { return switches::measure(chosen); });
    wrong_tasks_ += outcome.wrong_tasks;
    return outcome;
  }

  measurements trial() {
    measurements measured;
    double total_switches = 0;
    double total_seconds = 0;
    for (const std::uint64_t tasks : flags_.tasks) {
      const auto outcome = job(options_.pes, tasks);
      total_switches += static_cast<double>(outcome.switches);
      total_seconds += outcome.seconds;
      measured.push_back({name("nanoseconds_per_switch", tasks), "ns",
                          1e9 * static_cast<double>(options_.pes) / outcome.rate()});
      if (flags_.tasks.size() > 1)
        measured.push_back({name("rate", tasks), "switches/s", outcome.rate()});
      if (all_pes_ > 1)
        measured.push_back(
            {name("rate_all_pes", tasks), "switches/s", job(all_pes_, tasks).rate()});
    }
    measured.push_back({"rate", "switches/s", total_switches / total_seconds});
    return measured;
  }

  // Returns the other programs that --compare runs and compares with this benchmark. Programs with
  // threads or fibers use one core, so they are compared only if the job has one PE.
  std::vector<compared_program> programs() const {
    std::vector<compared_program> all;
    for (const std::uint64_t tasks : flags_.tasks) {
      const auto add = [&](const std::string& peer, std::uint64_t most) {
        if (options_.pes == 1 && tasks <= most)
          all.push_back(
              {name("peer:" + peer, tasks),
               {"atoll-peer-" + peer, "--tasks", std::to_string(tasks), "--seconds", "0.3"}});
      };
      add("threads", k_most_threads);
      add("fibers", k_most_fibers);
    }
    const auto cores = std::to_string(all_pes_ > 1 ? all_pes_ : options_.pes);
    all.push_back({"memory_lines", {"atoll-limit-memory", "--processes", cores}});
    return all;
  }

  // Adds lines that compare the rate of context switches with the memory bandwidth. If there are
  // many tasks, the memory bandwidth limits the rate of context switches. Each line of output tells
  // how many cache lines the memory can transfer in the time of one context switch.
  void explain_memory(report& result) const {
    const auto lines = result.median("memory_lines");
    if (!lines) return;
    for (const std::uint64_t tasks : flags_.tasks) {
      const auto rate = result.median(name(all_pes_ > 1 ? "rate_all_pes" : "rate", tasks));
      result.line(fmt::format(
          "{} tasks: in the time of a switch, all PEs at once, memory reads and writes {} lines",
          tasks, human_number(*lines / *rate)));
    }
  }

  const flags_of_switches& flags_;
  settings options_;
  // Number of PEs of a second measurement, which is made if --pes is not given.
  std::uint64_t all_pes_ = 1;
  std::uint64_t wrong_tasks_ = 0;
};

constexpr const char* k_context_switch_explanation =
    "\nOne ready queue of tasks; each adds to its own cache line and yields. Without --pes it is\n"
    "measured on one PE, and then on all cores at once (rate_all_pes).\n"
    "With --compare the same is done by kernel threads (up to 10000) and by fibers of "
    "Boost.Context,\n"
    "and the cache lines that memory moves each second are measured: they bound the switches of\n"
    "many tasks.\n\n"
    "  atoll bench context-switch --tasks 500000 --compare";

}  // namespace

void add_context_switch(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_switches>();
  auto& command =
      add_command(bench, context, "context-switch", "Time from one task of a PE to the next",
                  [&context, flags] { return switch_benchmark(*flags, context.settings).run(); });
  add_counts_flag(command, "--tasks", flags->tasks, 1, 100'000'000, "Tasks on each PE");
  add_count_flag(command, "--switches", flags->switches, 1, 1'000'000'000'000,
                 "Switches of each PE that are timed");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_context_switch_explanation);
}

namespace {

namespace stealing = bench::stealing;

struct flags_of_stealing {
  benchmark_flags common;
  std::uint64_t tasks = 1'000'000;
  std::uint64_t work = 1'000;  // work per task, in nanoseconds
};

class stealing_benchmark {
 public:
  stealing_benchmark(const flags_of_stealing& flags, settings options)
      : flags_(flags), options_(std::move(options)) {
    chosen_.tasks = flags.tasks;
    chosen_.multiplications = stealing::multiplications_in(flags.work);
    if (options_.pes == 0) options_.pes = 2;
  }

  int run() {
    report result("stealing", options_);
    result.parameter("tasks", flags_.tasks);
    result.parameter("work_nanoseconds", flags_.work);
    run_trials(result, flags_.common, [this] { return trial(); });
    result.verified(wrong_jobs_ == 0);
    return publish(result, flags_.common);
  }

 private:
  stealing::outcome job(std::uint64_t pes) {
    settings options = options_;
    options.pes = pes;
    const auto outcome = result_of_job(options, fmt::format("--tasks {}", chosen_.tasks),
                                       [this] { return stealing::measure(chosen_); });
    if (outcome.executed != chosen_.tasks) ++wrong_jobs_;
    return outcome;
  }

  measurements trial() {
    const auto alone = job(1);
    const auto all = job(options_.pes);
    const double share = static_cast<double>(all.least_executed * options_.pes);
    return {{"rate", "tasks/s", all.rate()},
            {"seconds", "s", all.seconds},
            {"rate_one_pe", "tasks/s", alone.rate()},
            {"speed_up", "", all.rate() / alone.rate()},
            {"least_share", "", share / static_cast<double>(chosen_.tasks)},
            {"tasks_stolen", "tasks", static_cast<double>(all.stolen)},
            {"steals", "steals", static_cast<double>(all.steals)}};
  }

  const flags_of_stealing& flags_;
  settings options_;
  stealing::parameters chosen_;
  std::uint64_t wrong_jobs_ = 0;
};

constexpr const char* k_stealing_explanation =
    "\nStealable tasks, all spawned by one task of PE 0; each computes for the time --work. "
    "Verified\n"
    "is that each ran once. After one PE alone (rate_one_pe) all PEs do the same:\n"
    "  speed_up      rate over that of one PE\n"
    "  least_share   what the PE that ran the fewest tasks ran of its equal share\n"
    "  tasks_stolen  tasks that another PE took over, in so many steals\n\n"
    "  atoll bench stealing --tasks 1000000 --work 1us --pes 2";

}  // namespace

void add_stealing(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_stealing>();
  auto& command =
      add_command(bench, context, "stealing", "Spread of work that is born on one PE",
                  [&context, flags] { return stealing_benchmark(*flags, context.settings).run(); });
  add_count_flag(command, "--tasks", flags->tasks, 1, 1'000'000'000, "Tasks in all");
  add_duration_flag(command, "--work", flags->work, 0, 1'000'000'000, "What each computes");
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_stealing_explanation);
}

}  // namespace atl::app
