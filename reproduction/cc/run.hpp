#pragma once
// This file runs the algorithm for connected components by traversals and a global set, on a graph
// that is already built.

#include "atoll/kernels/cc/run.hpp"
#include "reproduction/cc/by_set.hpp"

namespace atl::reproduction::cc {

/// The results of one run, the same on all PEs.
struct outcome_by_set {
  run_outcome run;
  set_counts set;
};

/// Labels all vertices by traversals and a global set. This function replaces `all_run` of the
/// kernel. Every PE must call this function.
template <class Id>
task<outcome_by_set> all_run_by_set(workspace<Id> on, set_workspace<Id> by_set, bool verify) {
  const std::uint64_t sent_before = co_await all_inserts_sent(by_set);
  const auto label = [&] { return all_label_by_set(on.graph.local(), on.forests, by_set); };
  outcome_by_set all;
  all.run = co_await all_time(on, label, verify);
  all.set = co_await all_set_counts(by_set, sent_before);
  co_return all;
}

// The templates are compiled once for vertex numbers of 32 bits and of 64 bits, in run.cpp.
#define ATOLL_CC_RUN_BY_SET(kind, Id)                                                              \
  kind template task<outcome_by_set> all_run_by_set(workspace<Id>, set_workspace<Id>, bool);
ATOLL_CC_RUN_BY_SET(extern, std::uint32_t)
ATOLL_CC_RUN_BY_SET(extern, std::uint64_t)

}  // namespace atl::reproduction::cc
