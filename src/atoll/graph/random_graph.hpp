#pragma once
// What a random_graph_generator is made of. Who makes edges of one kind in a hot loop takes the
// generator of that kind.

#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/uniform.hpp"
#include "atoll/graph/web.hpp"
#include "atoll/random_graph.hpp"

#include <variant>

namespace atl::graph {

using any_generator = std::variant<kronecker_generator, uniform_generator, web_generator>;

}  // namespace atl::graph
