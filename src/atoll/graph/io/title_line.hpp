#pragma once
// What a line of titles calls the columns below it.

#include <cstdint>
#include <span>
#include <string_view>

namespace atl::graph {

/// Columns count from 1 on; 0: no title is that.
struct title_line {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::uint64_t weight = 0;

  title_line() = default;

  /// Of the titles, in quotes or not: "Source", "from_node_id", "dst", "Weight".
  explicit title_line(std::span<const std::string_view> titles);

  bool has_ends() const { return source != 0 && target != 0; }
};

}  // namespace atl::graph
