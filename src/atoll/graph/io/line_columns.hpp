#pragma once
// The columns of a line of a text as it is published: separated by blanks, or by one comma or
// semicolon with blanks around it or without. Where no comma stands between the first two, one
// between two digits is that of a decimal number in the others.

#include "atoll/graph/io/field.hpp"

#include <cstdint>
#include <string_view>

namespace atl::graph {

constexpr bool is_separator(char c) { return c == ',' || c == ';'; }

/// Text behind these is a comment: also behind the columns of a line.
constexpr bool begins_comment(const char* text) {
  return is_comment(*text) || (*text == '/' && text[1] == '/');
}

/// Whether a text begins as titles do: an id in quotes is none, but an error.
bool begins_title(const char* text);

/// Where the first column of a line begins; null where a line has none.
const char* first_column(const char* line);

/// The columns of one line, taken one after another. The line ends in "\n".
class line_columns {
 public:
  /// `text` is the place of the first column.
  explicit line_columns(const char* text) : text_(text) {}

  /// Whether no column is left. A separator may end a line.
  bool at_end() const { return at_end_of_line(text_) || begins_comment(text_); }

  /// The next column; "" at the end of the line, or where two separators follow each other.
  std::string_view next();

  const char* place() const { return text_; }

 private:
  const char* end_of_column() const;
  bool is_decimal_comma(const char* text) const;

  const char* text_;
  unsigned taken_ = 0;
  char separator_ = ' ';  // what stands behind the first column and blanks
};

}  // namespace atl::graph
