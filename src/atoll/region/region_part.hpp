#pragma once

#include "atoll/region/field_part.hpp"

#include <utility>

namespace atl {
namespace regions {

/// Throws atl::error (input): an instance does not have these points.
[[noreturn]] void refuse_points(const extents& low, const extents& high, const extents& lowest,
                                const extents& highest, std::size_t dimensions);

template <std::size_t N>
extents padded(const point<N>& p) {
  extents all{};
  std::copy(p.begin(), p.end(), all.begin());
  return all;
}

template <std::size_t N>
void check_points(const rectangle<N>& points, const rectangle<N>& within) {
  if (!within.contains(points)) [[unlikely]]
    refuse_points(padded(points.low), padded(points.high), padded(within.low), padded(within.high),
                  N);
}

}  // namespace regions

/// A rectangle of the elements of one field of an instance. A plain value, which travels. Its own
/// points are counted from its lowest corner.
template <class T, std::size_t N>
class region_part {
 public:
  explicit region_part(const regions::field_part<N>& described) : described_(described) {}

  point<N> extents() const { return described_.extents(); }

  /// Those of its elements. Throws atl::error (input) where it has not all of them.
  region_part cut(const rectangle<N>& own) const {
    regions::check_points(own, rectangle_of(extents()));
    region_part smaller = *this;
    smaller.described_.points = described_.in_instance(own);
    return smaller;
  }

  /// The same elements with two dimensions exchanged.
  region_part transposed(std::size_t a = N - 2, std::size_t b = N - 1) const
    requires(N > 1)
  {
    ATOLL_ASSERT(a < N && b < N, "only dimensions that there are can be exchanged");
    region_part other = *this;
    std::swap(other.described_.axes[a], other.described_.axes[b]);
    return other;
  }

  const regions::field_part<N>& described() const { return described_; }

 private:
  regions::field_part<N> described_;
};

}  // namespace atl
