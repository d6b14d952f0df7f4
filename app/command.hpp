#pragma once
// Declares what all commands of the program `atoll` share: the settings, and the action that the
// user chose. Only command.cpp includes CLI11, because CLI11 takes longer to compile than all
// commands together.

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

/// The state of the command line. The object exists until the program ends.
struct command_context {
  atl::settings settings;
  /// The arguments of the program including all settings, with a null pointer at the end.
  std::vector<char*> arguments;
  /// Text that --help-all adds to the help of a command.
  std::map<const CLI::App*, std::string> details;

  /// The action of the chosen command. The action runs after all flags were read, and returns the
  /// exit status of the program.
  std::function<int()> action;
};

/// Creates the parser for the command line of the program `name`, without commands.
std::shared_ptr<CLI::App> new_program(const std::string& help, const std::string& name = "atoll");

/// Adds a command. If the user chooses the command, `action` runs.
CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action);

/// Leaves the command out of the list in the help of its group, because this list must fit on a
/// screen.
void leave_out_of_list(CLI::App& command);

/// Adds a command with subcommands. If the user names no subcommand, the command lists all its
/// subcommands.
CLI::App& add_command_group(CLI::App& parent, command_context& context, const std::string& name,
                            const std::string& help);

/// Replaces this process by the program `file`, which is in the folder of the running program. The
/// arguments of the process stay the same. Throws `error` (environment) if the program `file`
/// cannot be started.
[[noreturn]] void become_program(const command_context& context, const std::string& file);

/// The help of the group `bench`, which both `atoll` and `atoll-bench` show.
inline const std::string k_bench_help =
    "Measure kernels and parts of the runtime; alone: list what can be measured";

/// Appends `text` to the help of the command.
void add_explanation(CLI::App& command, const std::string& text);

/// Appends `text` to the help of the command, and `details` to its --help-all.
void add_explanation(CLI::App& command, command_context& context, const std::string& text,
                     const std::string& details);

/// Titles of groups of flags that only --help-all shows.
inline const std::string k_settings_title = "Settings";
inline const std::string k_measurement_title = "Settings for measurements";
inline const std::string k_details_title = "Details";

/// Returns whether the command measures speed. A command measures speed if it belongs to the group
/// `bench`, or to the program `atoll-papers`, which repeats measurements of papers.
bool is_measuring(const CLI::App& command);

/// Parses the command line and runs the chosen command. Returns the exit status of the program: 0
/// for --help, and 2 for a wrong command line. If the command line is wrong, an explanation is
/// printed on standard error.
int run_command_line(CLI::App& root, command_context& context, int argc, char** argv);

}  // namespace atl::app
