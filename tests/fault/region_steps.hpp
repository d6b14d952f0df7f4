#pragma once
// Each step of fault_dependents uses region instances. The instances are made, copied, filled,
// reduced into, and destroyed. The memory of the instances is on one PE, on one node, or spread
// over all PEs.

#include "atoll/atoll.hpp"

namespace dependents {

using namespace atl;

using grid = region_instance<2, std::uint64_t>;
using sums = region_instance<1, std::uint64_t>;

struct shared_regions {
  grid rows;   ///< one row for each PE, which the previous PE in the ring writes
  grid board;  ///< the transposed rows, in the memory of the last PE's node
  sums totals;
};

inline constexpr std::int64_t k_columns = 33;

inline task<shared_regions> make_shared_regions() {
  const std::int64_t all = pes();
  shared_regions made{
      make_instance<std::uint64_t>(rectangle_of<2>({all, k_columns}), instance_placement::spread()),
      make_instance<std::uint64_t>(rectangle_of<2>({k_columns, all}),
                                   instance_placement::in_node_memory_of(pes() - 1)),
      make_instance<std::uint64_t>(interval(0, all), instance_placement::spread())};
  co_await made.rows.ready();
  co_await made.board.ready();
  co_await made.totals.ready();
  co_return made;
}

/// Adds one to the neighbour's sum through a list instance, which keeps a list of contributions.
/// Adds one to each PE's sum through a fold instance, which keeps a partial result for each
/// element.
inline task<> add_ones(shared_regions all, int neighbour) {
  list_instance list(sum<std::uint64_t>(), all.totals.part());
  fold_instance fold(sum<std::uint64_t>(), all.totals.part());
  list.reduce(static_cast<std::uint64_t>(neighbour), 1);
  for (int pe = 0; pe < pes(); ++pe) fold.reduce(static_cast<std::uint64_t>(pe), 1);
  const event merged[] = {list.merge(), fold.merge()};
  const event both = merge_events(merged);
  co_await both;
}

inline task<> use_regions(shared_regions all, int neighbour, std::uint64_t value) {
  const rectangle<2> row{{neighbour, 0}, {neighbour + 1, k_columns}};
  const grid mine = make_instance<std::uint64_t>(rectangle_of<2>({1, k_columns}));
  const event filled = fill_when(mine.ready(), mine.part(), value);
  const event copied = copy_when(filled, all.rows.part(row), mine.part());
  const auto column = all.board.part().transposed().cut(row);
  const event turned = copy_when(copied, column, all.rows.part(row));
  const event gone = mine.destroy(turned);
  co_await add_ones(all, neighbour);
  co_await gone;
}

inline task<bool> regions_are_right(shared_regions all, std::uint64_t steps) {
  const grid here = make_instance<std::uint64_t>(all.board.bounds());
  const event copied = copy_when(here.ready(), here.part(), all.board.part());
  co_await copied;
  bool right = true;
  const auto elements = here.access();
  regions::for_each_point(here.bounds(), [&](const point<2>& p) { right &= elements[p] == steps; });
  const region_elements<std::uint64_t> totals(all.totals.part());
  for (std::uint64_t pe = 0; pe < totals.size(); ++pe) {
    const std::uint64_t total = co_await totals.read(pe);
    right &= total == steps * (1 + totals.size());
  }
  co_return right;
}

}  // namespace dependents
