#pragma once
// The common base of all PageRank programs over MPI. The base class updates the ranks of this
// process, and computes sums over all processes after each iteration.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "limits/pagerank/parameters.hpp"
#include "peers/graph/input.hpp"

namespace bench::peers {

class iteration {
 public:
  iteration(partition where, const mpi_session& all, const rows& arcs,
            const pagerank::parameters& with)
      : where_(where), with_(with), degrees_(where.size(all.rank)) {
    for (std::size_t row = 0; row < degrees_.size(); ++row) degrees_[row] = arcs.degree(row);
  }

  const partition& where() const { return where_; }
  std::uint32_t degree(std::size_t row) const { return degrees_[row]; }
  std::uint64_t iterations() const { return iterations_; }
  double residual() const { return sums_.residual; }

  /// Sets all ranks to the same value.
  void start(std::span<double> ranks) {
    std::ranges::fill(ranks, 1 / vertices());
    iterations_ = 0;
    sums_ = {};
    for (std::size_t row = 0; row < ranks.size(); ++row)
      sums_.dangling += degrees_[row] == 0 ? ranks[row] : 0;
    all_add();
  }

  /// Computes each rank from `sum(row)`, which adds the contributions of neighbours, and from a
  /// share that is equal for all vertices. Returns whether another iteration is needed. All
  /// processes call this function.
  template <class Sum>
  bool all_take(std::span<double> ranks, const Sum& sum) {
    const double everybody = (1 - with_.damping + with_.damping * sums_.dangling) / vertices();
    sums_ = {};
    for (std::size_t row = 0; row < ranks.size(); ++row) {
      const double rank = everybody + with_.damping * sum(row);
      sums_.residual += std::abs(rank - ranks[row]);
      sums_.dangling += degrees_[row] == 0 ? rank : 0;
      ranks[row] = rank;
    }
    all_add();
    return ++iterations_ < with_.max_iterations && sums_.residual >= with_.tolerance;
  }

 private:
  struct sums {
    double residual = 0, dangling = 0;
  };

  double vertices() const { return static_cast<double>(where_.vertices()); }
  void all_add() { MPI_Allreduce(MPI_IN_PLACE, &sums_, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

  partition where_;
  pagerank::parameters with_;
  std::vector<std::uint32_t> degrees_;
  std::uint64_t iterations_ = 0;
  sums sums_;
};

}  // namespace bench::peers
