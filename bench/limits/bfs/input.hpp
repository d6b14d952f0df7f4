#pragma once
// Two sources of edges: Atoll's Kronecker generator, and a plain list of edges.

#include <string>
#include <vector>

#include "csr.hpp"

namespace bench::bfs {

struct input {
  huge_array<input_edge> edges;
  std::uint64_t vertices = 0;
};

/// Generates the graph that `atoll bench bfs --scale --edge-factor --seed` searches.
input generate(std::uint64_t scale, std::uint64_t edge_factor, std::uint64_t seed);

/// Reads lines "u v". The vertices are 0 to the largest id. Throws bad_input with the file and the
/// line of a mistake.
input read_edge_list(const std::string& file);

/// Returns the same roots as Atoll chooses: `count` different vertices that have an edge. If there
/// are fewer such vertices, returns all of them.
std::vector<vertex> choose_roots(const csr& graph, std::uint64_t seed, std::uint64_t count);

}  // namespace bench::bfs
