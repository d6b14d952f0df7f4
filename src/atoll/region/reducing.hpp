#pragma once

#include "atoll/message/outgoing.hpp"
#include "atoll/reduction.hpp"
#include "atoll/region/strided.hpp"

#include <cstring>

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
        for (std::int64_t k = 0; k < length; ++k)
          apply_one(row + k * std::int64_t{sizeof(value)},
                    partials + k * std::int64_t{sizeof(partial)});
      });
    } else {
      both.for_each_row([&](std::byte* row, const std::byte* partials) {
        for (std::int64_t k = 0; k < length; ++k)
          apply_one(row + k * both.to.step[2], partials + k * both.from.step[2]);
      });
    }
  }

 private:
  /// In a message a partial result may be less aligned than its type asks for.
  void apply_one(std::byte* data, const std::byte* more) const {
    auto& into = *reinterpret_cast<value*>(data);
    if constexpr (alignof(partial) <= message::k_unit) {
      operation.apply(into, *reinterpret_cast<const partial*>(more));
    } else {
      alignas(partial) std::array<std::byte, sizeof(partial)> aligned;
      std::memcpy(aligned.data(), more, sizeof(partial));
      operation.apply(into, *reinterpret_cast<const partial*>(aligned.data()));
    }
  }
};

}  // namespace atl::regions
