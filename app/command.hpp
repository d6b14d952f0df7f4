#pragma once
// Declares what the commands of the program `atoll` share: the settings, and the action to run.
// Only command.cpp includes CLI11, which takes longer to compile than all commands.

#include "atoll/settings.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace atl::app {

/// The state of the command line. The object lives until the program ends.
struct command_context {
  atl::settings settings;
  std::vector<char*> arguments;  ///< the program's argv with all settings, ended by a null pointer
  std::map<const CLI::App*, std::string> details;  ///< text that --help-all appends to the help

  /// The action of the chosen command, run after all flags are read. The action returns the exit
  /// status.
  std::function<int()> action;
};

/// Creates a command line for the program `name`, without commands.
std::shared_ptr<CLI::App> new_program(const std::string& help, const std::string& name = "atoll");

/// Adds a command that runs `action` when the user chooses the command.
CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action);

/// Adds a command with subcommands. Without a subcommand, the command lists all of them.
CLI::App& add_command_group(CLI::App& parent, command_context& context, const std::string& name,
                            const std::string& help);

/// Replaces this process by the program `file` of the same folder, with the same arguments. Throws
/// `error` (environment) if the file does not exist.
[[noreturn]] void become_program(const command_context& context, const std::string& file);

/// The help of `bench`, shown by `atoll` and by `atoll-bench`.
inline const std::string k_bench_help =
    "Measure kernels and parts of the runtime; alone: list what can be measured";

/// Appends `text` to the help of the command.
void add_explanation(CLI::App& command, const std::string& text);

/// Appends `text` to the help of the command, and `details` to its --help-all.
void add_explanation(CLI::App& command, command_context& context, const std::string& text,
                     const std::string& details);

/// Titles of the groups of flags that only --help-all shows.
inline const std::string k_settings_title = "Settings";
inline const std::string k_measurement_title = "Settings for measurements";
inline const std::string k_details_title = "Details";

/// Returns whether the command measures: a command of `bench`, or of the program that reproduces
/// papers.
bool is_measuring(const CLI::App& command);

/// Parses the command line and runs the chosen command. Returns the exit status of the program: 0
/// for --help, 2 for a wrong command line, after an explanation on standard error.
int run_command_line(CLI::App& root, command_context& context, int argc, char** argv);

}  // namespace atl::app
