#pragma once
// An undirected graph in compressed sparse rows (CSR). Ids and offsets have 32 bits, because small
// rows make the search fast.

#include <cstdint>
#include <span>

#include "support/huge_array.hpp"

namespace bench::bfs {

using vertex = std::uint32_t;

/// An edge as read or generated. Duplicates and self loops were not removed.
struct input_edge {
  vertex from, to;
};

/// The rows of neighbours, without duplicates and self loops. As in Atoll, neighbours of large
/// degree come first, ordered by the number of binary digits of the degree. A bottom-up search then
/// soon finds a neighbour in the frontier.
class csr {
 public:
  /// Makes the rows. Throws std::runtime_error if there are more than 2^31 edges or vertices.
  csr(std::uint64_t vertices, std::span<const input_edge> edges);

  std::uint64_t vertices() const { return offsets_.size() - 1; }
  /// Returns twice the number of undirected edges.
  std::uint64_t arcs() const { return offsets_[vertices()]; }
  std::uint32_t degree(vertex v) const { return offsets_[v + 1] - offsets_[v]; }
  std::span<const vertex> neighbours(vertex v) const {
    return {targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1]};
  }
  /// Prefetches the first neighbours of `v`.
  void prefetch(vertex v) const { __builtin_prefetch(targets_.data() + offsets_[v]); }

 private:
  void scatter(std::span<const input_edge> edges);
  void remove_duplicates();
  void order_by_degree();

  huge_array<std::uint32_t> offsets_;
  huge_array<vertex> targets_;
};

}  // namespace bench::bfs
