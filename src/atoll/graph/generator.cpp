#include "atoll/graph/generator.hpp"

#include "atoll/error.hpp"

#include <limits>

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

}  // namespace atl
