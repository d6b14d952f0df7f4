#pragma once
// What a vertex may be called.

#include <cstddef>
#include <string_view>

namespace atl::graph {

inline constexpr std::size_t longest_name = 65535;

/// Where a name goes wrong, and how.
struct name_fault {
  std::size_t position = 0;
  std::string_view complaint;  // empty: the name is fine
};

/// Names are text of at most `longest_name` bytes, without control characters.
name_fault fault_of_name(std::string_view name);

}  // namespace atl::graph
