#include "parser.hpp"

#include <bit>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/flags.hpp"

namespace bench::el {
namespace {

constexpr std::uint64_t largest_id = (std::uint64_t{1} << 48) - 1;

const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
  return at;
}

// Number of bytes that `read_digits` reads at once. `digits_at_once` bytes must be readable after
// the end of a text.
constexpr std::size_t digits_at_once = 8;

/// Parses at most eight digits at `at`, without a loop over the digits. Stores the value of the
/// digits in `value`, and returns the number of digits.
unsigned read_digits(const char* at, std::uint64_t& value) {
  std::uint64_t digits = 0;
  std::memcpy(&digits, at, sizeof(digits));
  digits ^= 0x3030303030303030;
  const auto low_bits = digits & 0x7f7f7f7f7f7f7f7f;
  const auto no_digits = (digits | (low_bits + 0x7676767676767676)) & 0x8080808080808080;
  const auto count = static_cast<unsigned>(std::countr_zero(no_digits)) / 8;
  if (count == 0) return 0;
  digits <<= 64 - 8 * count;
  digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
  digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
  value = (digits * 10000 + (digits >> 32)) & 0xffffffff;
  return count;
}

/// Parses an id. Returns the end of the id, or null if no valid id begins at `at`.
const char* read_id(const char* at, std::uint64_t& id) {
  const char* const begin = at;
  const auto count = read_digits(at, id);
  at += count;
  if (count == digits_at_once) {
    for (unsigned digit; (digit = static_cast<unsigned>(*at - '0')) <= 9; ++at)
      id = 10 * id + digit;
  }
  constexpr std::ptrdiff_t always_fits = 19;
  return count == 0 || at - begin > always_fits || id > largest_id ? nullptr : at;
}

/// Parses a line, which must end in '\n'. Returns the beginning of the next line, or null if the
/// line is invalid.
const char* read_line(const char* at, pair*& into) {
  at = skip_blanks(at);
  if (*at == '#' || *at == '%') {
    while (*at != '\n') ++at;
  }
  if (*at == '\n') return at + 1;
  at = read_id(at, into->from);
  if (at == nullptr) return nullptr;
  at = read_id(skip_blanks(at), into->to);
  if (at == nullptr) return nullptr;
  at = skip_blanks(at);
  ++into;
  return *at == '\n' ? at + 1 : nullptr;
}

void read_lines(const std::string& path, std::string_view text, pair*& into) {
  const char* const end = text.data() + text.size();
  for (const char* line = text.data(); line != end;) {
    const char* const next = read_line(line, into);
    if (next == nullptr)
      throw bad_input(path + ": byte " + std::to_string(line - text.data()) + ": no edge");
    line = next;
  }
}

}  // namespace

mapped_file::mapped_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (descriptor >= 0) ::close(descriptor);
    throw bad_input(path + ": cannot open");
  }
  bytes_ = static_cast<std::size_t>(status.st_size);
  void* const data =
      bytes_ == 0 ? nullptr
                  : ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
  ::close(descriptor);
  if (data == MAP_FAILED) throw bad_input(path + ": cannot map");
  data_ = static_cast<const char*>(data);
}

mapped_file::~mapped_file() {
  if (bytes_ > 0) ::munmap(const_cast<char*>(data_), bytes_);
}

std::size_t parse(const std::string& path, std::string_view text, pair* into) {
  pair* at = into;
  const auto cut =
      text.size() > digits_at_once ? text.rfind('\n', text.size() - digits_at_once - 1) : text.npos;
  const auto in_place = cut == text.npos ? 0 : cut + 1;
  read_lines(path, text.substr(0, in_place), at);
  std::string last(text.substr(in_place));
  if (!last.empty() && !last.ends_with('\n')) last += '\n';
  const auto size = last.size();
  last.append(digits_at_once, '\0');
  read_lines(path, std::string_view(last).substr(0, size), at);
  return static_cast<std::size_t>(at - into);
}

}  // namespace bench::el
