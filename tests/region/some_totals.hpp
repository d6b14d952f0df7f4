#pragma once
// Makes instances for tests of reductions.

#include "atoll/instance.hpp"

#include <vector>

namespace atl::test {

using totals = region_instance<1, std::int8_t, std::int64_t>;
using total_part = region_part<std::int64_t, 1>;

/// A sum whose partial sums have a different type than the elements.
struct adding {
  using value = std::int64_t;
  using partial = std::int32_t;

  partial identity() const { return 0; }
  void apply(value& data, partial more) const { data += more; }
  void fold(partial& left, partial right) const { left += right; }
};

inline task<std::vector<std::int64_t>> elements_of(total_part part) {
  const auto here = make_instance<std::int64_t>(rectangle_of<1>(part.extents()));
  const event copied = copy_when(here.ready(), here.part(), part);
  co_await copied;
  std::vector<std::int64_t> all;
  const auto elements = here.access();
  for (std::int64_t k = 0; k < part.extents()[0]; ++k) all.push_back(elements[k]);
  co_await here.destroy();
  co_return all;
}

}  // namespace atl::test
