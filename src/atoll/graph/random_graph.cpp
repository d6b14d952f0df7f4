#include "atoll/graph/random_graph.hpp"

namespace atl {
namespace {

using any_generator = std::variant<kronecker_generator, uniform_generator, web_generator>;

any_generator generator_of_kind(const generator_parameters& parameters) {
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

}  // namespace

random_graph_generator::random_graph_generator(const generator_parameters& parameters)
    : generator_(generator_of_kind(parameters)) {}

edge random_graph_generator::operator()(std::uint64_t index) const {
  return std::visit([index](const auto& make) { return make(index); }, generator_);
}

}  // namespace atl
