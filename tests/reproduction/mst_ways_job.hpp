#pragma once
// Finds minimum spanning forests by the algorithms of the papers, for tests.

#include "kernels/mst_job.hpp"
#include "reproduction/mst/find.hpp"

namespace mst_job {

/// Finds a forest by two-sided messages, and compares it with the expected forest. One task calls
/// this function.
inline task<> compare_two_sided(const weighted_graph& of, int chunks, reproduction::mst_ways how) {
  const auto find = [graph = &of, chunks, how]() -> task<found_forest> {
    reproduction::two_sided_exchange others(chunks);
    co_return co_await all_find<std::uint32_t>(*graph, others, how);
  };
  compare(co_await from_all_pes(find), of);
}

}  // namespace mst_job
