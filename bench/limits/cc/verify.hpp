#pragma once
// Checks components by a serial search.

#include "afforest.hpp"

namespace bench::cc {

/// Whether every vertex has the smallest vertex for a label that a path leads to.
bool is_right(const csr& graph, const afforest& found);

}  // namespace bench::cc
