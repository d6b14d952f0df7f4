#pragma once
// Edges between numbered vertices, of which graphs are made.

#include <compare>
#include <cstdint>

namespace atl {

/// The largest number of a vertex: global addresses hold 48 bits of offset.
inline constexpr std::uint64_t largest_vertex = (std::uint64_t{1} << 48) - 1;

/// A pair of vertex numbers. The user decides whether the order matters.
struct edge {
  std::uint64_t from;
  std::uint64_t to;

  friend constexpr auto operator<=>(const edge&, const edge&) = default;
};

}  // namespace atl
