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
  explicit random_graph_generator(const generator_parameters& parameters)
      : generator_(of_kind(parameters)) {}

  /// The edge at `index`, in [0, parameters.edges()).
  edge operator()(std::uint64_t index) const {
    return std::visit([index](const auto& make) { return make(index); }, generator_);
  }

 private:
  using any = std::variant<kronecker_generator, uniform_generator, web_generator>;

  static any of_kind(const generator_parameters& parameters) {
    switch (parameters.kind) {
    case graph_kind::uniform:
      return uniform_generator(parameters);
    case graph_kind::web:
      return web_generator(parameters);
    case graph_kind::kronecker:
      break;
    }
    return kronecker_generator(parameters);
  }

  any generator_;
};

}  // namespace atl
