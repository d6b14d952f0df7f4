#pragma once
// Compares ranks with those of a serial computation.

#include <cstdint>
#include <span>

#include "limits/bfs/csr.hpp"

namespace bench::pagerank {

/// Returns whether every rank agrees with the rank after `iterations` serial iterations. The
/// relative error may be at most 1e-9.
bool is_right(const bfs::csr& graph, double damping, std::uint64_t iterations,
              std::span<const double> found);

}  // namespace bench::pagerank
