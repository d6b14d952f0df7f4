#pragma once
// What a job of `atoll pagerank` finds out.

#include "app/graph_findings.hpp"
#include "atoll/kernels/pagerank/run.hpp"

namespace atl::app {

struct shown_rank {
  shown_vertex of;
  double rank = 0;
};

struct pagerank_findings : graph_findings {
  std::vector<kernels::pagerank::run_outcome> trials;  ///< timed ones
  double plan_seconds = 0;  ///< to prepare what is the same in all trials
  std::vector<shown_rank> top;
  bool directed = false;  ///< edges lead one way

  bool right() const { return found().vertices == 0; }

  /// The ranks of all trials that are wrong.
  kernels::pagerank::wrong_ranks found() const {
    kernels::pagerank::wrong_ranks sum;
    for (const auto& trial : trials) sum = sum + trial.found;
    return sum;
  }

  /// Of the last trial.
  kernels::pagerank::convergence ended() const { return trials.back().ended; }
};

}  // namespace atl::app
