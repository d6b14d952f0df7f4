#pragma once

#include "atoll/memory/reduction.hpp"
#include "atoll/region/strided.hpp"

namespace atl::regions {

/// How partial results are reduced into the elements of another instance: by their owner alone.
template <reduction_operation Operation>
struct applying {
  using value = typename Operation::value;
  using partial = typename Operation::partial;
  static constexpr bool reaches_others = false;

  Operation operation;

  std::size_t source_bytes() const { return sizeof(partial); }

  void operator()(const strided& to, const strided& from, const extents& extent) const {
    const strided_pair both(to, from, extent);
    const std::int64_t length = both.extent[2];
    if (both.to.step[2] == sizeof(value) && both.from.step[2] == sizeof(partial)) {
      both.for_each_row([&](std::byte* row, const std::byte* partials) {
        auto* const data = reinterpret_cast<value*>(row);
        const auto* const more = reinterpret_cast<const partial*>(partials);
        for (std::int64_t k = 0; k < length; ++k) operation.apply(data[k], more[k]);
      });
    } else {
      both.for_each_row([&](std::byte* row, const std::byte* partials) {
        for (std::int64_t k = 0; k < length; ++k)
          operation.apply(*reinterpret_cast<value*>(row + k * both.to.step[2]),
                          *reinterpret_cast<const partial*>(partials + k * both.from.step[2]));
      });
    }
  }
};

}  // namespace atl::regions
