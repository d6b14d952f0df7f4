#include "atoll/graph/generator.hpp"

#include "atoll/base/bits.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/random_graph.hpp"
#include "atoll/random_graph.hpp"

#include <limits>
#include <new>
#include <type_traits>

namespace atl {

void generator_parameters::check() const {
  if (scale > largest_scale) {
    fail(errc::input, "scale: {} is out of range (0 to {})", scale, largest_scale);
  }
  constexpr auto most_vertices = std::uint64_t{1} << largest_scale;
  if (exact_vertices > most_vertices) {
    fail(errc::input, "vertices: {} is out of range (1 to {})", exact_vertices, most_vertices);
  }
  if (!(edges_per_vertex >= 0 && edges_per_vertex <= largest_edges_per_vertex) ||
      edges_per_vertex * static_cast<double>(vertices()) >= 0x1p63) {
    fail(errc::input, "edges-per-vertex: {} is out of range for {} vertices", edges_per_vertex,
         vertices());
  }
  const auto largest_factor = std::numeric_limits<std::uint64_t>::max() / vertices();
  if (edges_per_vertex == 0 && edge_factor > largest_factor) {
    fail(errc::input, "edge-factor: {} is out of range {} (0 to {})", edge_factor,
         exact_vertices == 0 ? fmt::format("at scale {}", scale)
                             : fmt::format("for {} vertices", exact_vertices),
         largest_factor);
  }
}

std::uint64_t root_candidate(const generator_parameters& parameters, std::uint64_t k) {
  return root_candidate(parameters.seed, parameters.vertices(), k);
}

std::uint64_t root_candidate(std::uint64_t seed, std::uint64_t vertices, std::uint64_t k) {
  const auto key = graph::key_of(seed, graph::random_purpose::roots);
  return uniform_below(random_at(key, k), vertices);
}

std::int64_t random_weight(const generator_parameters& parameters, std::uint64_t index) {
  const auto key = graph::key_of(parameters, graph::random_purpose::weights);
  return 1 + static_cast<std::int64_t>(uniform_below(random_at(key, index), 255));
}

namespace {

const generator_parameters& checked(const generator_parameters& parameters) {
  parameters.check();
  if (parameters.exact_vertices != 0) {
    fail(errc::input, "vertices: {}: a Kronecker graph has 2^scale vertices",
         parameters.exact_vertices);
  }
  return parameters;
}

}  // namespace

kronecker_generator::kronecker_generator(const generator_parameters& parameters)
    : words_(ceil_divide<std::uint64_t>(checked(parameters).scale, levels_a_word)),
      excess_(static_cast<unsigned>(words_ * levels_a_word - parameters.scale)),
      key_(graph::key_of(parameters, graph::random_purpose::kronecker)),
      scramble_(graph::key_of(parameters, graph::random_purpose::scramble),
                static_cast<unsigned>(parameters.scale)) {}

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
