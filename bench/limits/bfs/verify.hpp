#pragma once
// Checks a search by a serial one.

#include "csr.hpp"

namespace bench::bfs {

/// Whether a search has reached what a serial one from `root` reaches, each vertex by an edge from
/// a vertex of the level before its own. `parents` are negative where nothing was reached; the root
/// is its own.
bool is_right(const csr& graph, std::span<const std::int32_t> parents, vertex root);

}  // namespace bench::bfs
