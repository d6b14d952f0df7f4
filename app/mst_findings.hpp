#pragma once
// What a job of `atoll mst` finds out.

#include "app/graph_findings.hpp"
#include "atoll/kernels/mst/run.hpp"
#include "atoll/kernels/mst/validation.hpp"

namespace atl::app {

struct mst_findings : graph_findings {
  std::vector<kernels::mst::run_outcome> trials;                  ///< timed ones
  std::optional<kernels::mst::forest_check<std::int64_t>> check;  ///< with --verify
  bool weights_of_file = false;
  std::uint64_t bytes_peak = 0;  ///< of all processes, as the system counts them

  /// All trials have found the same weight and number of edges, and those of the check.
  bool right() const { return fault_text().empty(); }

  /// What is wrong first, in one sentence; empty when all is right.
  std::string fault_text() const;
};

}  // namespace atl::app
