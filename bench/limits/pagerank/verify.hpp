#pragma once
// Checks ranks by a serial computation.

#include <cstdint>
#include <span>

#include "limits/bfs/csr.hpp"

namespace bench::pagerank {

/// Whether every rank is, to 1e-9 of itself, what as many serial iterations come to.
bool is_right(const bfs::csr& graph, double damping, std::uint64_t iterations,
              std::span<const double> found);

}  // namespace bench::pagerank
