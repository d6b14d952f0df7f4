#pragma once
// The columns of a line of text: the two endpoints of an edge, and further columns.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/list_text.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::graph {

// Columns are separated by blanks, or by one comma or semicolon with optional blanks around it. If
// no comma separates the first two columns of a line, a comma between two digits in a later column
// is a decimal comma.

constexpr bool is_separator(char c) { return c == ',' || c == ';'; }

/// Returns true if a comment begins at `text`. A comment may also follow the columns of a line.
constexpr bool begins_comment(const char* text) {
  return is_comment(*text) || (*text == '/' && text[1] == '/');
}

/// Returns true if `text` begins like a title. A quoted id is not treated as a title, because the
/// reader reports an error for it.
bool begins_title(const char* text);

/// Returns the beginning of the first column of a line, or null if the line has no column.
const char* first_column(const char* line);

/// Takes the columns of one line one after another. The line ends in "\n".
class line_columns {
 public:
  /// `text` is the beginning of the first column.
  explicit line_columns(const char* text) : text_(text) {}

  /// Returns true if no column is left. A line may end with a separator.
  bool at_end() const { return at_end_of_line(text_) || begins_comment(text_); }

  /// Returns the next column. The result is empty at the end of the line, and between two
  /// separators.
  std::string_view next();

  const char* place() const { return text_; }

 private:
  const char* end_of_column() const;
  bool is_decimal_comma(const char* text) const;

  const char* text_;
  unsigned taken_ = 0;
  char separator_ = ' ';  // the separator after the first column and blanks
};

// The columns after the endpoints of an edge. One of the columns after the endpoints may be the
// weight. Other columns after the endpoints, such as times, are counted but not used.

class further_columns {
 public:
  further_columns(const line_blocks& blocks, const list_head& head, edge_list& list)
      : blocks_(blocks), head_(head), list_(list) {}

  /// Reads the columns of `line` from the third on, which are in `rest`. Throws `error` (input) if
  /// a requested weight is not a number.
  void read(const char* line, const line_columns& rest) {
    const bool plain = at_end_of_line(rest.place()) && head_.columns == 2 && !head_.weight_column;
    if (!plain) read_them(line, rest);
  }

  /// Reads columns that are separated by tabs. `rest` has the columns from the third on, or is
  /// empty. Throws the errors of `read`.
  void read_tabbed(std::string_view line, std::optional<std::string_view> rest);

 private:
  void read_them(const char* line, line_columns rest);
  void take_weight(std::string_view column);
  void compare_count(const char* line, std::uint64_t count);

  const line_blocks& blocks_;
  const list_head& head_;
  edge_list& list_;
};

/// Returns the text without the blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace atl::graph
