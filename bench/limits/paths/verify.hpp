#pragma once

#include "delta_stepping.hpp"

namespace bench::paths {

/// Compares distances and parents from `root` with a serial search by Dijkstra's algorithm.
bool is_right(const graph& of, const delta_stepping& found, vertex root);

}  // namespace bench::paths
