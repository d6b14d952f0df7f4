#include "parser.hpp"

#include <algorithm>
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

/// Null where no id begins.
const char* read_id(const char* at, std::uint64_t& id) {
  const char* const begin = at;
  std::uint64_t value = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*at - '0')) <= 9; ++at)
    value = 10 * value + digit;
  id = value;
  constexpr std::ptrdiff_t always_fits = 19;
  return at == begin || at - begin > always_fits || value > largest_id ? nullptr : at;
}

/// The beginning of the next line, or null where this one is none. Each line ends in '\n'.
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
  const auto whole_lines = text.rfind('\n') + 1;
  read_lines(path, text.substr(0, whole_lines), at);
  std::string last_line(text.substr(whole_lines));
  if (!last_line.empty()) read_lines(path, last_line += '\n', at);
  return static_cast<std::size_t>(at - into);
}

}  // namespace bench::el
