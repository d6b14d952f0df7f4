#pragma once
// Points, rectangles of one to three dimensions, and sets of points that are composed of
// rectangles.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace atl {

// This part defines points and rectangles of one to three dimensions.

namespace regions {

/// Returns a * b, or the largest number of 64 bits if the product overflows.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t whole = 0;
  return __builtin_mul_overflow(a, b, &whole) ? UINT64_MAX : whole;
}

}  // namespace regions

/// The coordinates of an element in N dimensions.
template <std::size_t N>
using point = std::array<std::int64_t, N>;

/// A rectangle: all points p with low <= p < high in each dimension. By default the rectangle has
/// no points.
template <std::size_t N>
struct rectangle {
  static_assert(N >= 1 && N <= 3, "rectangles have one to three dimensions");

  point<N> low{};
  point<N> high{};

  constexpr rectangle() = default;
  constexpr rectangle(point<N> low_, point<N> high_) : low(low_), high(high_) {}

  /// Returns the number of coordinates along `axis`. If the number exceeds the largest
  /// std::int64_t, returns that largest value.
  constexpr std::int64_t extent(std::size_t axis) const {
    if (high[axis] <= low[axis]) return 0;
    const auto all = static_cast<std::uint64_t>(high[axis]) - static_cast<std::uint64_t>(low[axis]);
    return static_cast<std::int64_t>(std::min<std::uint64_t>(all, INT64_MAX));
  }
  /// Returns the extents along all axes.
  constexpr point<N> extents() const {
    point<N> all{};
    for (std::size_t axis = 0; axis < N; ++axis) all[axis] = extent(axis);
    return all;
  }
  /// Returns the number of points. If the number exceeds the largest std::uint64_t, returns that
  /// largest value.
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
  /// Returns whether all points of `other` are in this rectangle.
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

/// Returns the rectangle of the points with 0 <= p < extents in each dimension.
template <std::size_t N>
constexpr rectangle<N> rectangle_of(const point<N>& extents) {
  return {point<N>{}, extents};
}

/// Returns the rectangle of one dimension with the numbers begin <= i < end.
constexpr rectangle<1> interval(std::int64_t begin, std::int64_t end) { return {{begin}, {end}}; }

namespace regions {

template <std::size_t N>
constexpr point<N> difference_of(point<N> a, const point<N>& b) {
  for (std::size_t axis = 0; axis < N; ++axis) a[axis] -= b[axis];
  return a;
}

/// Calls `visit(p)` for each point, in row-major order: the last coordinate changes fastest.
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

// Sets of points, which are composed of rectangles, with union, intersection and difference.
//
// A set of N dimensions is stored as a list of slabs. A slab consists of an interval of the first
// coordinate and of a section, which is a set of N-1 dimensions. The slab has all points whose
// first coordinate is in the interval and whose other coordinates are in the section. Neighbouring
// slabs with equal sections are merged, so equal sets have equal lists. Each operation merges two
// sorted lists in each dimension.

template <std::size_t N>
class index_space;

/// A set of points without coordinates, which ends the recursion over dimensions. The set is empty,
/// or has the one such point.
template <>
class index_space<0> {
 public:
  explicit constexpr index_space(bool is_there = false) : is_there_(is_there) {}
  constexpr bool empty() const { return !is_there_; }
  constexpr std::uint64_t volume() const { return is_there_ ? 1 : 0; }
  template <class Keep>
  static constexpr index_space combined(const index_space& a, const index_space& b, Keep keep) {
    return index_space(keep(a.is_there_, b.is_there_));
  }
  friend constexpr bool operator==(const index_space&, const index_space&) = default;

 private:
  bool is_there_;
};

/// A set of points. The object is a value on one PE and cannot be sent to another PE, but its
/// rectangles can.
template <std::size_t N>
class index_space {
 public:
  using section = index_space<N - 1>;
  struct slab {
    std::int64_t begin;
    std::int64_t end;
    section across;
    friend bool operator==(const slab&, const slab&) = default;
  };

  index_space() = default;
  index_space(const rectangle<N>& points) {
    if (!points.empty()) append(points.low[0], points.high[0], section_of(points));
  }

  bool empty() const { return slabs_.empty(); }
  /// Returns the number of points.
  std::uint64_t volume() const {
    std::uint64_t points = 0;
    for (const slab& each : slabs_)
      points += regions::product(static_cast<std::uint64_t>(each.end) -
                                     static_cast<std::uint64_t>(each.begin),
                                 each.across.volume());
    return points;
  }
  bool contains(const point<N>& p) const { return !(*this & index_space(single(p))).empty(); }

  /// Calls `visit(rectangle)` for disjoint rectangles whose union is the set. The rectangles come
  /// in ascending order of their lowest points.
  template <class Visit>
  void for_each_rectangle(const Visit& visit) const {
    for (const slab& each : slabs_) {
      if constexpr (N == 1) {
        visit(rectangle<1>{{each.begin}, {each.end}});
      } else {
        each.across.for_each_rectangle([&](const rectangle<N - 1>& inner) {
          rectangle<N> whole;
          whole.low[0] = each.begin;
          whole.high[0] = each.end;
          std::copy(inner.low.begin(), inner.low.end(), whole.low.begin() + 1);
          std::copy(inner.high.begin(), inner.high.end(), whole.high.begin() + 1);
          visit(whole);
        });
      }
    }
  }

  /// Returns the smallest rectangle that contains all points of the set.
  rectangle<N> bounds() const {
    rectangle<N> all;
    bool is_first = true;
    for_each_rectangle([&](const rectangle<N>& each) {
      for (std::size_t axis = 0; axis < N; ++axis) {
        all.low[axis] = is_first ? each.low[axis] : std::min(all.low[axis], each.low[axis]);
        all.high[axis] = is_first ? each.high[axis] : std::max(all.high[axis], each.high[axis]);
      }
      is_first = false;
    });
    return all;
  }

  /// Appends a slab after all other slabs. `begin` must not be less than the end of the last slab.
  void append(std::int64_t begin, std::int64_t end, section across) {
    if (begin >= end || across.empty()) return;
    if (!slabs_.empty() && slabs_.back().end == begin && slabs_.back().across == across)
      slabs_.back().end = end;
    else
      slabs_.push_back({begin, end, std::move(across)});
  }

  /// Returns the points for which `keep(is in a, is in b)` is true. Points that are in neither set
  /// are never part of the result.
  template <class Keep>
  static index_space combined(const index_space& a, const index_space& b, Keep keep) {
    index_space result;
    cursor of_a(a), of_b(b);
    for (std::int64_t at = std::min(of_a.begin(), of_b.begin()); at != k_highest;) {
      const section& in_a = of_a.section_at(at);
      const section& in_b = of_b.section_at(at);
      const std::int64_t next = std::min(of_a.next_change(at), of_b.next_change(at));
      result.append(at, next, section::combined(in_a, in_b, keep));
      at = next;
    }
    return result;
  }

  friend index_space operator|(const index_space& a, const index_space& b) {
    return combined(a, b, [](bool in_a, bool in_b) { return in_a || in_b; });
  }
  friend index_space operator&(const index_space& a, const index_space& b) {
    return combined(a, b, [](bool in_a, bool in_b) { return in_a && in_b; });
  }
  friend index_space operator-(const index_space& a, const index_space& b) {
    return combined(a, b, [](bool in_a, bool in_b) { return in_a && !in_b; });
  }
  friend bool operator==(const index_space&, const index_space&) = default;

 private:
  static constexpr std::int64_t k_highest = std::numeric_limits<std::int64_t>::max();

  /// Visits the slabs of a list in ascending order.
  class cursor {
   public:
    explicit cursor(const index_space& all) : next_(all.slabs_.data()), end_(next_ + all.size()) {}

    std::int64_t begin() const { return next_ != end_ ? next_->begin : k_highest; }
    const section& section_at(std::int64_t at) {
      static const section none{};
      while (next_ != end_ && next_->end <= at) ++next_;
      return next_ != end_ && next_->begin <= at ? next_->across : none;
    }
    /// Returns the smallest coordinate above `at` where the section changes.
    std::int64_t next_change(std::int64_t at) const {
      for (const slab* each = next_; each != end_; ++each) {
        if (each->begin > at) return each->begin;
        if (each->end > at) return each->end;
      }
      return k_highest;
    }

   private:
    const slab* next_;
    const slab* end_;
  };

  static section section_of(const rectangle<N>& points) {
    if constexpr (N == 1) {
      return section(true);
    } else {
      rectangle<N - 1> inner;
      std::copy(points.low.begin() + 1, points.low.end(), inner.low.begin());
      std::copy(points.high.begin() + 1, points.high.end(), inner.high.begin());
      return section(inner);
    }
  }
  static rectangle<N> single(const point<N>& p) {
    rectangle<N> one{p, p};
    for (auto& coordinate : one.high) ++coordinate;
    return one;
  }
  std::size_t size() const { return slabs_.size(); }

  std::vector<slab> slabs_;
};

}  // namespace atl
