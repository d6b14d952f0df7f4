#pragma once
// Lists of edges as text, read by one thread out of mapped memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench::el {

struct pair {
  std::uint64_t from;
  std::uint64_t to;
};

/// A file in memory, its pages there when the constructor returns.
class mapped_file {
 public:
  /// Throws bad_input where it cannot be opened.
  explicit mapped_file(const std::string& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  std::string_view text() const { return {data_, bytes_}; }

 private:
  const char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// The most edges that a text of so many bytes can have.
constexpr std::size_t most_edges(std::size_t bytes) { return bytes / 4 + 1; }

/// Writes the edges to `into` and returns how many. Two integers a line, separated by blanks; lines
/// that are blank or begin with # or % are passed over. Throws bad_input for any other line.
std::size_t parse(const std::string& path, std::string_view text, pair* into);

}  // namespace bench::el
