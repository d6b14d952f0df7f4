#pragma once
// Performs label propagation (CDLP of LDBC Graphalytics) with OpenMP.

#include <cstdint>
#include <utility>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::label_propagation {

using bfs::csr;
using bfs::vertex;

class propagation {
 public:
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  explicit propagation(const csr& graph);

  /// Performs `iterations` iterations, but ends early after an iteration that changes no label. The
  /// benchmark times this function.
  void run(std::uint64_t iterations);

  std::uint64_t iterations() const { return iterations_; }

  /// Returns the label that the last run gave to `v`.
  vertex label(vertex v) const { return labels_[v]; }

 private:
  std::uint64_t renew();

  const csr& graph_;
  huge_array<vertex> labels_, next_;
  std::uint64_t iterations_ = 0;
};

/// Returns whether the labels equal the labels of a serial program, which sorts the labels of
/// neighbours.
bool is_right(const csr& graph, std::uint64_t iterations, const propagation& found);

}  // namespace bench::label_propagation
