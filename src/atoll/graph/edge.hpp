#pragma once
// What a graph is made of before it is a graph: edges between numbered vertices.

#include <compare>
#include <cstdint>

namespace atl {

/// The largest number a vertex may have: global addresses hold 48 bits of offset.
inline constexpr std::uint64_t largest_vertex = (std::uint64_t{1} << 48) - 1;

/// A pair of vertex numbers. Whether the order matters is up to who uses it.
struct edge {
  std::uint64_t from;
  std::uint64_t to;

  friend constexpr auto operator<=>(const edge&, const edge&) = default;
};

}  // namespace atl
