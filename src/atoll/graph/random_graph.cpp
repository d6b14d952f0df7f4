#include "atoll/random_graph.hpp"

#include "atoll/graph/random_graph.hpp"

#include <new>
#include <type_traits>

namespace atl {
namespace {

using graph::any_generator;

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

random_graph_generator::random_graph_generator(const generator_parameters& parameters) {
  static_assert(sizeof(any_generator) <= sizeof generator_);
  static_assert(alignof(any_generator) <= alignof(std::uint64_t));
  static_assert(std::is_trivially_copyable_v<any_generator>);
  ::new (generator_.data()) any_generator(generator_of_kind(parameters));
}

edge random_graph_generator::operator()(std::uint64_t index) const {
  const auto& generator = *std::launder(reinterpret_cast<const any_generator*>(generator_.data()));
  return std::visit([index](const auto& make) { return make(index); }, generator);
}

}  // namespace atl
