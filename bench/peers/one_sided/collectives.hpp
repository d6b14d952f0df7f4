#pragma once
// Collective operations that move data.

#include <memory>

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// Makes the measured operation: a broadcast, a reduction to all processes or to one process, or an
/// all-to-all exchange. The operation calls `library`.
std::unique_ptr<operation> make_collective(library& all, const options& o);

}  // namespace bench::one_sided
