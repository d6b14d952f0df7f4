#pragma once
// The columns of a line of a text: those of the two ends of its edge, and further ones.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/list_text.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::graph {

// The columns of a line of a text as it is published: separated by blanks, or by one comma or
// semicolon with blanks around it or without. Where no comma stands between the first two, one
// between two digits is that of a decimal number in the others.

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

// Columns of a line behind the ends of its edge: one may be the weight; what else is there, such as
// times, is left out and counted.

class further_columns {
 public:
  further_columns(const line_blocks& blocks, const list_head& head, edge_list& list)
      : blocks_(blocks), head_(head), list_(list) {}

  /// `rest` are the columns of `line` from the third on. Throws `error` (input) where a weight was
  /// asked for and is none.
  void read(const char* line, const line_columns& rest) {
    const bool plain = at_end_of_line(rest.place()) && head_.columns == 2 && !head_.weight_column;
    if (!plain) read_them(line, rest);
  }

  /// The same, where tabs separate them: `rest` are all of them, if there are any.
  void read_tabbed(std::string_view line, std::optional<std::string_view> rest);

 private:
  void read_them(const char* line, line_columns rest);
  void take_weight(std::string_view column);
  void compare_count(const char* line, std::uint64_t count);

  const line_blocks& blocks_;
  const list_head& head_;
  edge_list& list_;
};

/// Without the blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace atl::graph
