#pragma once
// Columns of a line behind the ends of its edge: one may be the weight; what else is there, such as
// times, is left out and counted.

#include "atoll/graph/edge_list.hpp"
#include "atoll/graph/io/field.hpp"
#include "atoll/graph/io/line_blocks.hpp"
#include "atoll/graph/io/line_columns.hpp"
#include "atoll/graph/io/list_head.hpp"

#include <optional>
#include <string_view>

namespace atl::graph {

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
