#pragma once
// Random graphs of a kind that is known only when the program runs.

#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/uniform.hpp"
#include "atoll/graph/web.hpp"

#include <variant>

namespace atl {

/// Makes edges: a function object, cheap to copy. Who makes edges of one kind in a hot loop takes
/// the generator of that kind.
class random_graph_generator {
 public:
  /// Throws `error` (input) for parameters out of range.
  explicit random_graph_generator(const generator_parameters& parameters);

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const;

 private:
  std::variant<kronecker_generator, uniform_generator, web_generator> generator_;
};

}  // namespace atl
