#pragma once
// Compares components with those of a serial search.

#include "afforest.hpp"

namespace bench::cc {

/// Returns whether the label of every vertex is the smallest vertex of its component.
bool is_right(const csr& graph, const afforest& found);

}  // namespace bench::cc
