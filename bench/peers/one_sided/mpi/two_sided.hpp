#pragma once
// Two-sided operations between two processes: sends and receives.

#include <memory>

#include "peers/one_sided/operation.hpp"

namespace bench::one_sided {

/// Makes put, get, put-nbi, get-nbi or ring. The time of put and get is half a round trip of a
/// message and its answer.
std::unique_ptr<operation> make_two_sided(library& all, const options& o);

}  // namespace bench::one_sided
