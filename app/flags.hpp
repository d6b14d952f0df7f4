#pragma once
// Declares functions that add flags to a command, and functions that open the input file that flags
// describe. A variable that a flag sets must live as long as the command.

#include "atoll/graph_files.hpp"
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

/// A flag of a command. The member functions set the properties of the flag.
class flag {
 public:
  explicit flag(CLI::Option& option) : option_(&option) {}

  /// Lists the flag under `title` in the help. An empty `title` hides the flag.
  flag under(const std::string& title) const;

  /// Refuses a command line that has both this flag and `other`.
  flag excludes(flag other) const;

  flag required() const;

  /// Allows a command line to repeat the flag. If the flag is repeated, its last value is used.
  flag last_counts() const;

  /// Shows `text` as the default value in the help.
  flag with_default(const std::string& text) const;

 private:
  CLI::Option* option_;
};

bool has_flag(const CLI::App& command, const std::string& name);

/// Adds the short flag of every setting, such as `--pes N` for `--atoll-pes N`. If the value of a
/// flag is wrong, parsing throws the `error` (input) of `settings::set`.
void add_settings_flags(CLI::App& command, command_context& context);

/// Returns a text for a terminal that lists the settings of `group`. Each setting takes two lines,
/// with its current value and the origin of the value. The text also shows changed settings of
/// groups other than `group`.
std::string settings_listing(const settings& present, setting_group group = setting_group::user);

/// Returns the content of the page docs/reference/settings.md.
std::string settings_markdown();

/// Adds a flag that has no value. If the flag is given, `value` becomes true.
flag add_switch(CLI::App& command, const std::string& name, bool& value, const std::string& help);

/// Adds a flag whose value is any text. The help shows `placeholder` in place of the value. If
/// `name` has no dashes, the text is a positional argument.
flag add_text_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                   std::string& value, const std::string& help);

/// Adds a flag whose value is any text. A command line may repeat the flag, and all texts are kept.
flag add_texts_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                    std::vector<std::string>& values, const std::string& help);

/// Adds a flag whose value is passed to `take`. If the value of the flag is wrong, `take` throws
/// `error` (input).
flag add_checked_flag(CLI::App& command, const std::string& name, const std::string& placeholder,
                      const std::function<void(const std::string&)>& take, const std::string& help);

/// Adds a flag whose value is one of two words. `take` is called with true for `first`, and with
/// false for `second`. A value that is neither of the two words is an error: "--join: "x" is
/// neither vertex nor whole".
flag add_choice_flag(CLI::App& command, const std::string& name, const std::string& first,
                     const std::string& second, const std::function<void(bool)>& take,
                     const std::string& help);

/// Adds a flag whose value is one of several words. `take(i)` is called for the word with the index
/// i. A value that is none of `words` is an error: "--queue: "x" is none of simple, combining".
flag add_word_flag(CLI::App& command, const std::string& name,
                   const std::vector<std::string>& words,
                   const std::function<void(std::size_t)>& take, const std::string& help);

/// Adds a flag whose value is a whole number in a range. The default is the current content of
/// `value`. A number out of the range is an error: "--scale: 99 is out of range (1 to 40)".
flag add_count_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                    std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag whose value is a real number in a range. The default is the current content of
/// `value`.
flag add_real_flag(CLI::App& command, const std::string& name, double& value, double lowest,
                   double highest, const std::string& help);

/// Adds a flag whose value is a list of whole numbers in a range, separated by commas.
flag add_counts_flag(CLI::App& command, const std::string& name, std::vector<std::uint64_t>& values,
                     std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag whose value is a size with a unit, such as "64KiB" or "64MB". `value` and the range
/// are in bytes.
flag add_size_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                   std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Adds a flag whose value is a duration with a unit, such as "100us" or "10s". `value` is in
/// nanoseconds.
flag add_duration_flag(CLI::App& command, const std::string& name, std::uint64_t& value,
                       std::uint64_t lowest, std::uint64_t highest, const std::string& help);

/// Breaks the text into lines of at most `columns` characters. All lines except the first begin
/// with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent = 0);

// ---- Flags that describe an input file of edges.

/// Width in characters of the lines in help texts that contain generated lists, such as lists of
/// file formats.
inline constexpr std::size_t k_help_columns = 80;

/// Returns the help of an argument that names a graph: the text `what`, followed by the accepted
/// file names.
std::string help_of_graph(std::string_view what);

/// Adds --from and --skip-lines. The help lists both flags under `title`. `files` must live as long
/// as the command.
void add_input_flags(CLI::App& command, graph_files& files, const std::string& title);

/// Adds --weights to a command that uses weights. The help lists the flag under `title`.
void add_weights_flag(CLI::App& command, graph_files& files, const std::string& title);

/// Opens the files of edges and of names. Must be called before the file of edges or the file of
/// names is read. A pipe, or an input such as /dev/stdin, is replaced by a file that all PEs of
/// this machine can read. Throws `error` (input) if the flags do not fit the file.
void open_input(graph_files& files);

/// Returns whether any of --from, --skip-lines and --weights was given.
bool is_described(const input_form& form);

/// Returns the path of a file that has the content of `path`, and that this process and its forks
/// can read repeatedly. Returns an empty text if `path` is a folder or does not exist. Also returns
/// an empty text for a regular file outside /dev and /proc, because such a file can be read
/// repeatedly anyway. A pipe is copied to an unnamed file that exists as long as this process.
/// Throws `error` (environment) if the function cannot write a copy of the content, and `error`
/// (input) if it cannot open or read `path`. Under a launcher with several ranks, a pipe or a file
/// below /dev or /proc is an `error` (input).
std::string content_of_input(const std::string& path);

}  // namespace atl::app
