#pragma once
// The fields of one line, taken one after another, each as what the format says it is.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/weight_text.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace atl::graph {

/// All of these throw `error` (input) with the place of the field for what is not as it should be.
/// `what` is what was expected: "a row".
class line_fields {
 public:
  /// `line` lies in the present block of `blocks`.
  line_fields(const line_blocks& blocks, const char* line)
      : blocks_(blocks), text_(skip_blanks(line)) {}

  /// Whether no field is left.
  bool at_end() const { return at_end_of_line(text_); }

  /// Where the next field begins, or the line ends.
  const char* place() const { return text_; }

  /// The next field; empty at the end of the line.
  std::string_view word();

  /// The next field must be this word.
  void take_word(std::string_view word, std::string_view what) {
    take_one_of(std::span(&word, 1), what);
  }

  /// The next field must be one of the words: which.
  std::size_t take_one_of(std::span<const std::string_view> words, std::string_view what);

  /// A number of things: 0 to `largest_vertex`.
  std::uint64_t count(std::string_view what);

  /// A vertex of `vertices`, which count from 1 on; its number from 0 on.
  std::uint64_t vertex(std::string_view what, std::uint64_t vertices) {
    constexpr std::ptrdiff_t always_fits = 19;  // digits in 64 bits
    const char* end = text_;
    std::uint64_t value = 0;
    for (; is_digit(*end); ++end) value = value * 10 + static_cast<std::uint64_t>(*end - '0');
    const bool plain = end - text_ <= always_fits && ends_field(*end);
    if (!plain || value - 1 >= vertices) return unusual_vertex(what, vertices);
    text_ = skip_blanks(end);
    return value - 1;
  }

  /// A weight: see `graph::read_weight`.
  std::int64_t read_weight(edge_list& list);

  /// Adds a weight to the list, unless that has lost its weights.
  void add_weight(edge_list& list) { graph::add_weight(read_weight(list), list); }

  /// Any number, as weights may be, of no further use.
  void pass_number(std::string_view what);

  /// Nothing may follow.
  void finish() const;

  /// Throws for the place of the next field: "expected {what}, found {field}".
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  std::uint64_t unusual_vertex(std::string_view what, std::uint64_t vertices);

  const line_blocks& blocks_;
  const char* text_;
};

}  // namespace atl::graph
