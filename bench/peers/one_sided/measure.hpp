#pragma once
// Measures an operation, checks what it moved and prints the line of process 0.

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// Collective. False on all processes, and no line, where anything moved wrongly.
bool examine(library& all, operation& operation, const options& o);

}  // namespace bench::one_sided
