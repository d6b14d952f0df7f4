#pragma once
// The engine sends and delivers the active messages of one PE. Messages are aggregated per
// destination when sent and delivered run by run. Each part of the engine has its own file; this
// one has what the layers above call.
//
// All functions are called by their own PE only. Sending never suspends a task and never runs a
// handler, and its memory is bounded (flow_control.hpp).

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

/// Bytes of one message in a run. A closure that needs at most half a unit of alignment is padded
/// to half a unit only. No message is shorter than a unit: the end of a run is rounded up, and must
/// not look like one more message.
template <class Closure>
inline constexpr std::size_t k_slot = std::max(
    k_unit, round_up(sizeof(Closure), alignof(Closure) <= k_unit / 2 ? k_unit / 2 : k_unit));

/// A closure that knows the length of its payload. For all other closures the message carries the
/// length.
template <class Closure>
concept tells_payload = requires(const Closure& closure) {
  { closure.payload_bytes() } -> std::same_as<std::size_t>;
};

/// Offsets in a message with a payload: first the closure's, then the payload's.
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

  /// Sends `closure`, which is called as `closure()` on `destination`. Throws atl::error
  /// (overflow), except for control messages: they are small and few, and no PE could continue
  /// without them.
  template <traffic Kind, travels Closure>
  void send(int destination, const Closure& closure, site where);

  /// Returns a key that no other run of this PE has.
  run_key new_key() { return ++last_key_; }

  /// Sends a relayed message on its way to another PE (runs.hpp), as a part of `scope`.
  template <class Closure>
  void send_on(int destination, const Closure& closure, activity& scope) {
    send_by_relay<traffic::relayed>(destination, closure, &scope, site::current());
  }

  /// Returns the activity that relayed messages of the current section belong to. Leaf functions
  /// share one batch with those of other sections.
  activity& scope_of_relayed(bool are_leaves);

  /// Sends `closure` with a copy of `payload`, called as `closure(std::span<const std::byte>)`. The
  /// payload has at most `payload_capacity<Closure>()` bytes. If the closure has a
  /// `payload_bytes()`, the payload has exactly that many.
  template <traffic Kind, travels Closure>
  void send_with(int destination, const Closure& closure, std::span<const std::byte> payload,
                 site where);

  /// Returns the largest payload that `send_with` accepts with a closure of this type.
  template <class Closure>
  std::size_t payload_capacity() const {
    return (transport_.buffer_capacity() - k_parcel_overhead - k_run_overhead -
            k_payload_place<Closure>) /
           k_unit * k_unit;
  }

  /// Returns whether messages are aggregated into shared buffers at all.
  bool aggregates() const { return aggregator_.aggregates(); }

  /// Returns whether relayable messages to some PEs are relayed (runs.hpp).
  bool relays() const { return routes_.relays(); }

  /// Returns the node of each PE, as used for routing.
  std::span<const int> nodes() const { return routes_.nodes(); }

  /// Returns whether messages wait for room. Until `progress` has moved them on, send only a
  /// bounded number of messages.
  bool congested() const { return flow_.congested(); }

  /// Returns whether a loop may send more: not congested, and not so much sent since the last
  /// `progress` that arrived messages should be delivered first.
  bool has_room() const { return flow_.has_room(); }

  /// Throws if a message that may be refused would be refused now. A task calls this before it
  /// begins something by messages that are owed.
  void check_room(site where) const { flow_.check(where); }

  /// Makes `has_room` return false until the next `progress`.
  void end_round() { flow_.end_round(); }

  /// Hands over every partly filled buffer, and the messages in bins. Returns true if there was
  /// any.
  bool flush() { return flusher_.flush(); }

  /// Hands over the partly filled buffer that messages for `destination` are in.
  void flush(int destination) { aggregator_.flush(destination); }

  /// Hands over partly filled buffers of an idle PE. A buffer for another node, or with messages
  /// that a node-mate will forward, may be held back for a while to fill further.
  bool flush_when_idle() { return flusher_.flush_when_idle(); }

  /// Hands over the buffer for `destination` if it has at least `bytes` bytes. Use this for small
  /// messages that other PEs wait for.
  void flush_from(std::size_t bytes, int destination) {
    if (aggregator_.to(destination).bytes() >= bytes) aggregator_.flush(destination);
  }

  /// Hands over buffers that are older than the setting flush-age, or so large that waiting for
  /// more would gain nothing. Returns true if there was any.
  bool flush_old() { return flusher_.flush_old(); }

  /// Hands over everything for other PEs, including messages that wait for room. Blocks, and
  /// delivers nothing meanwhile. Use this for the last messages of this PE, to PEs that still
  /// accept them.
  void flush_and_drain();

  /// Sends each message straight to its destination from now on. Use this for the last messages of
  /// this PE: a PE that has received its last message forwards nothing any more.
  void send_directly();

  /// Calls `send`. Messages that `send` sends to `destination`, the only one allowed, go there at
  /// once, whatever the routing. Use this for the few messages that a PE waits for idly.
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

  /// Delivers messages that have arrived and moves waiting buffers on. Returns true if anything
  /// happened.
  bool progress();

  /// Blocks until there is something to do, at most until `deadline`.
  void wait(transport::nanoseconds deadline);

  /// Returns the activity that new messages and tasks belong to (activity.hpp).
  activity& enclosing() const { return context_.enclosing(); }
  activity** enclosing_slot() const { return context_.slot(); }
  void enter(activity** slot) { context_.enter(slot); }

  /// Returns the PE whose message is being executed; for a relayed message, the last hop. Call this
  /// within handlers only.
  int source() const { return dispatcher_.source(); }

  /// Number of application messages that this PE has created and executed so far, including those
  /// to itself.
  std::uint64_t created() const { return aggregator_.created() + bins_.waiting(); }
  std::uint64_t executed() const {
    return dispatcher_.executed_of_others() + dispatcher_.executed_of_own();
  }
  std::uint64_t executed_of_own() const { return dispatcher_.executed_of_own(); }
  std::uint64_t executed_of_others() const { return dispatcher_.executed_of_others(); }

  acknowledger& acknowledgements() { return acknowledgements_; }
  const acknowledger& acknowledgements() const { return acknowledgements_; }

  /// Exceptions that have not reached a waiting task yet.
  untold_failures& failures() { return failures_; }

  /// Reports failures that have waited for long. Throws the first one if the job has to end because
  /// of it.
  void look_at_failures(transport::nanoseconds time) {
    failures_.look(self_.rank, time, flow_.has_much());
  }

  /// Rethrows an exception that left a handler without an activity.
  void throw_unscoped_failure() { context_.throw_unscoped_failure(); }

  /// Brings the counters of this PE up to date.
  void update_counters();

  // The next functions are for those that execute runs.
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

  /// Throws because `pe` cannot execute a message of this PE for `handler`.
  [[noreturn]] void fail_unknown(int pe, handler_name handler) {
    handlers_.fail_unknown_to(pe, handler);
  }

  /// Records that an exception has left a part of the activity `of`. The part is a task spawned at
  /// `spawned`, or a handler.
  void fail_in(activity& of, const std::exception_ptr& exception, site spawned) {
    if (of.failure) return;  // the first one counts
    of.fail(exception);
    failures_.add(exception, spawned, transport_.now());
  }

  /// Ends a part of the activity `to` with a failure that has not been reported yet.
  void pass_on(activity& to, const std::exception_ptr& failure) {
    if (to.failure) {  // the first one counts
      failures_.drop(failure);
    } else {
      to.fail(failure);
    }
  }

 private:
  /// This class sends messages that have a part in common (common_part.hpp).
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
