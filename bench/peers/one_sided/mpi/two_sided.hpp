#pragma once
// Operations between two processes that both know of: sends and receives.

#include <memory>

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// put, get (both a message and its answer, half the time), put-nbi, get-nbi or ring.
std::unique_ptr<operation> make_two_sided(library& all, const options& o);

}  // namespace bench::one_sided
