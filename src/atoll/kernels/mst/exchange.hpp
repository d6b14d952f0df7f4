#pragma once
// What the exchanges between PEs of Atoll have in common.
//
// An Exchange is what mnd.hpp asks of whoever carries its lists: `pe`, `pes`, `now`, `sum`;
// `all_pairs`, a list for each PE; `shift`, along a ring; `gather`, at a leader; `charge`, told of
// what a PE has done; what times it asks for `barrier` and `maximum` as well. Its coroutines are of
// its own kind, `task<T>`. What a PE can do by itself while lists are on their way it hands over as
// `meanwhile`, which is called once by every PE that takes part, before anything is applied; of
// `gather` by the leader alone, where it has others.

#include "atoll/collectives.hpp"
#include "atoll/kernels/mst/lists.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <functional>

namespace atl::kernels::mst {

struct exchange_basis {
  template <class T>
  using task = atl::task<T>;

  static int pe() { return my_pe(); }
  static int pes() { return atl::pes(); }

  /// In seconds.
  static double now() { return static_cast<double>(atl::now()) * 1e-9; }

  static task<void> barrier() { co_await all_barrier(); }

  /// This PE has done so much.
  static void charge(work_kind what, std::uint64_t count) { atl::charge(unit_of(what), count); }

  /// Of all PEs, on all of them; every PE calls it.
  static task<double> maximum(double value) {
    co_return co_await all_reduce(value, [](double a, double b) { return std::max(a, b); });
  }
  static task<std::uint64_t> sum(std::uint64_t value) {
    co_return co_await all_reduce(value, std::plus<>());
  }
  static task<std::vector<std::uint64_t>> sum(std::vector<std::uint64_t> values) {
    co_return co_await all_reduce(std::move(values), std::plus<>());
  }

 private:
  static work::unit unit_of(work_kind what) {
    constexpr work::unit units[] = {work::forest_edge_built,      work::forest_edge_scanned,
                                    work::forest_edge_relabelled, work::forest_edge_merged,
                                    work::forest_edge_sorted,     work::component_visited,
                                    work::exchange_call};
    return units[static_cast<std::size_t>(what)];
  }
};

}  // namespace atl::kernels::mst
