#pragma once
// Parses lists of edges in text form, with one thread, from mapped memory.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bench::el {

struct pair {
  std::uint64_t from;
  std::uint64_t to;
};

/// A mapped file. The constructor reads all pages of the file into memory.
class mapped_file {
 public:
  /// Maps the file. Throws bad_input if the file cannot be opened.
  explicit mapped_file(const std::string& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  std::string_view text() const { return {data_, bytes_}; }

 private:
  const char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Returns the maximum number of edges in a text of `bytes` bytes.
constexpr std::size_t most_edges(std::size_t bytes) { return bytes / 4 + 1; }

/// Writes the edges to `into` and returns their number. Each line has two integers, separated by
/// blanks. Blank lines and lines that begin with # or % are skipped. Throws bad_input for any other
/// line.
std::size_t parse(const std::string& path, std::string_view text, pair* into);

}  // namespace bench::el
