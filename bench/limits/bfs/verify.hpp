#pragma once
// Checks a search by a serial one.

#include "search.hpp"

namespace bench::bfs {

/// Whether the last search of `found` reached what a serial search from `root` reaches, each vertex
/// by an edge from a vertex of the level before its own.
bool is_right(const csr& graph, const searcher& found, vertex root);

}  // namespace bench::bfs
