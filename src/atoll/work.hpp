#pragma once
// Counters of the work that an algorithm has done, such as edges scanned. In a job on a modelled
// cluster, the model multiplies each counter by a time per unit. The result estimates how long the
// algorithm would compute on a real cluster of this kind.
//
// A call of `charge` costs one addition. Algorithms call `charge` once for a whole piece of work,
// not in their inner loops.

#include "atoll/base/pe.hpp"
#include "atoll/observe/counters.hpp"

namespace atl {

namespace work {

using unit = observe::counter observe::counters::*;

inline constexpr unit line_touched = &observe::counters::lines_touched;
inline constexpr unit tree_node_hashed = &observe::counters::tree_nodes_hashed;
inline constexpr unit edge_scanned = &observe::counters::edges_scanned;
inline constexpr unit vertex_visited = &observe::counters::vertices_visited;
inline constexpr unit place_scrambled = &observe::counters::places_scrambled;
inline constexpr unit byte_copied = &observe::counters::bytes_copied;
inline constexpr unit forest_edge_built = &observe::counters::forest_edges_built;
inline constexpr unit forest_edge_scanned = &observe::counters::forest_edges_scanned;
inline constexpr unit forest_edge_relabelled = &observe::counters::forest_edges_relabelled;
inline constexpr unit forest_edge_merged = &observe::counters::forest_edges_merged;
inline constexpr unit forest_edge_sorted = &observe::counters::forest_edges_sorted;
inline constexpr unit component_visited = &observe::counters::components_visited;
inline constexpr unit key_counted = &observe::counters::keys_counted;
inline constexpr unit key_placed = &observe::counters::keys_placed;
inline constexpr unit key_appended = &observe::counters::keys_appended;
inline constexpr unit contribution_summed = &observe::counters::contributions_summed;
inline constexpr unit contribution_combined = &observe::counters::contributions_combined;
inline constexpr unit rank_updated = &observe::counters::ranks_updated;
inline constexpr unit exchange_call = &observe::counters::exchange_calls;
inline constexpr unit request_combined = &observe::counters::requests_combined;
inline constexpr unit event_made = &observe::counters::events_made;
inline constexpr unit waiter_woken = &observe::counters::waiters_woken;
inline constexpr unit reservation_granted = &observe::counters::reservations_granted;
inline constexpr unit requests_served = &observe::counters::requests_served;

}  // namespace work

/// Adds `count` units of work to a counter of this PE, as in `charge(work::edge_scanned, n)`. In a
/// job on a modelled cluster, the call also advances the clock of this PE by the time of this work.
/// In other jobs, the call changes only the counter. Call `charge` only within a job. Does not
/// block.
inline void charge(work::unit what, std::uint64_t count) noexcept {
  this_pe().counters->*what += count;
}

}  // namespace atl
