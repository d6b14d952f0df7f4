#pragma once
// Active messages of one PE: per-destination aggregation on the way out, delivery run by run on the
// way in. Each part has a file of its own; this is what the layers above call.
//
// Called by its own PE only. Sending never suspends, never runs a handler, and is bounded
// (flow_control.hpp).

#include "atoll/base/bits.hpp"
#include "atoll/base/pe.hpp"
#include "atoll/base/site.hpp"
#include "atoll/message/activity.hpp"
#include "atoll/message/aggregator.hpp"
#include "atoll/message/bins.hpp"
#include "atoll/message/dispatcher.hpp"
#include "atoll/message/flow_control.hpp"
#include "atoll/message/flusher.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/message/parcels.hpp"
#include "atoll/message/remote_activities.hpp"
#include "atoll/message/routes.hpp"
#include "atoll/message/travel.hpp"
#include "atoll/message/untold_failures.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <concepts>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>

namespace atl::message {

/// What a message takes in a run: what needs half a unit of alignment only lies that close. (Never
/// half a unit alone: the end of a run is rounded up, and must not look like one more.)
template <class Closure>
inline constexpr std::size_t k_slot = std::max(
    k_unit, round_up(sizeof(Closure), alignof(Closure) <= k_unit / 2 ? k_unit / 2 : k_unit));

/// The closure says itself how many bytes of payload follow it; else its length travels, too.
template <class Closure>
concept tells_payload = requires(const Closure& closure) {
  { closure.payload_bytes() } -> std::same_as<std::size_t>;
};

/// Where the closure of a message with a payload lies, and where its payload does.
template <class Closure>
inline constexpr std::size_t k_length_bytes = tells_payload<Closure> ? 0 : k_unit;
template <class Closure>
inline constexpr std::size_t k_payload_place =
    k_length_bytes<Closure> + round_up(sizeof(Closure), k_unit);

class engine {
 public:
  engine(pe& self, const settings& options);
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Sends `closure`, to be called as `closure()` on `destination`. Throws atl::error (overflow),
  /// but for control messages: they are small and few, and without them nobody could go on.
  template <traffic Kind, travels Closure>
  void send(int destination, const Closure& closure, site where);

  /// A key that no other run of this PE has.
  run_key new_key() { return ++last_key_; }

  /// Sends on what is on its way to another PE (runs.hpp), as a part of `scope`.
  template <class Closure>
  void send_on(int destination, const Closure& closure, activity& scope) {
    send_by_relay<traffic::relayed>(destination, closure, &scope, site::current());
  }

  /// What messages in delivery belong to that are sent on: leaves together with those of others.
  activity& scope_of_relayed(bool are_leaves);

  /// Sends `closure` with a copy of `payload`, to be called as `closure(std::span<const
  /// std::byte>)`. At most `payload_capacity<Closure>()` bytes; as many as the closure's
  /// `payload_bytes()`, where it has that.
  template <traffic Kind, travels Closure>
  void send_with(int destination, const Closure& closure, std::span<const std::byte> payload,
                 site where);

  /// The largest payload `send_with` takes beside a closure of this type.
  template <class Closure>
  std::size_t payload_capacity() const {
    return (transport_.buffer_capacity() - k_parcel_overhead - k_run_overhead -
            k_payload_place<Closure>) /
           k_unit * k_unit;
  }

  /// Whether messages wait for others at all.
  bool aggregates() const { return aggregator_.aggregates(); }

  /// Whether there are PEs to which messages are relayed that may be (runs.hpp).
  bool relays() const { return routes_.relays(); }

  /// The node of each PE, as messages are routed.
  std::span<const int> nodes() const { return routes_.nodes(); }

  /// Messages wait for room: send only what is bounded, until `progress` has moved them on.
  bool congested() const { return flow_.congested(); }

  /// Not congested, and not so much sent since the last `progress` that what has arrived comes
  /// first.
  bool has_room() const { return flow_.has_room(); }

  /// For what a task begins by messages that are owed: throws where a message that may be refused
  /// would be.
  void check_room(site where) const { flow_.check(where); }

  /// There is no room any more, until the next `progress`.
  void end_round() { flow_.end_round(); }

  /// Hands over every partly filled buffer, and what waits in bins. True if there was any.
  bool flush() { return flusher_.flush(); }

  /// The same for what is in a buffer with messages for `destination`.
  void flush(int destination) { aggregator_.flush(destination); }

  /// The same for a PE that has nothing else to do: but what is for another node, and what is
  /// beside that in a buffer for a mate, waits for company, for a while.
  bool flush_when_idle() { return flusher_.flush_when_idle(); }

  /// The same if that is so many bytes at least: for small messages that other PEs wait for.
  void flush_from(std::size_t bytes, int destination) {
    if (aggregator_.to(destination).bytes() >= bytes) aggregator_.flush(destination);
  }

  /// Hands over what has been partly filled for longer than the setting flush-age, or is so large
  /// that more would gain nothing. True if there was any.
  bool flush_old() { return flusher_.flush_old(); }

  /// Hands over everything for other PEs, also what waits for room. Blocks, and delivers nothing
  /// meanwhile: for the last that this PE sends, to PEs that still take it.
  void flush_and_drain();

  /// From now on each message goes straight to its destination. For the last that this PE sends:
  /// PEs that have got theirs hand on nothing any more.
  void send_directly();

  /// Calls `send`; what it sends to `destination`, and to nobody else, goes straight there and at
  /// once, whatever the routing: for the few messages that somebody waits for idly.
  template <class Send>
  void at_once(int destination, const Send& send) {
    outgoing& detour = aggregator_.begin_detour(destination);
    try {
      send();
    } catch (...) {
      aggregator_.end_detour(detour);
      throw;
    }
    aggregator_.end_detour(detour);
  }

  /// Delivers what has arrived and moves waiting buffers on. True if anything happened.
  bool progress();

  /// Blocks until there is something to do, or `deadline`.
  void wait(transport::nanoseconds deadline);

  /// The activity that what is sent or spawned now belongs to (activity.hpp).
  activity& enclosing() const { return context_.enclosing(); }
  activity** enclosing_slot() const { return context_.slot(); }
  void enter(activity** slot) { context_.enter(slot); }

  /// The PE whose message is being executed; the last one on its way where it is relayed. Within
  /// handlers only.
  int source() const { return dispatcher_.source(); }

  /// Application messages created and executed by this PE so far, those to itself included.
  std::uint64_t created() const { return aggregator_.created() + bins_.waiting(); }
  std::uint64_t executed() const {
    return dispatcher_.executed_of_others() + dispatcher_.executed_of_own();
  }
  std::uint64_t executed_of_others() const { return dispatcher_.executed_of_others(); }

  acknowledger& acknowledgements() { return acknowledgements_; }
  const acknowledger& acknowledgements() const { return acknowledgements_; }

  /// Exceptions on their way to whoever waits for them.
  untold_failures& failures() { return failures_; }

  /// Says which of them are old. Throws the first where the job has to end by it.
  void look_at_failures(transport::nanoseconds time) {
    failures_.look(self_.rank, time, flow_.has_much());
  }

  /// Rethrows what left a handler that belongs to no activity.
  void throw_unscoped_failure() { context_.throw_unscoped_failure(); }

  /// Brings the counters of this PE up to date.
  void update_counters();

  // For the functions that execute runs.
  void count_executed(traffic kind, std::uint64_t messages, std::uint64_t bytes,
                      std::uint64_t lines) {
    dispatcher_.count_executed(kind, messages, bytes, lines);
  }
  void count_relayed(std::uint64_t messages, std::uint64_t bytes) {
    dispatcher_.count_relayed(messages, bytes);
  }
  void handler_failed(traffic kind, const std::exception_ptr& exception) {
    if (!has_scope(kind)) return context_.unscoped().fail(exception);
    fail_in(enclosing(), exception, {});
  }

  /// `pe` cannot execute what this PE has sent it for `handler`.
  [[noreturn]] void fail_unknown(int pe, handler_name handler) {
    handlers_.fail_unknown_to(pe, handler);
  }

  /// An exception has left a part of this activity: a task that was spawned there, or a handler.
  void fail_in(activity& of, const std::exception_ptr& exception, site spawned) {
    if (of.failure) return;  // the first one counts
    of.fail(exception);
    failures_.add(exception, spawned, transport_.now());
  }

  /// A part of this activity has ended here with a failure, which is untold yet.
  void pass_on(activity& to, const std::exception_ptr& failure) {
    if (to.failure) {  // the first one counts
      failures_.drop(failure);
    } else {
      to.fail(failure);
    }
  }

 private:
  /// Sends messages that have a part in common (common_part.hpp).
  template <traffic Kind, class Value>
  friend class sender_in_common;

  template <traffic Kind, class Closure>
  void send_first(outgoing& out, int destination, const Closure& closure, activity* scope,
                  site where);
  template <traffic Kind, class Closure>
  void send_by_relay(int destination, const Closure& closure, activity* scope, site where);
  template <traffic Kind, class Closure>
  static new_run run_of(run_function run, activity* scope);
  template <class Closure>
  static void store_message(std::byte*& cursor, const Closure& closure);
  template <traffic Kind, class Closure>
  void append(run_function run, int destination, const Closure& closure, activity* scope,
              site where);
  static void relayed_are_done(activity& batch);
  bool deliver();
  bool relieve();

  pe& self_;
  transport::endpoint& transport_;
  handler_table handlers_;
  route_table routes_;
  flow_control flow_;
  aggregator aggregator_;
  activity_context context_;
  bins bins_;
  flusher flusher_;
  remote_activities remotes_;
  relay_batches relayed_;
  acknowledger acknowledgements_;
  untold_failures failures_;
  dispatcher dispatcher_;
  run_key last_key_ = k_no_address;
};

}  // namespace atl::message

#include "atoll/message/engine_inline.hpp"
