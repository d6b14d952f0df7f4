#pragma once
// Betweenness by the algorithm of Brandes (2001), level by level, on the threads of OpenMP.

#include <cstdint>
#include <vector>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::betweenness {

using bfs::csr;
using bfs::vertex;

class brandes {
 public:
  /// Allocates and touches the memory that runs on `graph` need. The graph must outlive this
  /// object.
  explicit brandes(const csr& graph);

  /// Adds up the dependencies of all sources. The benchmark times this function.
  void run(const std::vector<std::uint64_t>& sources);

  /// Returns the sum of the last run over all sources.
  double score(vertex v) const { return scores_[v]; }

 private:
  struct reached {
    vertex v;
    double paths;
  };

  void search(vertex source);
  void pull_from_all();
  void pull_where_told(const std::vector<vertex>& last);
  void accumulate();
  template <class Value>
  double sum_over(vertex v, const Value& values) const;
  void take(std::vector<std::vector<reached>>& found);

  const csr& graph_;
  huge_array<double> paths_;  // 0: not reached
  huge_array<double> given_;  // the dependency of a vertex plus 1, by its paths
  huge_array<double> scores_;
  huge_array<std::uint8_t> is_told_;
  std::vector<std::vector<vertex>> levels_;
  std::uint64_t arcs_not_reached_ = 0;
};

/// Returns whether the scores are those of a serial program, to a relative 1e-9.
bool is_right(const csr& graph, const std::vector<std::uint64_t>& sources, const brandes& found);

}  // namespace bench::betweenness
