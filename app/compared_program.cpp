// Programs to measure beside a benchmark: where they are, how they start, what they say.

#include "app/benchmark.hpp"
#include "app/child_process.hpp"
#include "atoll/error.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace atl::app {
namespace {

std::string beside_this_program(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

// The last line of the output that is a JSON object with a rate and its unit.
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
  // Open MPI by itself refuses the user root, which is usual in containers, and more processes than
  // cores; MPICH does not know these variables.
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

}  // namespace atl::app
