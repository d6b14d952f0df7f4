#pragma once
// Edges between numbered vertices, from which graphs are made.

#include <compare>
#include <cstdint>

namespace atl {

/// The largest number of a vertex. Vertex numbers have 48 bits, like the offsets in global
/// addresses.
inline constexpr std::uint64_t largest_vertex = (std::uint64_t{1} << 48) - 1;

/// A pair of vertex numbers. The program decides whether the order of the two vertices matters.
struct edge {
  std::uint64_t from;
  std::uint64_t to;

  friend constexpr auto operator<=>(const edge&, const edge&) = default;
};

}  // namespace atl
