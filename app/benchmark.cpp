#include "app/benchmark.hpp"

#include "app/child_process.hpp"
#include "app/flags.hpp"
#include "app/output_checks.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace atl::app {
namespace {

/// What `action` throws names the flag.
template <class Action>
void for_json(Action action) try {
  action();
} catch (const error& refusal) {
  fail(refusal.code(), "--json: {}", refusal.what());
}

void add_rate_per_core(report& result, const measurements& trial) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(trial, name, &measurement::name);
  };
  const auto rate = named("rate");
  if (rate == trial.end() || named("rate_per_core") != trial.end()) return;
  result.add({"rate_per_core", rate->unit, rate->value / double(result.busy_cores())});
}

std::vector<compared_program> built_ones(report& result,
                                         const std::vector<compared_program>& programs) {
  std::vector<compared_program> built;
  for (const auto& program : programs) {
    if (is_built(program))
      built.push_back(program);
    else
      result.line(
          fmt::format("{} is left out: {} is not built", program.metric, program.command.front()));
  }
  return built;
}

void say_if_oversubscribed(report& result, bool compared) {
  if (result.pes() <= result.busy_cores()) return;
  result.line(fmt::format("oversubscribed: {} PEs on {} cores{}", result.pes(), result.busy_cores(),
                          compared ? "; peers that wait busily are slow there" : ""));
}

}  // namespace

void add_benchmark_flags(CLI::App& command, benchmark_flags& flags) {
  add_count_flag(command, "--trials", flags.trials, 1, 10000,
                 "Timed repetitions, after an untimed one");
  add_switch(command, "--verify", flags.verify, "Check the result; a wrong one is exit status 1");
  add_switch(command, "--compare", flags.compare,
             "Also run the limit program and the peers that are built, between the trials");
  add_text_flag(command, "--json", "FILE", flags.json,
                "Write the result as JSON; - is standard output");
}

trial_series::trial_series(report& result, const benchmark_flags& flags,
                           const std::vector<compared_program>& programs)
    : result_(result), trials_(flags.trials), processors_(present_processors()) {
  check_json_file(flags.json);
  if (flags.compare && job::is_one_of_ranks())
    fail(errc::input,
         "--compare: the other programs start their own processes, so it works without "
         "a launcher only");
  if (flags.compare && result.virtual_time())
    fail(errc::input, "--compare: the other programs run by the machine's clock, and --transport "
                      "sim by a virtual one");
  if (flags.compare) programs_ = built_ones(result, programs);
  say_if_oversubscribed(result, flags.compare);
  result.parameter("trials", flags.trials);
  if (result.virtual_time()) number_ = 0;
}

bool trial_series::begin() {
  if (number_ == static_cast<std::int64_t>(trials_)) {
    progress_.clear();
    return false;
  }
  ++number_;
  progress_.show(title());
  return true;
}

std::string trial_series::title() const {
  return warming_up() ? "warming up" : fmt::format("trial {} of {}", number_, trials_);
}

void trial_series::show(std::string_view progress) {
  if (number_ < 0) {
    progress_.show(progress);
  } else {
    progress_.show(fmt::format("{}: {}", title(), progress));
  }
}

void trial_series::end(const measurements& measured) {
  if (warming_up()) return;
  result_.add(measured);
  add_rate_per_core(result_, measured);
  for (const auto& program : programs_) {
    show(program.metric);
    run_compared(program);
  }
}

void run_trials(report& result, const benchmark_flags& flags, const trial_function& trial,
                const std::vector<compared_program>& programs) {
  trial_series trials(result, flags, programs);
  while (trials.begin()) trials.end(trial());
}

void check_json_file(const std::string& file) {
  if (file.empty() || file == "-" || is_on_other_rank()) return;
  for_json([&] { check_output(file, output_to::anything); });
}

void write_json(const std::string& file, const std::string& json) {
  for_json([&] {
    output_file out(file, output_to::anything);
    out.write(json);
    out.commit();
  });
}

int publish(const report& result, const benchmark_flags& flags,
            const std::function<void()>& commit) {
  const std::string json = flags.json.empty() ? "" : result.json_text();
  std::cout << (flags.json == "-" ? json : result.text()) << std::flush;
  if (commit) commit();
  if (!json.empty() && flags.json != "-") write_json(flags.json, json);
  return result.wrong() ? 1 : 0;
}

}  // namespace atl::app
