#include "app/command.hpp"

#include "atoll/base/describe.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <vector>

namespace atoll::app {
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
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&wrong) != nullptr)
    fail(errc::input, "{}: a value must follow", text.substr(0, text.find(':')));
  fail(errc::input, "{}", text);
}

// What stands for the value in the help.
std::string placeholder(const setting_description& row) {
  if (row.kind == "count") return "N";
  if (row.kind == "size") return "SIZE";
  if (row.kind == "duration") return "TIME";
  return row.range.empty() ? "FILE" : std::string(row.range);
}

std::string help_of(const setting_description& row) {
  const bool numeric = row.kind == "count" || row.kind == "size" || row.kind == "duration";
  if (numeric) return fmt::format("{} ({}; default {})", row.help, row.range, row.default_value);
  if (row.default_value.empty()) return std::string(row.help);
  return fmt::format("{} (default {})", row.help, row.default_value);
}

using parse_function = std::uint64_t (*)(std::string_view);
using show_function = std::string (*)(std::uint64_t);

// Numbers of one kind between two bounds, with their errors.
struct number_range {
  std::string flag;
  std::uint64_t lowest;
  std::uint64_t highest;
  parse_function parse = parse_count;
  show_function show = [](std::uint64_t value) { return std::to_string(value); };

  std::uint64_t checked(std::string_view text) const try {
    const auto value = parse(text);
    if (value < lowest || value > highest)
      fail(errc::input, "{} is out of range ({} to {})", text, show(lowest), show(highest));
    return value;
  } catch (const error& e) {
    fail(e.code(), "{}: {}", flag, e.what());
  }

  std::string help(const std::string& sentence, const std::string& default_value) const {
    return fmt::format("{} ({} to {}; default {})", sentence, show(lowest), show(highest),
                       default_value);
  }
};

std::vector<std::uint64_t> checked_list(const number_range& range, std::string_view text) {
  std::vector<std::uint64_t> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    values.push_back(range.checked(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return values;
}

CLI::Option* add_flag(CLI::App& command, const std::string& flag, const std::string& placeholder,
                      const std::string& help,
                      const std::function<void(const std::string&)>& take) {
  return command.add_option_function<std::string>(flag, take, help)
      ->type_name(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* add_number_flag(CLI::App& command, const number_range& range,
                             const std::string& placeholder, std::uint64_t& value,
                             const std::string& help) {
  const auto take = [&value, range](const std::string& text) { value = range.checked(text); };
  return add_flag(command, range.flag, placeholder, range.help(help, range.show(value)), take);
}

}  // namespace

CLI::App& add_command(CLI::App& parent, command_context& context, const std::string& name,
                      const std::string& help, std::function<int()> action) {
  CLI::App* command = parent.add_subcommand(name, help);
  command->callback([&context, action = std::move(action)] { context.action = action; });
  return *command;
}

void add_settings_flags(CLI::App& command, command_context& context) {
  for (const auto& row : settings_table()) {
    const std::string name(row.name);
    const std::string flag = fmt::format("--{}", name);
    if (command.get_option_no_throw(flag) != nullptr) continue;  // the command's own stands for it
    const auto take = [&context, name, flag](const std::string& value) {
      context.settings.set(name, value, flag);
    };
    command.add_option_function<std::string>(flag, take, help_of(row))
        ->type_name(placeholder(row))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->group("Settings");
  }
}

CLI::Option* add_count_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                            std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  return add_number_flag(command, {flag, lowest, highest}, "N", value, help);
}

CLI::Option* add_counts_flag(CLI::App& command, const std::string& flag,
                             std::vector<std::uint64_t>& values, std::uint64_t lowest,
                             std::uint64_t highest, const std::string& help) {
  const number_range range{flag, lowest, highest};
  std::string present;
  for (const auto value : values) present += (present.empty() ? "" : ",") + range.show(value);
  const auto take = [&values, range](const std::string& text) {
    values = checked_list(range, text);
  };
  return add_flag(command, flag, "N,...", range.help(help, present), take);
}

CLI::Option* add_size_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                           std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  return add_number_flag(command, {flag, lowest, highest, parse_size, size_text}, "SIZE", value,
                         help);
}

CLI::Option* add_duration_flag(CLI::App& command, const std::string& flag, std::uint64_t& value,
                               std::uint64_t lowest, std::uint64_t highest,
                               const std::string& help) {
  const auto parse = [](std::string_view text) {
    return static_cast<std::uint64_t>(parse_duration(text));
  };
  const auto show = [](std::uint64_t ns) { return duration_text(static_cast<std::int64_t>(ns)); };
  return add_number_flag(command, {flag, lowest, highest, parse, show}, "TIME", value, help);
}

int run_command_line(CLI::App& root, command_context& context, int argc, char** argv) {
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    return explain(root, wrong);
  }
  log::set_level(context.settings.log_level);
  return context.action();
}

int guarded(const std::function<int()>& body) {
  try {
    return body();
  } catch (const error& e) {
    log::write(log_level::error, e.what());
    return e.exit_status();
  } catch (const ended& e) {
    return e.status;
  } catch (const std::bad_alloc&) {
    log::write(log_level::error, "out of memory");
    return 2;
  } catch (...) {
    log::write(log_level::error, "uncaught exception: " + describe(std::current_exception()));
    return 4;
  }
}

}  // namespace atoll::app
