#pragma once
// A program that uses all kinds of events, as a list. Each event waits for some earlier events of
// the list. Other events are ended by moves, which any PE makes at any time. Neither this file nor
// ends.hpp uses the runtime.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace atl::test {

enum class event_kind {
  user,
  all,
  settled,
  any,
  promised,
  spawned,
  filled,
  copied,
  acquired,
  released,
  phase
};
inline constexpr std::size_t k_event_kinds = 11;

enum class ends { triggered, failed, never };

inline constexpr std::size_t k_most_events = 2048;
using event_set = std::bitset<k_most_events>;

/// An event of a program. Its number is its place in the program.
struct event_plan {
  event_kind kind = event_kind::user;
  /// Numbers of the events for which this event waits; they are smaller than its own. A release
  /// waits for its precondition and for its acquisition. A phase waits for the previous phase and
  /// for the preconditions of its arrivals.
  std::vector<std::size_t> inputs{};
  /// of a user event or an operation; never: a phase that lacks an arrival
  ends own_end = ends::triggered;
  int made_by = 0;
  int ended_by = 0;  ///< PE that triggers the event or runs the operation
  std::vector<int> awaited_by{};
  std::size_t of = 0;       ///< the reservation, or the barrier
  std::uint32_t mode = 0;   ///< of an acquisition; 0: exclusive
  std::uint64_t phase = 0;  ///< of the barrier
  std::uint64_t chance = 0;
  /// The event whose words the operation copies or reads. These words must be complete before the
  /// operation begins.
  std::optional<std::size_t> source{};
  std::vector<std::size_t> inside{};  ///< acquisitions that are held while the operation runs

  // The model fills in the following members.
  ends end = ends::never;
  std::set<std::size_t> errors{};  ///< numbers of the errors with which the event may fail
  event_set before{};              ///< events that have ended when this event has ended, including
                                   ///< itself
  std::uint64_t words = 0;         ///< final words of a fill or copy
};

enum class move_kind { end, arrive, leave, invite, look };

/// A move of a PE, apart from making events.
struct move_plan {
  move_kind kind = move_kind::end;
  std::size_t step = 0;   ///< the event that must have been made before
  std::size_t event = 0;  ///< a user event that is ended, or the phase of the move
  int pe = 0;
  std::size_t member = 0;                     ///< of the barrier
  std::optional<std::size_t> precondition{};  ///< of an arrival
  std::int64_t amount = 1;                    ///< arrivals, or the change of their number
  std::int64_t value = 0;
  std::uint64_t ahead = 0;             ///< number of phases until an added member takes part
  std::vector<std::size_t> invited{};  ///< members
};

struct barrier_plan {
  int home = 0;
  std::int64_t expected = 0;
  std::vector<std::size_t> phases{};  ///< their events
  std::vector<std::int64_t> sums{};
};

struct program_plan {
  std::vector<event_plan> events;
  std::vector<move_plan> moves;  ///< in the order of their steps
  std::vector<barrier_plan> barriers;
  std::size_t reservations = 0;
  std::vector<std::size_t> barrier_of;  ///< the barrier of each member that ever exists
  std::uint64_t chance = 0;
};

}  // namespace atl::test
