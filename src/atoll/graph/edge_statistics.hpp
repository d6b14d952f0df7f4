#pragma once
// What readers ask of a list of edges beside what graph_files.hpp tells.

#include "atoll/graph_files.hpp"

#include <cstdint>
#include <span>

namespace atl {

/// The smallest id; 2^64 - 1 without edges.
std::uint64_t least_vertex_of(std::span<const edge> edges);

}  // namespace atl
