#pragma once
// Active messages of one PE: per-destination aggregation on the way out, delivery run by run on the
// way in.
//
// Called by its own PE only. Sending never suspends, never runs a handler, and is bounded: what
// finds no room waits in the overflow (overflow.hpp), and while anything waits the engine is
// `congested`, which the loops of the runtime, `room()` and the scheduler heed.

#include "atoll/base/bits.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/overflow.hpp"
#include "atoll/message/parcel.hpp"
#include "atoll/message/routes.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace atoll::message {

/// Who learns that a message was executed. tracked: the activity that was current when it was sent.
/// untracked: nobody (it answers by a message of its own). owed: nobody, and the overflow limit
/// does not refuse it: it follows from a step that cannot be taken back. control: as that, and it
/// is counted as the runtime's own, not as an application message.
enum class traffic { tracked, untracked, owed, control };

/// What travels: copied bitwise, so it must not own or point to anything of its PE.
template <class Closure>
concept travels = std::is_trivially_copyable_v<Closure> && alignof(Closure) <= 64;

/// A buffer of so many bytes gains little by more.
inline constexpr std::size_t k_large_buffer = 4096;

/// What a message takes in a run: what needs half a unit of alignment only lies that close. (Never
/// half a unit alone: the end of a run is rounded up, and must not look like one more.)
template <class Closure>
inline constexpr std::size_t k_slot = std::max(
    k_unit, round_up(sizeof(Closure), alignof(Closure) <= k_unit / 2 ? k_unit / 2 : k_unit));

/// The same where a payload follows.
template <class Closure>
inline constexpr std::size_t k_slot_before_payload = round_up(sizeof(Closure), k_unit);

class engine {
 public:
  engine(pe& self, const settings& options);
  ~engine();
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Sends `closure`, to be called as `closure()` on `destination`. Throws atoll::error (overflow),
  /// but for control messages: they are small and few, and without them nobody could go on.
  template <traffic Kind, travels Closure>
  void send(int destination, const Closure& closure, site where);

  /// Sends `closure` with a copy of `payload`, to be called as `closure(std::span<const
  /// std::byte>)`. At most `payload_capacity<Closure>()` bytes.
  template <traffic Kind, travels Closure>
  void send_with(int destination, const Closure& closure, std::span<const std::byte> payload,
                 site where);

  /// The largest payload `send_with` takes beside a closure of this type.
  template <class Closure>
  std::size_t payload_capacity() const {
    return (transport_.buffer_capacity() - k_parcel_overhead - k_run_overhead - k_unit -
            k_slot_before_payload<Closure>) /
           k_unit * k_unit;
  }

  /// The node of each PE, as messages are routed.
  std::span<const int> nodes() const { return nodes_; }

  /// Messages wait for room: send only what is bounded, until `progress` has moved them on.
  bool congested() const { return congested_; }

  /// Not congested, and not so much sent since the last `progress` that it is the turn of what has
  /// arrived. (Two PEs that send until there is no room, and only then deliver, would take turns.)
  bool has_room() const { return has_room_; }

  /// Hands over every partly filled buffer. True if there was any.
  bool flush();
  void flush(int destination);

  /// The same for a PE that has nothing else to do: but what is for another node waits for company,
  /// for a while.
  bool flush_when_idle();

  /// From now on each message goes straight to its destination. For the last that this PE sends:
  /// PEs that have got theirs hand on nothing any more.
  void send_directly();

  /// Calls `send`; what it sends to `destination`, and to nobody else, goes straight there and at
  /// once, whatever the routing: for the few messages that somebody waits for idly.
  template <class Send>
  void at_once(int destination, const Send& send) {
    const int hop = leave_route(destination);
    try {
      send();
    } catch (...) {
      return_to_route(destination, hop);
      throw;
    }
    return_to_route(destination, hop);
  }

  /// Hands over everything for other PEs, also what waits for room. Blocks, and delivers nothing
  /// meanwhile: for the last that this PE sends, to PEs that still take it.
  void flush_and_drain();

  /// Hands over what has been partly filled for longer than the setting flush-age, or is so large
  /// that more would gain nothing: two PEs whose tasks all wait for answers would else take turns.
  /// True if there was any.
  bool flush_old();

  /// Delivers what has arrived and moves waiting buffers on. True if anything happened. While much
  /// waits for a receiver, no more is delivered here than it takes: each message may send another,
  /// so the PEs that send to this one are to find no room.
  bool progress();

  /// Blocks until there is something to do, or `deadline`.
  void wait(transport::nanoseconds deadline);

  /// The activity that what is sent or spawned now belongs to. `slot` points to the current
  /// context's pointer, so that a change of context is one store.
  activity& enclosing() const { return **enclosing_; }
  activity** enclosing_slot() const { return enclosing_; }
  void enter(activity** slot) { enclosing_ = slot; }

  /// The PE whose message is being executed. Within handlers only.
  int source() const { return source_; }

  /// Application messages created and executed by this PE so far, those to itself included.
  std::uint64_t created() const;
  std::uint64_t executed() const { return executed_of_others_ + executed_of_own_; }
  std::uint64_t executed_of_others() const { return executed_of_others_; }

  /// Acknowledgements sent and received by this PE so far. They too set something off: who waits
  /// for them goes on.
  std::uint64_t acknowledgements_sent() const { return acknowledgements_sent_; }
  std::uint64_t acknowledgements_received() const { return acknowledgements_received_; }

  /// Rethrows what left a handler that belongs to no activity.
  void throw_unscoped_failure() {
    if (unscoped_.failure) [[unlikely]]
      std::rethrow_exception(unscoped_.failure);
  }

  /// Brings the counters of this PE up to date.
  void update_counters();

  // For the functions that execute runs.
  void count_executed(traffic kind, std::uint64_t messages, std::uint64_t bytes,
                      std::uint64_t lines = 0);
  void handler_failed(traffic kind, std::exception_ptr exception) {
    (kind == traffic::tracked ? enclosing() : unscoped_).fail(std::move(exception));
  }

  // For acknowledgements that arrive: an activity of this PE has had `parts` executed elsewhere.
  static void acknowledged(std::uint64_t activity_word, std::uint64_t parts);
  static void acknowledged_failure(std::uint64_t activity_word, std::uint64_t parts, int pe,
                                   std::string_view text);
  void count_acknowledgement() { ++acknowledgements_received_; }

 private:
  struct buffer_state {
    bool in_overflow = false;
    bool listed = false;
    bool distant = false;  ///< on another node
    bool parcel_listed = false;
    transport::nanoseconds opened_at = 0;  ///< or a little earlier
    std::vector<int> parcels;              ///< destinations of those in the buffer that may be open
    std::size_t padding = 0;               ///< what parcels in it have not used
  };

  template <traffic Kind>
  static bool takes(const outgoing& out, run_function run, const activity* scope,
                    std::size_t bytes);
  template <traffic Kind>
  static void count_created(outgoing& out, activity* scope);
  void prepare(int destination, run_function run, traffic kind, activity* scope, std::size_t bytes,
               site where);
  template <class May>
  bool flush_where(const May& may);
  bool flush_large();
  void open_buffer(int destination, traffic kind, site where);
  std::byte* room_in_buffer(int hop, std::size_t bytes, traffic kind, site where);
  void open_parcel(int destination, std::size_t bytes, traffic kind, site where);
  void close_parcel(int destination);
  void close_parcels(int hop);
  int leave_route(int destination);
  void return_to_route(int destination, int hop);
  void route(routing how);
  std::byte* open_in_overflow();
  void check_limit(site where) const;
  void submit(int destination);
  void hand_over(int destination, std::uint32_t bytes);
  /// Not a parcel in the buffer of its hop.
  bool has_open_buffer(int destination) const {
    return hops_[destination] == destination && outgoing_[destination].is_open();
  }
  bool waits_for_room(int destination) const { return buffer_states_[destination].in_overflow; }
  bool may_go(int destination, transport::nanoseconds time);
  void close_where_room_is();
  bool relieve();
  std::uint64_t delivery_allowance();

  void deliver(const transport::delivery& buffer);
  void deliver_messages(const std::byte* at, const std::byte* end);
  void deliver_parcel(const std::byte* parcel, const std::byte* end);
  void open_section(std::uint64_t origin_activity);
  void close_section();
  remote_activity* fresh_remote();
  static void remote_idle(activity& idle);
  void acknowledge(remote_activity& done);

  pe& self_;
  transport::endpoint& transport_;
  observe::recorder& recorder_;
  observe::counters& counters_;
  handler_table handlers_;
  std::vector<outgoing> outgoing_;
  std::vector<buffer_state> buffer_states_;
  std::vector<int> nodes_;
  // The hop of a hop is itself; a parcel that is open is in the list of its hop's open buffer. Only
  // within at_once is a destination its own hop for a while.
  std::vector<int> hops_;
  std::vector<std::size_t> parcel_bytes_;  ///< by hop
  std::uint64_t open_buffers_ = 0;
  activity** enclosing_;
  bool congested_ = false;
  bool has_room_ = true;
  int buffers_this_turn_ = 0;
  bool aggregation_;
  int source_ = 0;
  transport::nanoseconds flush_age_;
  transport::nanoseconds oldest_open_ = transport::forever;
  transport::nanoseconds held_until_ = transport::forever;
  transport::nanoseconds next_distant_ = 0;  ///< when an idle PE may hand one over
  std::vector<int> open_destinations_;
  std::size_t looked_at_ = 0;  // of them, by flush_large
  overflow overflow_;
  int open_in_overflow_ = 0;
  transport::nanoseconds next_delivery_ = 0;

  activity unscoped_;
  activity* unscoped_slot_ = &unscoped_;
  activity* section_ = nullptr;
  remote_activity* section_remote_ = nullptr;
  std::uint64_t executed_of_others_ = 0;
  std::uint64_t executed_of_own_ = 0;
  std::uint64_t tracked_executed_ = 0;
  std::uint64_t section_start_ = 0;
  std::uint64_t acknowledgements_sent_ = 0;
  std::uint64_t acknowledgements_received_ = 0;
  std::vector<std::unique_ptr<remote_activity>> remotes_;
  std::vector<remote_activity*> idle_remotes_;
};

}  // namespace atoll::message

#include "atoll/message/engine_inline.hpp"
