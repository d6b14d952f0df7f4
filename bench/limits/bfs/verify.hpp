#pragma once
// Compares a search with a serial search.

#include "csr.hpp"

namespace bench::bfs {

/// Returns whether a search has reached the same vertices as a serial search from `root`. Each
/// vertex must be reached by an edge from a vertex of the previous level. `parents` is negative for
/// unreached vertices, and the root is its own parent.
bool is_right(const csr& graph, std::span<const std::int32_t> parents, vertex root);

}  // namespace bench::bfs
