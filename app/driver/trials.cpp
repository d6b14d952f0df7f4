#include "app/driver/trials.hpp"

#include "app/driver/child_process.hpp"
#include "app/driver/output.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/output_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace atl::app {
namespace {

/// Runs `action`. If `action` throws an `error`, the function puts "--json: " before the message of
/// the error.
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

std::string beside_this_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

// Searches the lines of `output` for JSON objects with a rate and a unit, and returns the last of
// these objects.
nlohmann::ordered_json result_line(const std::string& name, const std::string& output) {
  std::istringstream lines(output);
  nlohmann::ordered_json result;
  for (std::string line; std::getline(lines, line);) {
    auto parsed = nlohmann::ordered_json::parse(line, nullptr, false);
    const bool complete = parsed.is_object() && parsed.contains("rate") &&
                          parsed["rate"].is_number() && parsed.contains("unit") &&
                          parsed["unit"].is_string();
    if (complete) result = std::move(parsed);
  }
  if (result.is_null()) fail(errc::environment, "{} printed no rate", name);
  return result;
}

}  // namespace

std::vector<std::string> mpi_launcher(std::uint64_t processes) {
  const std::string mpirun = find_in_path("mpirun");
  if (mpirun.empty()) return {};
  // By default, Open MPI refuses to start more processes than cores, and to run as root. In
  // containers, programs usually run as root. With the variables OMPI_..., Open MPI runs as root
  // and starts more processes than cores. MPICH ignores variables of Open MPI.
  return {"env",
          "OMPI_ALLOW_RUN_AS_ROOT=1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
          "OMPI_MCA_rmaps_base_oversubscribe=1",
          mpirun,
          "-n",
          std::to_string(processes)};
}

bool is_built(const compared_program& program) {
  return access(beside_this_program(program.command.front()).c_str(), X_OK) == 0;
}

nlohmann::ordered_json run_program(const compared_program& program,
                                   const std::optional<cpu_set_t>& processors) {
  const std::string& name = program.command.front();
  std::vector<std::string> command = program.launcher;
  command.push_back(beside_this_program(name));
  command.insert(command.end(), program.command.begin() + 1, program.command.end());
  const auto result = run_child(command, processors);
  if (result.status != 0) fail(errc::environment, "{} ended with status {}", name, result.status);
  return result_line(name, result.output);
}

void trial_series::add_time(const compared_program& program, double nanoseconds) {
  const std::string name = program.metric.substr(program.metric.find(':') + 1);
  result_.add({"nanoseconds_" + name, "ns", nanoseconds});
  const auto own = result_.last("nanoseconds");
  if (own) result_.add({"times_" + name, "", *own / nanoseconds});
}

void trial_series::run_compared(const compared_program& program) {
  const auto line = run_program(program, processors_);
  result_.section("programs")[program.metric].push_back(line);
  if (program.figure == "nanoseconds") return add_time(program, line.value("nanoseconds", 0.0));
  const double rate = line["rate"];
  result_.add({program.metric, line["unit"], rate});
  const auto own = result_.last("rate");
  if (program.metric == "limit" && own) result_.add({"fraction_of_limit", "", *own / rate});
  if (line.contains("rate_sorted")) add_sorted(program, line["rate_sorted"], line["unit"]);
}

void trial_series::add_sorted(const compared_program& program, double rate,
                              const std::string& unit) {
  result_.add({program.metric + "_sorted", unit, rate});
  const auto own = result_.last("rate_sorted");
  if (program.metric == "limit" && own) result_.add({"fraction_of_limit_sorted", "", *own / rate});
}

void add_benchmark_flags(CLI::App& command, benchmark_flags& flags) {
  add_switch(command, "--verify", flags.verify, "Check the result; a wrong one is exit status 1");
  add_text_flag(command, "--json", "FILE", flags.json,
                "Write the result as JSON; - is standard output");
  if (!flags.measures) return;
  add_count_flag(command, "--trials", flags.trials, 1, 10000,
                 "Timed repetitions, after an untimed one");
  add_switch(command, "--compare", flags.compare,
             "Also run the limit program and the peers that are built, between the trials");
}

trial_series::trial_series(report& result, const benchmark_flags& flags,
                           const std::vector<compared_program>& programs)
    : result_(result),
      measures_(flags.measures),
      trials_(flags.measures ? flags.trials : 1),
      processors_(present_processors()) {
  refuse_shared_files({}, {{"--json", flags.json},
                           {"--metrics", result.metrics_file()},
                           {"--trace", result.trace_file()}});
  check_json_file(flags.json);
  if (!measures_) {
    result.becomes_answer();
    number_ = 0;
    return;
  }
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
  if (measures_) progress_.show(title());
  return true;
}

std::string trial_series::title() const {
  return warming_up() ? "warming up" : fmt::format("trial {} of {}", number_, trials_);
}

void trial_series::show(std::string_view progress) {
  if (number_ < 0 || !measures_) {
    progress_.show(progress);
  } else {
    progress_.show(fmt::format("{}: {}", title(), progress));
  }
}

void trial_series::end(const measurements& measured) {
  if (warming_up()) return;
  if (!measures_) {
    const auto seconds = std::ranges::find(measured, "seconds", &measurement::name);
    if (seconds != measured.end()) result_.add(*seconds);
    return;
  }
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

int publish(const report& result, const benchmark_flags& flags) {
  const std::string json = flags.json.empty() ? "" : result.json_text();
  std::cout << (flags.json == "-" ? json : result.text()) << std::flush;
  if (!json.empty() && flags.json != "-") write_json(flags.json, json);
  return result.wrong() ? 1 : 0;
}

}  // namespace atl::app
