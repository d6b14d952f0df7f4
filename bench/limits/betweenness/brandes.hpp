#pragma once
// Computes betweenness by the algorithm of Brandes (2001), level by level, with OpenMP.

#include <cstdint>
#include <vector>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::betweenness {

using bfs::csr;
using bfs::vertex;

class brandes {
 public:
  /// Allocates and touches the memory for runs on `graph`. The graph must outlive this object.
  explicit brandes(const csr& graph);

  /// Computes the scores from the dependencies of all sources. The benchmark times this function.
  void run(const std::vector<std::uint64_t>& sources);

  /// Returns the score of `v` in the last run, which is a sum over all sources.
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
  huge_array<double> paths_;  // number of shortest paths to each vertex; 0 if it was not reached
  huge_array<double> given_;  // for each vertex, (1 + its dependency) / number of paths
  huge_array<double> scores_;
  huge_array<std::uint8_t> is_told_;
  std::vector<std::vector<vertex>> levels_;
  std::uint64_t arcs_not_reached_ = 0;
};

/// Returns whether the scores agree with the scores of a serial program. The relative error may be
/// at most 1e-9.
bool is_right(const csr& graph, const std::vector<std::uint64_t>& sources, const brandes& found);

}  // namespace bench::betweenness
