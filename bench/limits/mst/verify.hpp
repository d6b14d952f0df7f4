#pragma once
// Checks a forest by another method.

#include "kruskal.hpp"

namespace bench::mst {

/// Returns whether the forest has the weight and the number of edges of a minimum spanning forest.
bool is_right(const huge_array<weighted_edge>& edges, const kruskal& found);

}  // namespace bench::mst
