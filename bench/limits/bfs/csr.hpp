#pragma once
// An undirected graph as compressed sparse rows, with 32-bit ids and offsets: small rows are what
// makes the search fast.

#include <cstdint>
#include <span>

#include "support/huge_array.hpp"

namespace bench::bfs {

using vertex = std::uint32_t;

/// An edge as it was read or generated: duplicates and self loops still there.
struct input_edge {
  vertex from, to;
};

/// Every neighbour once, no self loops, in the order that Atoll's rows have: those with most binary
/// digits in their degree first, so that a search from below soon finds one in the frontier.
class csr {
 public:
  /// Throws std::runtime_error for more than 2^31 edges or vertices.
  csr(std::uint64_t vertices, std::span<const input_edge> edges);

  std::uint64_t vertices() const { return offsets_.size() - 1; }
  /// Twice the number of undirected edges.
  std::uint64_t arcs() const { return offsets_[vertices()]; }
  std::uint32_t degree(vertex v) const { return offsets_[v + 1] - offsets_[v]; }
  std::span<const vertex> neighbours(vertex v) const {
    return {targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1]};
  }
  /// Asks for the beginning of the neighbours of `v`.
  void prefetch(vertex v) const { __builtin_prefetch(targets_.data() + offsets_[v]); }

 private:
  void scatter(std::span<const input_edge> edges);
  void remove_duplicates();
  void order_by_degree();

  huge_array<std::uint32_t> offsets_;
  huge_array<vertex> targets_;
};

}  // namespace bench::bfs
