#pragma once
// An undirected graph with weights as compressed sparse rows, in the layout of Atoll's rows. The
// targets of a row are in ascending order. The weights are doubles in a separate array.

#include <cstdint>
#include <span>
#include <string>

#include "atoll/random_graph.hpp"
#include "support/huge_array.hpp"

namespace bench::paths {

using vertex = std::uint32_t;

/// An edge as read or generated. Duplicates and self loops have not been removed.
struct weighted_edge {
  vertex from, to;
  double weight;
};

struct input {
  huge_array<weighted_edge> edges;
  std::uint64_t vertices = 0;
};

/// Generates the graph that `atoll bench paths` searches, with weights from 1 to 255.
input generate(const atl::generator_parameters& parameters);

/// Reads lines "u v weight". The vertices are 0 to the largest id. If a line is wrong, throws
/// bad_input with the name of the file.
input read_edge_list(const std::string& file);

/// Rows of neighbours without duplicates and self loops. Each undirected edge is two arcs. The
/// weight of an arc is the smallest weight among the duplicates of its edge.
class graph {
 public:
  /// Makes the rows. Throws std::runtime_error if memory does not suffice.
  explicit graph(const input& from);

  std::uint64_t vertices() const { return offsets_.size() - 1; }
  /// Returns twice the number of undirected edges.
  std::uint64_t arcs() const { return offsets_[vertices()]; }
  std::uint64_t degree(vertex v) const { return offsets_[v + 1] - offsets_[v]; }
  std::span<const vertex> targets(vertex v) const {
    return {targets_.data() + offsets_[v], degree(v)};
  }
  const double* weights(vertex v) const { return weights_.data() + offsets_[v]; }

  double sum_of_weights() const;

 private:
  huge_array<std::uint64_t> offsets_;
  huge_array<vertex> targets_;
  huge_array<double> weights_;
};

}  // namespace bench::paths
