#pragma once
// Checks a forest by another method.

#include "kruskal.hpp"

namespace bench::mst {

/// Whether the forest has the weight and the number of edges of the lightest one.
bool is_right(const huge_array<weighted_edge>& edges, const kruskal& found);

}  // namespace bench::mst
