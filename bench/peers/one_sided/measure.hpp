#pragma once
// Measures an operation, checks the moved data and prints the line of process 0.

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// Measures, checks and prints. All processes call this function. If any data are wrong, returns
/// false on all processes and prints no line.
bool examine(library& all, operation& operation, const options& o);

}  // namespace bench::one_sided
