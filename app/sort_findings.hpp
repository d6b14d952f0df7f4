#pragma once
// What a job of `atoll sort` finds out.

#include "atoll/kernels/sort/run.hpp"
#include "atoll/kernels/sort/validation.hpp"

#include <optional>
#include <vector>

namespace atl::app {

struct sort_findings {
  std::uint64_t keys = 0;
  unsigned bits = 0;                                       ///< of the largest key
  double read_seconds = 0;                                 ///< of a file
  std::vector<kernels::sort::run_outcome> trials;          ///< timed ones
  std::optional<kernels::sort::run_outcome> by_delegates;  ///< beside the last trial
  std::optional<kernels::sort::sort_check>
      check;                     ///< with --verify: the first that was wrong, or the last
  std::uint64_t bytes_peak = 0;  ///< of all processes, as the system counts

  /// The tested keys of NAS had the published ranks in all trials.
  bool passed() const {
    const auto is_right = [](const auto& one) { return one.passed(); };
    return std::ranges::all_of(trials, is_right) && (!by_delegates || is_right(*by_delegates));
  }
  bool right() const { return passed() && (!check || check->right()); }
};

}  // namespace atl::app
