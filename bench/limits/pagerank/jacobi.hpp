#pragma once
// PageRank by Jacobi's method in double precision, with OpenMP. Every vertex adds up the
// contributions of its neighbours. The rank of vertices without arcs is distributed over all
// vertices.

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
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  jacobi(const csr& graph, const parameters& with);

  /// Iterates, beginning with equal ranks. The benchmark times this function.
  void run();

  /// Returns the ranks of the last run.
  std::span<const double> ranks() const { return {ranks_.data(), ranks_.size()}; }
  std::uint64_t iterations() const { return iterations_; }
  double residual() const { return residual_; }

 private:
  /// Computes the contributions of all vertices. Returns the total rank of the vertices without
  /// arcs.
  double give();
  /// Computes the new ranks. Returns the sum of the absolute changes of all ranks.
  double take(double everybody);

  const csr& graph_;
  parameters with_;
  huge_array<double> ranks_, given_;
  std::uint64_t iterations_ = 0;
  double residual_ = 0;
};

}  // namespace bench::pagerank
