#include "app/flags.hpp"

#include "app/command.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

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
// measurements, but only the help of benchmarks lists settings for measurements.
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
      continue;  // the command has a flag of its own with the name of the setting
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

namespace {

std::uint64_t number_in(const std::string& flag, const std::string& text, std::uint64_t least,
                        std::string_view expected) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size() || number < least)
    fail(errc::input, "{}: \"{}\" is not {}", flag, text, expected);
  return number;
}

std::uint64_t column_in(const std::string& text) {
  constexpr std::uint64_t first_behind_ends = 3;
  if (text == "none") return 0;
  return number_in("--weights", text, first_behind_ends,
                   "a column behind the two ends of an edge, from 3 on, or none");
}

void check_weights(const graph_files& files, edge_format format) {
  if (files.form.weight_column.value_or(0) == 0 || has_any_columns(format)) return;
  fail(errc::input,
       "--weights: {} names a column, and {} is of the format {}, whose weights have a place of "
       "their own or none",
       *files.form.weight_column, files.edges, name_of(format));
}

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  int number() const { return number_; }

  /// Returns the file descriptor. The descriptor stays open until the process ends.
  int keep() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Returns the path of the folder for temporary files. The function does not check whether the
/// folder exists.
std::filesystem::path temporary_folder() {
  const char* const said = std::getenv("TMPDIR");
  return said == nullptr || *said == '\0' ? "/tmp" : said;
}

int open_unnamed(const std::filesystem::path& folder) {
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (unnamed >= 0) return unnamed;
  auto name = (folder / "atoll-input-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

[[noreturn]] void refuse(const std::string& path, const std::filesystem::path& folder) {
  fail(errc::environment,
       "{}: its content cannot be kept in {}: {}; TMPDIR in the environment names another folder",
       path, folder.string(), refusal_text(errno, refused::file));
}

/// Writes all bytes to the descriptor `to`. Returns false if writing fails.
bool write_all(int to, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

void copy(int from, int to, const std::string& path, const std::filesystem::path& folder) {
  std::array<char, 1 << 16> bytes;
  for (;;) {
    const auto count = ::read(from, bytes.data(), bytes.size());
    if (count == 0) return;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      fail(errc::input, "{}: cannot read: {}", path, refusal_text(errno, refused::file));
    if (!write_all(to, std::span(bytes).first(static_cast<std::size_t>(count))))
      refuse(path, folder);
  }
}

/// Returns whether the path may stand for a descriptor of this process, such as /dev/stdin. Other
/// processes cannot open a descriptor of this process by its path.
bool names_descriptor(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

/// Throws `error` (input) if the input is a pipe, but the format needs several files.
void refuse_one_of_several(const graph_files& files, edge_format format) {
  const auto all = files_of("NAME", format);
  if (files.content.empty() || all.size() == 1) return;
  fail(errc::input, "--from: {} is {}, and {} is one file: write them to a folder, and give NAME",
       called(format), listed(all, "and"), files.edges);
}

}  // namespace

std::string help_of_graph(std::string_view what) {
  return wrapped(fmt::format("{}: {}; or one whose content tells", what, patterns_of_formats()),
                 k_help_columns);
}

void add_input_flags(CLI::App& command, graph_files& files, const std::string& title) {
  const auto take_format = [&files](const std::string& word) {
    const auto edges = edge_format_named(word);
    if (!edges) fail(errc::input, "--from: {} is no format: give {}", word, names_of_formats());
    files.form.format = file_format{*edges, compression::none};
  };
  add_checked_flag(
      command, "--from", "FORMAT", take_format,
      wrapped("What the file holds, whatever its name says: " + names_of_formats(), k_help_columns))
      .under(title);
  const auto take_lines = [&files](const std::string& word) {
    files.form.skip_lines = number_in("--skip-lines", word, 0, "a number of lines");
  };
  add_checked_flag(command, "--skip-lines", "N", take_lines,
                   "Pass over the first N lines; with 0, too, no line is taken for one of sizes")
      .under(title);
}

void add_weights_flag(CLI::App& command, graph_files& files, const std::string& title) {
  const auto columns = patterns_where([](const auto& traits) { return traits.any_columns; });
  const auto take = [&files](const std::string& word) {
    files.form.weight_column = column_in(word);
  };
  add_checked_flag(command, "--weights", "COLUMN", take,
                   wrapped(fmt::format("The column of a {} with the weights, or none; by default "
                                       "the one titled weight or the third, where all lines have "
                                       "a number there",
                                       listed(columns, "or")),
                           k_help_columns))
      .under(title);
}

void open_input(graph_files& files) {
  input_form& form = files.form;
  files.content = content_of_input(files.edges);
  if (!files.content.empty() && files.names == files.edges)
    fail(errc::input, "--names: {} is the file of edges, whose content comes once", files.names);
  if (!files.names.empty()) files.names_content = content_of_input(files.names);
  if (form.format) refuse_one_of_several(files, form.format->edges);
  if (form.format) form.format = format_as_packed(files, form.format->edges);
  if (!form.skip_lines && !form.weight_column) return;
  const auto format = recognised_format(files).edges;
  if (form.skip_lines && is_binary(format))
    fail(errc::input, "--skip-lines: {} is of the format {}, which has no lines", files.edges,
         name_of(format));
  check_weights(files, format);
  if (form.weight_column == 0 && !has_any_columns(format)) form.without_weights = true;
}

bool is_described(const input_form& form) {
  return form.format || form.skip_lines || form.weight_column;
}

std::string content_of_input(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return "";
  const bool regular = S_ISREG(status.st_mode);
  if (regular && !names_descriptor(path)) return "";
  if (const auto launched = job::present_launch(); launched && launched->ranks != 1)
    fail(errc::input,
         "{}: it is no file that all processes of {} can open: write it to one, and give its name",
         path, launched->launcher);
  descriptor input(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.number() < 0)
    fail(errc::input, "{}: cannot open: {}", path, refusal_text(errno, refused::file));
  if (regular) return "/proc/self/fd/" + std::to_string(input.keep());
  const auto folder = temporary_folder();
  descriptor kept(open_unnamed(folder));
  if (kept.number() < 0) refuse(path, folder);
  copy(input.number(), kept.number(), path, folder);
  return "/proc/self/fd/" + std::to_string(kept.keep());
}

}  // namespace atl::app
