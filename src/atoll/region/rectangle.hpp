#pragma once
// Points and dense rectangles of one to three dimensions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace atl {
namespace regions {

/// The largest number there is, where it is more.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t whole = 0;
  return __builtin_mul_overflow(a, b, &whole) ? UINT64_MAX : whole;
}

}  // namespace regions

/// Coordinates of an element.
template <std::size_t N>
using point = std::array<std::int64_t, N>;

/// All points with low <= p < high in each dimension. By default none.
template <std::size_t N>
struct rectangle {
  static_assert(N >= 1 && N <= 3, "rectangles have one to three dimensions");

  point<N> low{};
  point<N> high{};

  constexpr rectangle() = default;
  constexpr rectangle(point<N> low_, point<N> high_) : low(low_), high(high_) {}

  /// The largest number there is, where it is more.
  constexpr std::int64_t extent(std::size_t axis) const {
    if (high[axis] <= low[axis]) return 0;
    const auto all = static_cast<std::uint64_t>(high[axis]) - static_cast<std::uint64_t>(low[axis]);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(all, INT64_MAX));
  }
  constexpr point<N> extents() const {
    point<N> all{};
    for (std::size_t axis = 0; axis < N; ++axis) all[axis] = extent(axis);
    return all;
  }
  /// The number of points; the largest number there is, where they are more.
  constexpr std::uint64_t volume() const {
    if (empty()) return 0;
    std::uint64_t points = 1;
    for (std::size_t axis = 0; axis < N; ++axis)
      points = regions::product(points, static_cast<std::uint64_t>(extent(axis)));
    return points;
  }
  constexpr bool empty() const {
    for (std::size_t axis = 0; axis < N; ++axis)
      if (low[axis] >= high[axis]) return true;
    return false;
  }

  constexpr bool contains(const point<N>& p) const {
    for (std::size_t axis = 0; axis < N; ++axis)
      if (p[axis] < low[axis] || p[axis] >= high[axis]) return false;
    return true;
  }
  /// All points of the other one.
  constexpr bool contains(const rectangle& other) const {
    return other.empty() || intersection(*this, other) == other;
  }

  friend constexpr rectangle intersection(const rectangle& a, const rectangle& b) {
    rectangle both;
    for (std::size_t axis = 0; axis < N; ++axis) {
      both.low[axis] = std::max(a.low[axis], b.low[axis]);
      both.high[axis] = std::min(a.high[axis], b.high[axis]);
    }
    return both;
  }
  friend constexpr bool operator==(const rectangle&, const rectangle&) = default;
};

/// The points 0 <= p < extents.
template <std::size_t N>
constexpr rectangle<N> rectangle_of(const point<N>& extents) {
  return {point<N>{}, extents};
}

/// The numbers begin <= i < end.
constexpr rectangle<1> interval(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

namespace regions {

template <std::size_t N>
constexpr point<N> difference_of(point<N> a, const point<N>& b) {
  for (std::size_t axis = 0; axis < N; ++axis) a[axis] -= b[axis];
  return a;
}

/// Calls `visit(p)` for each point, the last dimension running fastest.
template <std::size_t N, class Visit>
void for_each_point(const rectangle<N>& all, const Visit& visit) {
  if (all.empty()) return;
  for (point<N> p = all.low;;) {
    visit(p);
    std::size_t axis = N;
    while (axis-- > 0) {
      if (++p[axis] < all.high[axis]) break;
      p[axis] = all.low[axis];
      if (axis == 0) return;
    }
  }
}

}  // namespace regions
}  // namespace atl
