#pragma once
// Runs the program `atoll` as a user starts it, from the folder of the tests.

#include "app/driver/child_process.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace atl::app {

/// Returns the path of a program in the folder of the tests.
inline std::filesystem::path program_file(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}
inline bool is_there(const std::string& program) {
  return std::filesystem::exists(program_file(program));
}

/// Runs a shell command in which $p is the program `atoll` and $papers is `atoll-papers`.
inline child_result shell_apart(const std::string& command) {
  return run_child({"sh", "-c",
                    "p=" + program_file("atoll").string() +
                        "; papers=" + program_file("atoll-papers").string() + "; " + command});
}

/// Runs a shell command like `shell_apart`, but captures standard error together with the output.
inline child_result shell(const std::string& command) {
  return shell_apart("exec 2>&1; " + command);
}

/// Expects that the command ends with `status`, and that its output contains `part`.
inline void expect(const std::string& command, int status, const std::string& part) {
  const auto result = shell(command);
  EXPECT_EQ(result.status, status) << command << "\n" << result.output;
  EXPECT_NE(result.output.find(part), std::string::npos) << command << "\n" << result.output;
}

/// Expects that the command ends with status 2, and prints only the error `line`.
inline void expect_refusal(const std::string& command, const std::string& line) {
  const auto result = shell(command);
  EXPECT_EQ(result.status, 2) << command << "\n" << result.output;
  EXPECT_EQ(result.output, "atoll: error: " + line + "\n") << command;
}

/// Expects status 2 and a single line of error that contains all of `parts`.
inline void expect_refused(const std::string& command, const std::vector<std::string>& parts) {
  const auto result = shell(command);
  EXPECT_EQ(result.status, 2) << command << "\n" << result.output;
  const auto line = result.output.find("atoll: error: ");
  ASSERT_NE(line, std::string::npos) << command << "\n" << result.output;
  const std::string error = result.output.substr(line, result.output.find('\n', line) - line);
  for (const std::string& part : parts)
    EXPECT_NE(error.find(part), std::string::npos) << command << "\n" << error;
}

/// Runs the command with `--json -`, which must end with status 0, and returns the JSON.
inline nlohmann::json json_of(const std::string& command) {
  const auto result = shell_apart(command + " --json -");
  EXPECT_EQ(result.status, 0) << command;
  auto json = nlohmann::json::parse(result.output, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << command << "\n" << result.output;
  return json;
}

/// The flags of a job on the simulated cluster.
inline const std::string k_cluster =
    " --pes 6 --transport sim --sim-model grappa2014 --sim-node-size 2 --trials 1";

/// Runs the command on the simulated cluster with two seeds. Expects that the results are right,
/// and that both runs take the same virtual time.
inline void expect_same_virtual_time(const std::string& kernel) {
  const std::string command = kernel + k_cluster + " --verify";
  const auto json = json_of(command);
  EXPECT_EQ(json["verified"], true) << kernel;
  EXPECT_EQ(json["host"]["transport"], "sim") << kernel;
  EXPECT_GT(json["metrics"]["seconds"]["median"], 0) << kernel;
  const auto again = json_of(command + " --sim-seed 7");
  // The amount of memory is measured and not simulated, so the two runs may use different amounts
  // of memory.
  for (const std::string metric : {"rate", "seconds"})
    EXPECT_EQ(again["metrics"][metric], json["metrics"][metric]) << kernel;
}

}  // namespace atl::app
