#include "atoll/shmem/mapped_ranges.hpp"

#include "atoll/error.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

namespace atl::shmem {
namespace {

// "BEGIN-END rwxp OFFSET MAJOR:MINOR INODE PATH". By hand, for it is a large part of the time.
class fields {
 public:
  explicit fields(std::string_view line) : rest_(line) {}

  /// Up to the next character of that kind, which is left out.
  std::string_view next(char separator) {
    const auto end = std::min(rest_.find(separator), rest_.size());
    const auto field = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return field;
  }

  std::uintptr_t next_address(char separator) {
    const auto field = next(separator);
    std::uintptr_t value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value, 16);
    return value;
  }

 private:
  std::string_view rest_;
};

mapped_range parse(std::string_view line) {
  fields of_line(line);
  mapped_range range{};
  range.pages.begin = of_line.next_address('-');
  range.pages.end = of_line.next_address(' ');
  const auto access = of_line.next(' ');
  range.is_private_and_writable = access.starts_with("rw") && access.ends_with('p');
  range.is_executable = access.find('x') != access.npos;
  of_line.next(' ');
  of_line.next(' ');
  range.is_anonymous = of_line.next(' ') == "0";
  return range;
}

// The lines of /proc/self/maps, some at a time: the kernel looks for no more than it is asked for.
class lines_of_maps {
 public:
  lines_of_maps() : file_(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0)
      fail(errc::environment, "static data cannot be found: open of /proc/self/maps failed: {}",
           refusal_text(errno, refused::file));
  }
  ~lines_of_maps() { close(file_); }
  lines_of_maps(const lines_of_maps&) = delete;
  lines_of_maps& operator=(const lines_of_maps&) = delete;

  std::optional<std::string> next() {
    std::size_t end = text_.find('\n');
    while (end == text_.npos) {
      if (!read_more()) return std::nullopt;
      end = text_.find('\n');
    }
    std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return line;
  }

 private:
  bool read_more() {
    std::array<char, 1024> part;
    const auto got = ::read(file_, part.data(), part.size());
    if (got > 0) text_.append(part.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  int file_;
  std::string text_;
};

}  // namespace

std::vector<mapped_range> mapped_below(std::uintptr_t end) {
  std::vector<mapped_range> found;
  lines_of_maps lines;
  while (const auto line = lines.next()) {
    const mapped_range range = parse(*line);
    if (range.pages.begin >= end) break;
    found.push_back(range);
  }
  return found;
}

}  // namespace atl::shmem
