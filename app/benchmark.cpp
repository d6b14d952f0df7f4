#include "app/benchmark.hpp"

#include "app/command.hpp"
#include "app/progress_line.hpp"
#include "atoll/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <unistd.h>

namespace atoll::app {
namespace {

namespace fs = std::filesystem;

// Found before the work, not after it.
void check_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  const fs::path folder = fs::absolute(file).parent_path();
  const bool exists = fs::exists(file);
  if (access(exists ? file.c_str() : folder.c_str(), W_OK) != 0 || fs::is_directory(file))
    fail(errc::input, "--json: cannot write {}: {}", file,
         fs::is_directory(file) ? "it is a directory" : std::strerror(errno));
}

void add_rate_per_core(report& result, const measurements& trial) {
  const auto named = [&](std::string_view name) {
    return std::ranges::find(trial, name, &measurement::name);
  };
  const auto rate = named("rate");
  if (rate == trial.end() || named("rate_per_core") != trial.end()) return;
  result.add({"rate_per_core", rate->unit, rate->value / double(result.busy_cores())});
}

void run_compared(report& result, const compared_program& program) {
  const auto line = run_program(program);
  const double rate = line["rate"];
  result.add({program.metric, line["unit"], rate});
  result.section("programs")[program.metric].push_back(line);
  const auto own = result.last("rate");
  if (program.metric == "limit" && own) result.add({"fraction_of_limit", "", *own / rate});
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

}  // namespace

void add_benchmark_flags(CLI::App& command, benchmark_flags& flags) {
  add_count_flag(command, "--trials", flags.trials, 1, 10000,
                 "Timed repetitions, after an untimed one");
  command.add_flag("--verify", flags.verify, "Check the result; a wrong one is exit status 1");
  command.add_flag("--compare", flags.compare,
                   "Also run the limit program and the peers that are built, between the trials");
  command.add_option("--json", flags.json, "Write the result as JSON; - is standard output")
      ->type_name("FILE");
}

void run_trials(report& result, const benchmark_flags& flags, const trial_function& trial,
                const std::vector<compared_program>& programs) {
  check_writable(flags.json);
  const auto compared =
      flags.compare ? built_ones(result, programs) : std::vector<compared_program>();
  result.parameter("trials", flags.trials);
  progress_line progress;
  progress.show("warming up");
  trial();
  for (std::uint64_t number = 1; number <= flags.trials; ++number) {
    progress.show(fmt::format("trial {} of {}", number, flags.trials));
    const auto measured = trial();
    result.add(measured);
    add_rate_per_core(result, measured);
    for (const auto& program : compared) {
      progress.show(fmt::format("trial {} of {}: {}", number, flags.trials, program.metric));
      run_compared(result, program);
    }
  }
}

int publish(const report& result, const benchmark_flags& flags) {
  const std::string json = flags.json.empty() ? "" : result.json().dump(2) + '\n';
  std::cout << (flags.json == "-" ? json : result.text()) << std::flush;
  if (!json.empty() && flags.json != "-") {
    std::ofstream file(flags.json);
    file << json << std::flush;
    if (!file) fail(errc::environment, "--json: cannot write {}", flags.json);
  }
  return result.wrong() ? 1 : 0;
}

}  // namespace atoll::app
