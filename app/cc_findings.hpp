#pragma once
// What a job of `atoll cc` finds out.

#include "app/graph_findings.hpp"
#include "atoll/kernels/cc/run.hpp"

namespace atl::app {

struct shown_component {
  shown_vertex smallest;
  std::uint64_t vertices = 0;
};

struct cc_findings : graph_findings {
  std::vector<kernels::cc::run_outcome> trials;  ///< timed ones
  kernels::cc::component_sizes sizes;
  std::vector<shown_component> largest;

  bool right() const { return found().total() == 0; }

  /// The labels of all trials that are wrong.
  kernels::cc::wrong_labels found() const {
    kernels::cc::wrong_labels sum;
    for (const auto& trial : trials) sum = sum + trial.found;
    return sum;
  }
};

}  // namespace atl::app
