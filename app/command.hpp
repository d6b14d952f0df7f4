#pragma once
// What the commands of the program `atoll` share: the settings, and what to run in the end. Only
// command.cpp knows CLI11, which takes longer to compile than all commands.

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

/// Lives from the start of the program to its end.
struct command_context {
  atl::settings settings;
  std::vector<char*> arguments;  ///< of the program, with all settings; a null pointer ends them
  std::map<const CLI::App*, std::string> details;  ///< what --help-all says of a command at the end

  /// What the chosen command does, once all flags are read; returns the exit status.
  std::function<int()> action;
};

/// The program `atoll` or another of this name, so far without commands.
std::shared_ptr<CLI::App> new_program(const std::string& help, const std::string& name = "atoll");

/// Adds a command that does `action` when the user chose it.
CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action);

/// Adds a command that has commands of its own; alone it lists them.
CLI::App& add_command_group(CLI::App& parent, command_context& context, const std::string& name,
                            const std::string& help);

/// Carries out a command in another program, `file` in the same folder, which replaces this process
/// and gets all arguments. Throws `error` (environment) where there is none.
[[noreturn]] void become_program(const command_context& context, const std::string& file);

/// The help of `bench`, which two programs show.
inline const std::string k_bench_help =
    "Measure kernels and parts of the runtime; alone: list what can be measured";

/// Ends the help of the command with this text.
void add_explanation(CLI::App& command, const std::string& text);

/// The same, with more that only --help-all shows.
void add_explanation(CLI::App& command, command_context& context, const std::string& text,
                     const std::string& details);

/// The titles in the help of flags that only --help-all shows.
inline const std::string k_settings_title = "Settings";
inline const std::string k_details_title = "Details";

/// Parses the command line and runs the chosen command. Returns the exit status of the program:
/// 0 for --help, 2 for a wrong command line, which is explained on standard error.
int run_command_line(CLI::App& root, command_context& context, int argc, char** argv);

}  // namespace atl::app
