#pragma once
// A random program is a list of events of all kinds. Each event waits for some earlier events of
// the list, and some events end only by an action of a PE (move). Examples of moves are the trigger
// of a user event and an arrival at a barrier. A move can come from any PE, and at any time.
// Neither this file nor ends.hpp uses the runtime, so that the model cannot share faults with the
// runtime.

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

/// An event of a program. The number of an event is its index in the program.
struct event_plan {
  event_kind kind = event_kind::user;
  /// Numbers of the events for which this event waits. The numbers are smaller than this event's
  /// own number. A release waits for its precondition and for its acquisition. A phase waits for
  /// the previous phase and for the preconditions of its arrivals.
  std::vector<std::size_t> inputs{};
  /// The outcome of a user event or an operation. If a phase lacks an arrival, its outcome is
  /// `never`.
  ends own_end = ends::triggered;
  int made_by = 0;
  int ended_by = 0;  ///< the PE that triggers the event or runs the operation
  std::vector<int> awaited_by{};
  std::size_t of = 0;  ///< number of the reservation or of the barrier that the event belongs to
  std::uint32_t mode = 0;   ///< mode of an acquisition; 0 is exclusive
  std::uint64_t phase = 0;  ///< number of the phase within its barrier
  std::uint64_t chance = 0;
  /// The event whose words the operation copies or reads. All words of `source` must be written
  /// before the operation begins.
  std::optional<std::size_t> source{};
  std::vector<std::size_t> inside{};  ///< acquisitions that are held while the operation runs

  // The model computes the following members.
  ends end = ends::never;
  std::set<std::size_t> errors{};  ///< numbers of the errors with which the event may fail
  event_set before{};  ///< the events that have ended when this event has ended, including itself
  std::uint64_t words = 0;  ///< value of each word after a fill or a copy
};

enum class move_kind { end, arrive, leave, invite, look };

/// An action of a PE other than making an event.
struct move_plan {
  move_kind kind = move_kind::end;
  std::size_t step = 0;  ///< the event that must have been made before the action
  /// the user event that the action ends, or the phase of the barrier to which the action belongs
  std::size_t event = 0;
  int pe = 0;
  std::size_t member = 0;                     ///< number of the barrier's member that acts
  std::optional<std::size_t> precondition{};  ///< the event that an arrival waits for
  std::int64_t amount = 1;  ///< number of arrivals, or the change of the number of arrivals
  std::int64_t value = 0;
  std::uint64_t ahead = 0;             ///< number of phases until the added members take part
  std::vector<std::size_t> invited{};  ///< numbers of the added members
};

struct barrier_plan {
  int home = 0;
  std::int64_t expected = 0;
  std::vector<std::size_t> phases{};  ///< the event of each phase
  std::vector<std::int64_t> sums{};
};

struct program_plan {
  std::vector<event_plan> events;
  std::vector<move_plan> moves;  ///< the actions of PEs, sorted by step
  std::vector<barrier_plan> barriers;
  std::size_t reservations = 0;
  /// for each member that ever exists, the number of its barrier
  std::vector<std::size_t> barrier_of;
  std::uint64_t chance = 0;
};

}  // namespace atl::test
