#pragma once
// Declares functions that add flags to a command. Variables that a flag sets must live as long as
// the command.

#include "atoll/settings.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace atl::app {

struct command_context;

/// A flag of a command. The functions set its properties.
class flag {
 public:
  explicit flag(CLI::Option& option) : option_(&option) {}

  /// Lists the flag under `title` in the help; "" hides the flag.
  flag under(const std::string& title) const;

  /// Refuses a command line with both this flag and `other`.
  flag excludes(flag other) const;

  flag required() const;

  /// Allows the flag several times; the last one counts.
  flag last_counts() const;

  /// Shows `text` as the default in the help.
  flag with_default(const std::string& text) const;

 private:
  CLI::Option* option_;
};

bool has_flag(const CLI::App& command, const std::string& name);

/// Adds the short flags of all settings: `--pes N` for `--atoll-pes N`. Wrong values throw `error`
/// (input), as in the library.
void add_settings_flags(CLI::App& command, command_context& context);

/// Returns a text for a terminal: two lines per setting of `group`, with its current value and
/// origin. A setting of the other group is shown if its value was changed.
std::string settings_listing(const settings& present, setting_group group = setting_group::user);

/// Returns the content of docs/reference/settings.md.
std::string settings_markdown();

/// Adds a flag without a value.
flag add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help);

/// Adds a flag that takes any text, called `placeholder` in the help. A `name` without dashes makes
/// a positional argument.
flag add_text_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                   std::string& value, const std::string& help);

/// Adds a flag that takes any text and may be repeated.
flag add_texts_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                    std::vector<std::string>& values, const std::string& help);

/// Adds a flag whose text is passed to `take`, which throws `error` (input) for wrong text.
flag add_checked_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                      const std::function<void(const std::string&)>& take, const std::string& help);

/// Adds a flag that takes one of two words: `take(true)` is called for `first`. Other words are
/// refused like wrong settings: "--join: "x" is neither vertex nor whole".
flag add_choice_flag(CLI::App& command, const std::string& name, const std::string& first,
                     const std::string& second, const std::function<void(bool)>& take,
                     const std::string& help);

/// Adds a flag that takes one of several words: `take(i)` is called for the i-th. Other words are
/// refused: "--queue: "x" is none of simple, combining".
flag add_word_flag(CLI::App& command, const std::string& name,
                   const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& take, const std::string& help);

/// Adds a flag that takes a whole number within a range. The current `value` is the default. Other
/// numbers are refused: "--scale: 99 is out of range (1 to 40)".
flag add_count_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                    std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag that takes a real number within a range. The current `value` is the default.
flag add_real_flag(CLI::App& command, const std::string& name, double& value, double lowest,
                   double highest, const std::string& help);

/// Adds a flag that takes whole numbers within a range, separated by commas.
flag add_counts_flag(CLI::App& command, const std::string& name, std::vector<std::uint64_t>& values,
                     std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag that takes a size in bytes within a range, with its unit: "64KiB", "64MB".
flag add_size_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                   std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag that takes a duration within a range, with its unit: "100us", "10s". `value` is in
/// nanoseconds.
flag add_duration_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                       std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Returns the text wrapped into lines of at most `columns` columns. Lines after the first begin
/// with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace atl::app
