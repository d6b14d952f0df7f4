#include "app/command.hpp"

#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace atl::app {
namespace {

// Returns the innermost subcommand that the user named.
CLI::App& chosen(CLI::App& root) {
  CLI::App* command = &root;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) {
  const auto* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + ' ' + command.get_name();
}

std::vector<std::string> known_flags(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) flags.push_back("--" + name);
  return flags;
}

std::vector<std::string> known_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* child : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(child->get_name());
  return names;
}

const CLI::App* command_named(const CLI::App& parent, const std::string& name) {
  const auto named = parent.get_subcommands(
      [&name](const CLI::App* command) { return command->get_name() == name; });
  return named.empty() ? nullptr : named.front();
}

// Returns the command of the group `bench` that has this name, or null.
const CLI::App* benchmark_named(const CLI::App& root, const std::string& name) {
  const auto* const bench = command_named(root, "bench");
  return bench == nullptr ? nullptr : command_named(*bench, name);
}

// Throws `error` (input) if a benchmark fits the argument `word`, which `command` has rejected. If
// `command` is the whole program, the benchmark with the name `word` fits. Otherwise, the benchmark
// with the name of `command` fits if `word` is one of its flags. The error message names the
// benchmark that the user can run instead of `command`.
void point_at_benchmark(const CLI::App& root, const CLI::App& command, const std::string& word) {
  if (&command == &root) {
    if (benchmark_named(root, word) != nullptr)
      fail(errc::input, "unknown command {}: it measures, so it is atoll bench {}", word, word);
    return;
  }
  const auto* const benchmark = benchmark_named(root, command.get_name());
  if (benchmark == nullptr || benchmark == &command) return;
  if (std::ranges::count(known_flags(*benchmark), word) > 0)
    fail(errc::input, "{} is for measuring: {} answers, and atoll bench {} has this flag", word,
         full_name(command), command.get_name());
}

[[noreturn]] void unknown(std::string_view what, const std::string& word, const CLI::App& command,
                          const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  if (nearest == word) fail(errc::input, "{} belongs behind {}", word, full_name(command));
  const std::string advice = nearest.empty() ? fmt::format("see {} --help", full_name(command))
                                             : fmt::format("did you mean {}?", nearest);
  fail(errc::input, "unknown {} {}, {}", what, word, advice);
}

// Throws `error` for the first argument that matches no flag and no command.
void complain_about_rest(CLI::App& root) {
  const auto rest = root.remaining(true);
  if (rest.empty()) return;
  const CLI::App& command = chosen(root);
  const std::string word = rest.front().substr(0, rest.front().find('='));
  point_at_benchmark(root, command, word);
  if (word.starts_with('-') && word != "-") unknown("flag", word, command, known_flags(command));
  const auto commands = known_commands(command);
  if (!commands.empty()) unknown("command", word, command, commands);
  fail(errc::input, "unexpected argument {}, see {} --help", rest.front(), full_name(command));
}

// Formats the help so that it fits on one screen. The help does not mark flags that exclude each
// other, and separates groups of flags by one blank line.
class short_help : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (option->get_type_size() != 0 && !option->get_type_name().empty())
      text += ' ' + option->get_type_name();
    if (!option->get_default_str().empty()) text += '=' + option->get_default_str();
    return text;
  }

  std::string make_group(std::string title, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    const std::string text = CLI::Formatter::make_group(title, is_positional, std::move(options));
    return is_positional || title == "Options" ? text : text.substr(1);
  }
};

constexpr const char* k_exit_statuses =
    "Exit status: 0 right, 1 a wrong result, 2 input or machine, 3 a hang, 4 an exception,\n"
    "128 + signal where a PE died. `atoll options` lists all settings.";

bool is_for_all(const std::string& title) {
  return title == k_settings_title || title == k_measurement_title || title == k_details_title;
}

// Arranges the help of `command`. If `all` is true, appends the text that only --help-all shows. If
// `all` is false, hides the flags that only --help-all shows.
void arrange_help(CLI::App& command, const command_context& context, bool all) {
  if (command.get_parent() == nullptr) command.footer(k_exit_statuses);
  if (all) {
    const auto details = context.details.find(&command);
    if (details != context.details.end())
      command.footer(command.get_footer() + "\n\n" + details->second);
    return;
  }
  if (command.get_parent() != nullptr && !known_commands(command).empty())
    // The help of a group lists the commands of the group, but not the flag --help.
    command.get_help_ptr()->group("");
  for (CLI::Option* const option : command.get_options())
    if (is_for_all(option->get_group())) option->group("");
}

// Replaces every argument --help-all by --help, the flag that CLI11 knows. Returns whether the
// command line had an argument --help-all.
bool take_help_all(int argc, char** argv) {
  static char help[] = "--help";
  bool found = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--help-all") continue;
    argv[i] = help;
    found = true;
  }
  return found;
}

// Hides --help in the help of a group of commands. A group that the user calls without arguments
// prints its help anyway, so the flag --help is not needed.
void hide_help_flag(CLI::App& group) { group.get_help_ptr()->group(""); }

int explain(CLI::App& root, const command_context& context, const CLI::ParseError& wrong,
            bool help_all) {
  if (wrong.get_exit_code() == 0) {  // the exit status is 0 for --help and --version
    CLI::App& command = chosen(root);
    const bool is_group = !known_commands(command).empty();
    if (is_group) complain_about_rest(root);
    if (is_group && &command != &root) hide_help_flag(command);
    arrange_help(command, context, help_all);
    return root.exit(wrong);
  }
  complain_about_rest(root);
  if (dynamic_cast<const CLI::RequiredError*>(&wrong) != nullptr) {
    const CLI::App& command = chosen(root);
    if (!known_commands(command).empty()) {
      std::cerr << command.help();
      return 2;
    }
  }
  const std::string text = wrong.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&wrong) != nullptr) {
    const bool is_repeated = text.find(": At Most ") != std::string::npos;
    fail(errc::input, "{}: {}", text.substr(0, text.find(':')),
         is_repeated ? "given more than once" : "a value must follow");
  }
  if (dynamic_cast<const CLI::RequiredError*>(&wrong) != nullptr) {
    const CLI::App& command = chosen(root);
    const bool measured = benchmark_named(root, command.get_name()) != nullptr;
    fail(errc::input, "{}; see {} --help{}", text, full_name(command),
         measured ? ", and atoll bench " + command.get_name() + " to measure" : "");
  }
  fail(errc::input, "{}", text);
}

}  // namespace

std::shared_ptr<CLI::App> new_program(const std::string& help, const std::string& name) {
  auto program = std::make_shared<CLI::App>(help, name);
  program->set_version_flag("--version", name + " " ATOLL_VERSION);
  program->require_subcommand(1);
  program->formatter(std::make_shared<short_help>());
  return program;
}

CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->callback([&context, action = std::move(action)] { context.action = action; });
  return *command;
}

void leave_out_of_list(CLI::App& command) { command.group(""); }

CLI::App& add_command_group(CLI::App& parent, command_context& context, const std::string& name,
                            const std::string& help) {
  CLI::App& group = *parent.add_subcommand(name, help);
  group.callback([&parent, &group, &context] {
    if (!group.get_subcommands().empty())
      return;  // the chosen subcommand has already stored the action
    context.action = [&parent, &group] {
      hide_help_flag(group);
      std::cout << group.help(parent.get_name());
      return 0;
    };
  });
  return group;
}

void become_program(const command_context& context, const std::string& file) {
  const auto program = std::filesystem::read_symlink("/proc/self/exe").replace_filename(file);
  execv(program.c_str(), context.arguments.data());
  fail(errc::environment, "{}: {}; `make build` makes it, and `make install` installs it",
       program.string(), std::strerror(errno));
}

void add_explanation(CLI::App& command, const std::string& text) {
  command.footer(text.substr(text.starts_with('\n') ? 1 : 0));
}

void add_explanation(CLI::App& command, command_context& context, const std::string& text,
                     const std::string& details) {
  add_explanation(command, text);
  context.details[&command] = details.substr(details.starts_with('\n') ? 1 : 0);
}

bool has_flag(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw(name) != nullptr;
}

flag add_checked_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                      const std::function<void(const std::string&)>& take,
                      const std::string& help) {
  auto* const option = command.add_option_function<std::string>(name, take, help);
  return flag(*option->type_name(placeholder));
}

flag add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help) {
  return flag(*command.add_flag(name, value, help));
}

flag add_texts_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                    std::vector<std::string>& values, const std::string& help) {
  auto* const option = command.add_option(name, values, help);
  return flag(*option->type_name(placeholder)->allow_extra_args(false));
}

flag flag::under(const std::string& title) const {
  option_->group(title);
  return *this;
}

flag flag::excludes(flag other) const {
  option_->excludes(other.option_);
  return *this;
}

flag flag::last_counts() const {
  option_->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return *this;
}

flag flag::required() const {
  option_->required();
  return *this;
}

flag flag::with_default(const std::string& text) const {
  std::string help = option_->get_description();
  const auto stated = help.rfind("; default ");  // the help of a number ends with its default value
  if (stated == std::string::npos) {
    option_->default_str(text);
  } else {
    option_->description(help.substr(0, stated) + "; default " + text + ")");
  }
  return *this;
}

bool is_measuring(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  if (parent == nullptr) return command.get_name() == "atoll-papers";
  return parent->get_name() == "bench" || is_measuring(*parent);
}

int run_command_line(CLI::App& root, command_context& context, int argc, char** argv) {
  const bool help_all = take_help_all(argc, argv);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    return explain(root, context, wrong, help_all);
  }
  log::set_level(context.settings.log_level);
  return context.action();
}

}  // namespace atl::app
