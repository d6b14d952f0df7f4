#pragma once

#include "atoll/region/region_part.hpp"

namespace atl {

/// Elements of one field in memory that this PE can address, by their coordinates. A view: the
/// instance must be there as long as it is used. In debug builds elements that it does not have are
/// refused with atl::error (input).
template <class T, std::size_t N>
class accessor {
 public:
  accessor(std::byte* lowest, const point<N>& steps, const rectangle<N>& points)
      : lowest_(lowest), steps_(steps), points_(points) {}

  const rectangle<N>& points() const { return points_; }

  T& operator[](const point<N>& element) const {
#ifdef ATOLL_CHECKED
    rectangle<N> one{element, element};
    for (auto& coordinate : one.high) ++coordinate;
    regions::check_points(one, points_);
#endif
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < N; ++axis)
      place += (element[axis] - points_.low[axis]) * steps_[axis];
    return *reinterpret_cast<T*>(lowest_ + place);
  }
  T& operator[](std::int64_t element) const
    requires(N == 1)
  {
    return (*this)[point<1>{element}];
  }

 private:
  std::byte* lowest_;
  point<N> steps_;
  rectangle<N> points_;
};

}  // namespace atl
