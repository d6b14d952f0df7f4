#pragma once
// What the commands of the program `atoll` share: the settings, their flags, what to run in the
// end.

#include "atoll/base/namespace.hpp"
#include "atoll/base/settings.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atoll::app {

/// Lives from the start of the program to its end.
struct command_context {
  atoll::settings settings;

  /// What the chosen command does, once all flags are read; returns the exit status.
  std::function<int()> action;
};

/// Adds a command that does `action` when the user chose it.
CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action);

/// Gives the command the short flags of all settings: `--pes N` for `--atoll-pes N`. Bad values
/// throw `error` (input), as in the library.
void add_settings_flags(CLI::App& command, command_context& context);

/// A flag that takes a whole number within a range, its present value being the default. Complains
/// like the settings: "--scale: 99 is out of range (1 to 40)".
CLI::Option* add_count_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                            std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// As add_count_flag, for one number or several with commas between them.
CLI::Option* add_counts_flag(CLI::App& command, const std::string& flag,
                             std::vector<std::uint64_t>& values, std::uint64_t lowest,
                             std::uint64_t highest, const std::string& help);

/// As add_count_flag, for a size in bytes with its unit: "64KiB", "64MB".
CLI::Option* add_size_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                           std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// As add_count_flag, for a duration in nanoseconds with its unit: "100us", "10s".
CLI::Option* add_duration_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                               std::uint64_t lowest, std::uint64_t highest,
                               const std::string& help);

/// Parses the command line and runs the chosen command. Returns the exit status of the program:
/// 0 for --help, 2 for a wrong command line, which is explained on standard error.
int run_command_line(CLI::App& root, command_context& context, int argc, char** argv);

/// Thrown to end the program with a status whose reason has been said already, such as that of a
/// job that ended early.
struct ended {
  int status;
};

/// Runs `body`; what it throws is printed on standard error and becomes the exit status: that of an
/// `error`, 2 when memory ran out, 4 for anything else.
int guarded(const std::function<int()>& body);

}  // namespace atoll::app
