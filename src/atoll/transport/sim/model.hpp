#pragma once
// The parameters of the cluster model, as they stand in model.def, and what the settings make of
// them.

#include "atoll/observe/counters.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/transport.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace atl::transport::sim {

using picoseconds = std::int64_t;
inline constexpr picoseconds per_nanosecond = 1000;

/// What one more of something counted costs: time of the processor, lines touched at random, and
/// bytes between its node's memory and it.
struct price {
  observe::counter observe::counters::* counter;
  picoseconds each;
  std::int64_t lines;
  std::int64_t bytes;
};

struct model {
#define ATOLL_NETWORK(name, papers, modern, unit, meaning, source) std::int64_t name = papers;
#define ATOLL_MEMORY(name, papers, modern, unit, meaning, source) std::int64_t name = papers;
#define ATOLL_PRICE(...)
#include "atoll/transport/sim/model.def"
#undef ATOLL_PRICE
#undef ATOLL_MEMORY
#undef ATOLL_NETWORK

  std::vector<price> prices;

  /// That of the settings sim-model, sim-prices and sim-vary, in this order. Throws `error`
  /// (input).
  static model of(const settings& options);
};

}  // namespace atl::transport::sim
