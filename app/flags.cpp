#include "app/flags.hpp"

#include "app/command.hpp"
#include "atoll/error.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace atl::app {
namespace {

// Returns the word that the help shows for the value of the setting.
std::string placeholder(const setting_description& row) {
  if (row.kind == "count") return "N";
  if (row.kind == "size") return "SIZE";
  if (row.kind == "duration") return "TIME";
  if (row.kind == "text") return "TEXT";
  return row.kind == "file" ? "FILE" : std::string(row.range);
}

std::string help_of(const setting_description& row) {
  const bool numeric = row.kind == "count" || row.kind == "size" || row.kind == "duration";
  if (row.name == "pes")
    return fmt::format("Processing elements (PEs) of the job (default {})", row.default_value);
  if (numeric) return fmt::format("{} ({}; default {})", row.help, row.range, row.default_value);
  if (row.default_value.empty()) return std::string(row.help);
  return fmt::format("{} (default {})", row.help, row.default_value);
}

// Returns the title under which the help lists the setting. Every command accepts settings for
// measurements, but only the help of commands that measure shows these settings.
std::string title_of(const setting_description& row, bool measures) {
  if (row.name == "pes") return "Options";
  if (row.group == setting_group::user) return k_settings_title;
  return measures ? k_measurement_title : "";
}

using parse_function = std::uint64_t (*)(std::string_view);
using show_function = std::string (*)(std::uint64_t);

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

// Parses numbers of type T, and refuses numbers out of the range.
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

flag add_number_flag(CLI::App& command, const number_range& range, const std::string& placeholder,
                     std::uint64_t& value, const std::string& help) {
  const auto take = [&value, range](const std::string& text) { value = range.checked(text); };
  const auto sentence = range.help(help, range.show(value));
  return add_checked_flag(command, range.flag, placeholder, take, sentence).last_counts();
}

}  // namespace

void add_settings_flags(CLI::App& command, command_context& context) {
  const bool measures = is_measuring(command);
  for (const auto& row : settings_table()) {
    const std::string name(row.name);
    const std::string flag = fmt::format("--{}", name);
    if (has_flag(command, flag))
      continue;  // a flag of the command has the same name and replaces the setting
    const auto take = [&context, name, flag](const std::string& value) {
      context.settings.set(name, value, flag);
    };
    add_checked_flag(command, flag, placeholder(row), take, help_of(row))
        .last_counts()
        .under(title_of(row, measures));
  }
  static bool is_taken_before_parsing = false;
  add_switch(command, "--help-all", is_taken_before_parsing,
             "Print this help with all settings of the runtime, and exit");
}

flag add_text_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                   std::string& value, const std::string& help) {
  const auto take = [&value, name](const std::string& text) {
    if (text.empty()) fail(errc::input, "{}: the text is empty", name);
    value = text;
  };
  return add_checked_flag(command, name, placeholder, take, help);
}

flag add_choice_flag(CLI::App& command, const std::string& name, const std::string& first,
                     const std::string& second, const std::function<void(bool)>& take,
                     const std::string& help) {
  const auto take_word = [=](const std::string& text) {
    if (text != first && text != second)
      fail(errc::input, "{}: \"{}\" is neither {} nor {}", name, text, first, second);
    take(text == first);
  };
  return add_checked_flag(command, name, first + '|' + second, take_word, help);
}

flag add_word_flag(CLI::App& command, const std::string& name,
                   const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& take, const std::string& help) {
  const auto take_word = [=](const std::string& text) {
    const auto found = std::ranges::find(words, text);
    if (found == words.end())
      fail(errc::input, "{}: \"{}\" is none of {}", name, text, joined(words, ", "));
    take(static_cast<std::size_t>(found - words.begin()));
  };
  return add_checked_flag(command, name, joined(words, "|"), take_word, help);
}

flag add_count_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                    std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  return add_number_flag(command, {name, lowest, highest}, "N", value, help);
}

flag add_real_flag(CLI::App& command, const std::string& name, double& value, double lowest,
                   double highest, const std::string& help) {
  const auto take = [&value, name, lowest, highest](const std::string& text) {
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || end != text.data() + text.size())
      fail(errc::input, "{}: \"{}\" is not a number", name, text);
    if (!(number >= lowest && number <= highest))
      fail(errc::input, "{}: {} is out of range ({} to {})", name, text, lowest, highest);
    value = number;
  };
  const auto sentence = fmt::format("{} ({} to {}; default {})", help, lowest, highest, value);
  return add_checked_flag(command, name, "X", take, sentence).last_counts();
}

flag add_counts_flag(CLI::App& command, const std::string& name, std::vector<std::uint64_t>& values,
                     std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  const number_range range{name, lowest, highest};
  const auto take = [&values, range](const std::string& text) {
    values = checked_list(range, text);
  };
  std::vector<std::string> present;
  for (const auto value : values) present.push_back(range.show(value));
  const auto sentence = range.help(help, joined(present, ","));
  return add_checked_flag(command, name, "N,...", take, sentence).last_counts();
}

flag add_size_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                   std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  return add_number_flag(command, {name, lowest, highest, parse_size, size_text}, "SIZE", value,
                         help);
}

flag add_duration_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                       std::uint64_t lowest, std::uint64_t highest, const std::string& help) {
  const auto parse = [](std::string_view text) {
    return static_cast<std::uint64_t>(parse_duration(text));
  };
  const auto show = [](std::uint64_t ns) { return duration_text(static_cast<std::int64_t>(ns)); };
  return add_number_flag(command, {name, lowest, highest, parse, show}, "TIME", value, help);
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool first = column == 0;
    if (!first && column + 1 + word.size() > columns) {
      result.append(1, '\n').append(indent, ' ');
      column = 0;
    } else if (!first) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace atl::app
