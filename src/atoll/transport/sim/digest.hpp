#pragma once
// One number for a whole schedule: equal for equal schedules, and in practice for no others.

#include "atoll/random.hpp"

#include <cstdint>

namespace atl::transport::sim {

class digest {
 public:
  /// Something happened, to this PE, at this time. The order counts.
  void add(char event, int pe, std::int64_t time, std::uint64_t detail = 0) noexcept {
    add(static_cast<std::uint64_t>(event) << 32 | static_cast<std::uint32_t>(pe));
    add(static_cast<std::uint64_t>(time));
    add(detail);
  }

  std::uint64_t value() const noexcept { return value_; }

 private:
  void add(std::uint64_t word) noexcept {
    value_ = hash(value_ + 0x9e3779b97f4a7c15u) ^ hash(~word);
  }

  std::uint64_t value_ = 0;
};

}  // namespace atl::transport::sim
