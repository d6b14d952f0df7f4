#pragma once
// What `atoll cc` was asked for.

#include "app/graph_flags.hpp"
#include "atoll/kernels/cc/meetings.hpp"

#include <optional>
#include <string>
#include <vector>

namespace atl::app {

struct cc_flags : graph_flags {
  benchmark_flags common;
  std::optional<kernels::cc::set_form> set;  ///< by traversals and a set in this form
  std::uint64_t traversals = 64;             ///< that begin at random vertices of each PE
  std::uint64_t largest = 5;                 ///< components that are shown one by one
};

/// The forms as the user names them, in the order of `set_form`.
inline const std::vector<std::string> k_set_forms = {"delegates", "simple", "combining", "tuned"};

}  // namespace atl::app
