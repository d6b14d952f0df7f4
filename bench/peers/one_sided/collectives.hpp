#pragma once
// Collective operations that move data.

#include <memory>

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// Makes broadcast, allreduce, reduce-to-one or all-to-all by calls of the library.
std::unique_ptr<operation> make_collective(library& all, const options& o);

}  // namespace bench::one_sided
