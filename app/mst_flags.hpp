#pragma once
// What `atoll mst` was asked for.

#include "app/benchmark.hpp"
#include "app/graph_flags.hpp"
#include "atoll/kernels/mst/mnd.hpp"

#include <cstdint>

namespace atl::app {

/// How PEs talk to each other.
enum class mst_exchange : std::uint8_t { one_sided, two_sided };

struct mst_flags : graph_flags {
  benchmark_flags common;
  kernels::mst::parameters how;
  mst_exchange exchange = mst_exchange::one_sided;
  std::uint64_t group = 4;
  std::uint64_t chunks = 8;
  bool hashed_weights = false;  ///< whether the file has weights or not
};

}  // namespace atl::app
