#include "app/command.hpp"

#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace atl::app {
namespace {

// The innermost command the user named.
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

[[noreturn]] void unknown(std::string_view what, const std::string& word, const CLI::App& command,
                          const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  if (nearest == word) fail(errc::input, "{} belongs behind {}", word, full_name(command));
  const std::string advice = nearest.empty() ? fmt::format("see {} --help", full_name(command))
                                             : fmt::format("did you mean {}?", nearest);
  fail(errc::input, "unknown {} {}, {}", what, word, advice);
}

// Throws for the first argument that nothing took.
void complain_about_rest(CLI::App& root) {
  const auto rest = root.remaining(true);
  if (rest.empty()) return;
  const CLI::App& command = chosen(root);
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (word.starts_with('-') && word != "-") unknown("flag", word, command, known_flags(command));
  const auto commands = known_commands(command);
  if (!commands.empty()) unknown("command", word, command, commands);
  fail(errc::input, "unexpected argument {}, see {} --help", rest.front(), full_name(command));
}

int explain(CLI::App& root, const CLI::ParseError& wrong) {
  if (wrong.get_exit_code() == 0) return root.exit(wrong);  // --help and --version
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
  fail(errc::input, "{}", text);
}

}  // namespace

std::shared_ptr<CLI::App> new_program(const std::string& help) {
  auto program = std::make_shared<CLI::App>(help, "atoll");
  program->set_version_flag("--version", "atoll " ATOLL_VERSION);
  program->require_subcommand(1);
  return program;
}

CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->callback([&context, action = std::move(action)] { context.action = action; });
  return *command;
}

CLI::App& add_command_group(CLI::App& parent, command_context& context, const std::string& name,
                            const std::string& help) {
  CLI::App& group = *parent.add_subcommand(name, help);
  group.callback([&parent, &group, &context] {
    if (!group.get_subcommands().empty()) return;  // its own action is set already
    context.action = [&parent, &group] {
      std::cout << group.help(parent.get_name());
      return 0;
    };
  });
  return group;
}

void add_program(CLI::App& parent, command_context& context, const std::string& name,
                 const std::string& help, const std::string& file) {
  CLI::App& command = *parent.add_subcommand(name, help);
  command.set_help_flag();  // all is for the other program
  command.prefix_command();
  context.other_program = [&context, file] {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").replace_filename(file);
    execv(program.c_str(), context.arguments.data());
    fail(errc::environment, "{}: {}; `make build` makes it, and `make install` installs it",
         program.string(), std::strerror(errno));
  };
  command.callback(context.other_program);
}

void add_explanation(CLI::App& command, const std::string& text) { command.footer(text); }

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
  option_->default_str(text);
  return *this;
}

int run_command_line(CLI::App& root, command_context& context, int argc, char** argv) {
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    if (chosen(root).get_prefix_command()) context.other_program();  // it knows its flags
    return explain(root, wrong);
  }
  log::set_level(context.settings.log_level);
  return context.action();
}

}  // namespace atl::app
