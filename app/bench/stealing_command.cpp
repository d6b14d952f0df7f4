// Implements `atoll bench stealing`.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/trials.hpp"
#include "app/flags.hpp"
#include "atoll/log.hpp"
#include "bench/stealing.hpp"

#include <fmt/format.h>
#include <memory>

namespace atl::app {
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
