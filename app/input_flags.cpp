#include "app/input_flags.hpp"

#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

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

/// Returns the path of the folder for temporary files. The folder may not exist.
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
/// processes do not have this descriptor.
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
