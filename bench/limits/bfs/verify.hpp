#pragma once
// Checks a search by a serial one.

#include "csr.hpp"

namespace bench::bfs {

/// Returns whether a search reached the same vertices as a serial search from `root`, each by an
/// edge from a vertex of the previous level. `parents` are negative for unreached vertices; the
/// root is its own parent.
bool is_right(const csr& graph, std::span<const std::int32_t> parents, vertex root);

}  // namespace bench::bfs
