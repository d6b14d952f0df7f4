#pragma once
// Runs the program `atoll` as a user starts it, from the folder of the tests.

#include "app/driver/child_process.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

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

/// Runs the command with `--json -`, which must end with status 0, and returns the JSON.
inline nlohmann::json json_of(const std::string& command) {
  const auto result = shell_apart(command + " --json -");
  EXPECT_EQ(result.status, 0) << command;
  auto json = nlohmann::json::parse(result.output, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << command << "\n" << result.output;
  return json;
}

}  // namespace atl::app
