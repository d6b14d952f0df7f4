#pragma once
// The base class of every Exchange (a class that transfers lists between PEs) that uses Atoll.
//
// An Exchange is a class that transfers lists between PEs for mnd.hpp. The members `pe` and `pes`
// return the number of this PE and the number of all PEs. The member `now` returns the time, and
// `sum` adds up numbers over all PEs. The coroutine `all_pairs` sends one list to each PE, `shift`
// sends a list along a ring, and `gather` collects lists at a leader. The member `charge` reports
// the work of a PE to a cost model. Timing code also needs `barrier` and `maximum`. The coroutines
// have the type `task<T>` of the Exchange. The parameter `meanwhile` is a function with work for
// the time while lists are in flight. On every participating PE, the Exchange calls `meanwhile`
// once, before the PE processes any received list. In `gather`, the Exchange calls `meanwhile` only
// on the leader of a group that has other members.

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

  /// Returns the time in seconds.
  static double now() { return static_cast<double>(atl::now()) * 1e-9; }

  static task<void> barrier() { co_await all_barrier(); }

  /// Records work of this PE for the cost model.
  static void charge(work_kind what, std::uint64_t count) { atl::charge(unit_of(what), count); }

  /// Returns the maximum of `value` over all PEs. Every PE calls this function.
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
