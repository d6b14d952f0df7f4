#pragma once
// PageRank by Jacobi's method in double precision, on the threads of OpenMP: every vertex adds up
// what its neighbours give. What vertices without arcs have goes to all.

#include <cstdint>
#include <span>

#include "limits/bfs/csr.hpp"
#include "parameters.hpp"
#include "support/huge_array.hpp"

namespace bench::pagerank {

using bfs::csr;
using bfs::vertex;

class jacobi {
 public:
  /// Allocates and touches what runs on this graph need; the graph must outlive it.
  jacobi(const csr& graph, const parameters& with);

  /// Iterates from equal ranks on. This is what is timed.
  void run();

  /// Results of the last run.
  std::span<const double> ranks() const { return {ranks_.data(), ranks_.size()}; }
  std::uint64_t iterations() const { return iterations_; }
  double residual() const { return residual_; }

 private:
  /// Returns what vertices without arcs have.
  double give();
  /// Returns by how much ranks have changed.
  double take(double everybody);

  const csr& graph_;
  parameters with_;
  huge_array<double> ranks_, given_;
  std::uint64_t iterations_ = 0;
  double residual_ = 0;
};

}  // namespace bench::pagerank
