#pragma once
// Operations of all processes that move data.

#include <memory>

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// broadcast, allreduce, reduce-to-one or all-to-all, as the library has it.
std::unique_ptr<operation> make_collective(library& all, const options& o);

}  // namespace bench::one_sided
