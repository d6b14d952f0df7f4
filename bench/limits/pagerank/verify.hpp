#pragma once
// Checks ranks by a serial computation.

#include "jacobi.hpp"

namespace bench::pagerank {

/// Whether every rank is, to 1e-9 of itself, what as many serial iterations come to.
bool is_right(const csr& graph, const parameters& with, const jacobi& found);

}  // namespace bench::pagerank
