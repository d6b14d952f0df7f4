#pragma once
// How lines end: in "\n", in "\r\n", or in a "\r" alone, as old programs of the Mac write them.

#include <cstdint>
#include <span>
#include <string_view>

namespace atl::graph {

/// How much of `text` its lines that end take: up to and with the last end of line. `next` stands
/// behind `text`: a "\r" at its end, with "\n" behind it, ends no line yet.
std::size_t end_of_last_line(std::string_view text, char next);

/// Puts "\n" in place of each "\r" that stands alone. Behind `text` stands what follows it.
void end_lines_alike(std::span<char> text);

/// Counts the ends of lines in a text that comes in pieces.
class line_counter {
 public:
  void add(std::string_view piece);

  /// Of all pieces; a "\r" that ends them ends a line.
  std::uint64_t count() const { return count_ + (after_return_ ? 1 : 0); }

 private:
  std::uint64_t count_ = 0;
  bool after_return_ = false;  // the last piece ended in "\r"
};

}  // namespace atl::graph
