#pragma once
// The flags of a command. What they set lives as long as the command.

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

/// A flag that a command has, to say more about it.
class flag {
 public:
  explicit flag(CLI::Option& option) : option_(&option) {}

  /// Stands under this title in the help; "" hides it.
  flag under(const std::string& title) const;

  /// Where it stands, the other may not.
  flag excludes(flag other) const;

  flag required() const;

  /// It may be given several times.
  flag last_counts() const;

  /// The help shows this default.
  flag with_default(const std::string& text) const;

 private:
  CLI::Option* option_;
};

bool has_flag(const CLI::App& command, const std::string& name);

/// Gives the command the short flags of all settings: `--pes N` for `--atoll-pes N`. Bad values
/// throw `error` (input), as in the library.
void add_settings_flags(CLI::App& command, command_context& context);

/// A text for a terminal: two lines per setting of `group`, with the present value and its origin.
/// A setting of the other group is shown where it has been changed.
std::string settings_listing(const settings& present, setting_group group = setting_group::user);

/// The whole file docs/reference/settings.md.
std::string settings_markdown();

/// A flag without a value.
flag add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help);

/// A flag that takes any text. `placeholder` stands for it in the help. A name without dashes is
/// that of an argument.
flag add_text_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                   std::string& value, const std::string& help);

/// As add_text_flag; the flag may be repeated.
flag add_texts_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                    std::vector<std::string>& values, const std::string& help);

/// As add_text_flag; `take` refuses wrong text with an `error` (input).
flag add_checked_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                      const std::function<void(const std::string&)>& take, const std::string& help);

/// A flag that takes one of two words: `take(true)` is called for the first. Complains like the
/// settings: "--join: "x" is neither vertex nor whole".
flag add_choice_flag(CLI::App& command, const std::string& name, const std::string& first,
                     const std::string& second, const std::function<void(bool)>& take,
                     const std::string& help);

/// A flag that takes one of several words: `take(i)` is called for the i-th. Complains likewise:
/// "--queue: "x" is none of simple, combining".
flag add_word_flag(CLI::App& command, const std::string& name,
                   const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& take, const std::string& help);

/// A flag that takes a whole number within a range, its present value being the default. Complains
/// like the settings: "--scale: 99 is out of range (1 to 40)".
flag add_count_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                    std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// As add_count_flag, for a number that need not be whole.
flag add_real_flag(CLI::App& command, const std::string& name, double& value, double lowest,
                   double highest, const std::string& help);

/// As add_count_flag, for one number or several with commas between them.
flag add_counts_flag(CLI::App& command, const std::string& name, std::vector<std::uint64_t>& values,
                     std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// As add_count_flag, for a size in bytes with its unit: "64KiB", "64MB".
flag add_size_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                   std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// As add_count_flag, for a duration in nanoseconds with its unit: "100us", "10s".
flag add_duration_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                       std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// The text in lines of at most so many columns, of which those behind the first begin with
/// `indent` blanks.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

}  // namespace atl::app
