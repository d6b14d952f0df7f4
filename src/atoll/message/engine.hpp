#pragma once
// The engine sends and delivers the active messages of one PE. An active message is a closure that
// the receiving PE calls. Messages are aggregated per destination when they are sent. On delivery,
// each run (a sequence of messages for the same function) is executed in one loop. Each part of the
// engine has its own file. This file has the interface for the layers above.
//
// Only the PE that owns an engine may call the engine's functions. Sending never suspends a task
// and never runs a handler. The memory for unsent messages is bounded (flow_control.hpp).

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
#include "atoll/message/serialization.hpp"
#include "atoll/message/untold_failures.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <concepts>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>

namespace atl::message {

/// Number of bytes that one message takes in a run (a sequence of messages for the same function).
/// If the closure needs an alignment of at most 4 bytes, the size is padded to a multiple of 4
/// bytes. If the closure needs an alignment of 8 bytes or more, the size is padded to a multiple of
/// 8 bytes (`k_unit`). A message takes at least 8 bytes, because a shorter message would look like
/// the padding at the end of a run.
template <class Closure>
inline constexpr std::size_t k_slot = std::max(
    k_unit, round_up(sizeof(Closure), alignof(Closure) <= k_unit / 2 ? k_unit / 2 : k_unit));

/// True for a closure that can compute the length of its payload. If the closure cannot compute the
/// length of its payload, the message contains the length.
template <class Closure>
concept tells_payload = requires(const Closure& closure) {
  { closure.payload_bytes() } -> std::same_as<std::size_t>;
};

/// Offset in bytes of the closure in a message with a payload. If the closure cannot compute the
/// length of the payload, the length stands before the closure.
template <class Closure>
inline constexpr std::size_t k_length_bytes = tells_payload<Closure> ? 0 : k_unit;
/// Offset in bytes of the payload in a message.
template <class Closure>
inline constexpr std::size_t k_payload_place =
    k_length_bytes<Closure> + round_up(sizeof(Closure), k_unit);

class engine {
 public:
  engine(pe& self, const settings& options);
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;

  /// Sends `closure`, which PE `destination` calls as `closure()`. Throws atl::error (overflow) if
  /// too many messages wait to be sent and `may_be_refused(Kind)` is true.
  template <traffic Kind, bitwise_copyable Closure>
  void send(int destination, const Closure& closure, site where);

  /// Returns a new key for runs (sequences of messages for the same function); no earlier run of
  /// this PE has the key.
  run_key new_key() { return ++last_key_; }

  /// Forwards the message `closure`, which another PE has sent, towards PE `destination`. The
  /// activity `scope` counts the forwarded message as unfinished until the message is acknowledged.
  template <class Closure>
  void send_on(int destination, const Closure& closure, activity& scope) {
    send_by_relay<traffic::relayed>(destination, closure, &scope, site::current());
  }

  /// Returns the activity (a counter of unfinished work) for messages that this PE relays from the
  /// current section, a part of a received buffer. A section is the part of a buffer whose messages
  /// belong to one remote activity. If `are_leaves` is true, the relayed messages call leaf
  /// functions, which send and spawn nothing. Relayed messages whose functions send and spawn
  /// nothing can share one activity (a batch), even if the messages were received in different
  /// sections.
  activity& scope_of_relayed(bool are_leaves);

  /// Sends `closure` with a copy of `payload`. The receiving PE calls `closure(std::span<const
  /// std::byte>)`. The payload may have at most `payload_capacity<Closure>()` bytes. If the closure
  /// has a function `payload_bytes()`, the payload must have exactly that many bytes.
  template <traffic Kind, bitwise_copyable Closure>
  void send_with(int destination, const Closure& closure, std::span<const std::byte> payload,
                 site where);

  /// Returns the size in bytes of the largest payload that `send_with` accepts with a closure of
  /// this type.
  template <class Closure>
  std::size_t payload_capacity() const {
    return (transport_.buffer_capacity() - k_parcel_overhead - k_run_overhead -
            k_payload_place<Closure>) /
           k_unit * k_unit;
  }

  /// Returns whether messages share buffers. If the setting `aggregation` is off, each message has
  /// a buffer of its own.
  bool aggregates() const { return aggregator_.aggregates(); }

  /// Returns true if small messages to at least one PE are relayed by other PEs (runs.hpp).
  bool relays() const { return routes_.relays(); }

  /// Returns the node of each PE, as used for routing.
  std::span<const int> nodes() const { return routes_.nodes(); }

  /// Returns whether messages wait because a receiver has no room. While messages wait, the caller
  /// should send only a bounded number of further messages. `progress` sends the waiting messages
  /// when their receivers have room.
  bool congested() const { return flow_.congested(); }

  /// Returns whether a loop may send more messages. Returns false if messages wait for room at a
  /// receiver. Returns false if this PE has sent several buffers since the last `progress`, so that
  /// the PE delivers arrived messages first.
  bool has_room() const { return flow_.has_room(); }

  /// Throws atl::error (overflow) if a message sent now would be refused. A task calls this
  /// function before a step whose messages must not be refused.
  void check_room(site where) const { flow_.check(where); }

  /// Makes `has_room` return false until the next `progress`.
  void end_round() { flow_.end_round(); }

  /// Sends every partly filled buffer, and the messages in bins, which collect messages for nearby
  /// memory (bins.hpp). Returns true if anything was sent.
  bool flush() { return flusher_.flush(); }

  /// If there is a partly filled buffer with messages for `destination`, sends the buffer.
  void flush(int destination) { aggregator_.flush(destination); }

  /// Sends partly filled buffers; call this function when the PE is idle. A buffer for another node
  /// may be held back for a while, so that the buffer collects more messages. If a PE of this node
  /// must forward some messages of a buffer, the buffer can be held back for a while.
  bool flush_when_idle() { return flusher_.flush_when_idle(); }

  /// If at least `bytes` bytes of the buffer for `destination` are filled, sends the buffer. Use
  /// this function for small messages that other PEs wait for.
  void flush_from(std::size_t bytes, int destination) {
    if (aggregator_.to(destination).bytes() >= bytes) aggregator_.flush(destination);
  }

  /// If the oldest buffer is older than the setting `flush-age`, sends all buffers whose receivers
  /// have room. Until the oldest buffer has the age `flush-age`, sends only large buffers, which
  /// would gain little by waiting for more messages. Returns true if a buffer was sent.
  bool flush_old() { return flusher_.flush_old(); }

  /// Sends all messages for other PEs, including messages that wait for room at a receiver. Blocks
  /// until no message for another PE waits, and delivers no messages meanwhile. Use this function
  /// for the last messages of this PE, while the receivers still accept messages.
  void flush_and_drain();

  /// Sends all partly filled buffers. From now on, each message is sent directly to its
  /// destination. Use this function for the last messages of this PE, because other PEs may no
  /// longer forward messages.
  void send_directly();

  /// Calls `send`, which must send messages only to PE `destination`. The messages of `send` are
  /// sent at once and straight to `destination`, even if their route leads through another PE. Use
  /// this function only for a small number of messages that an idle PE waits for.
  template <class Send>
  void at_once(int destination, const Send& send) {
    send_buffer& detour = aggregator_.begin_detour(destination);
    try {
      send();
    } catch (...) {
      aggregator_.end_detour(detour);
      throw;
    }
    aggregator_.end_detour(detour);
  }

  /// Delivers messages that have arrived, and sends buffers that wait for room. Returns true if
  /// anything was delivered or sent.
  bool progress();

  /// Blocks until there is something to do, at most until the time `deadline`.
  void wait(transport::nanoseconds deadline);

  /// Returns the activity that new messages and tasks belong to (activity.hpp).
  activity& enclosing() const { return context_.enclosing(); }
  activity** enclosing_slot() const { return context_.slot(); }
  void enter(activity** slot) { context_.enter(slot); }

  /// Returns the PE that sent the message being executed. For a relayed message (runs.hpp), returns
  /// the PE that relayed the message last. Only handlers may call this function.
  int source() const { return dispatcher_.source(); }

  /// Returns how many application messages this PE has created so far. Messages to this PE itself
  /// are included.
  std::uint64_t created() const { return aggregator_.created() + bins_.waiting(); }
  /// Returns how many application messages this PE has executed so far. Messages from this PE
  /// itself are included.
  std::uint64_t executed() const {
    return dispatcher_.executed_of_others() + dispatcher_.executed_of_own();
  }
  std::uint64_t executed_of_own() const { return dispatcher_.executed_of_own(); }
  std::uint64_t executed_of_others() const { return dispatcher_.executed_of_others(); }

  acknowledger& acknowledgements() { return acknowledgements_; }
  const acknowledger& acknowledgements() const { return acknowledgements_; }

  /// Returns the exceptions that have not reached a waiting task yet.
  untold_failures& failures() { return failures_; }

  /// Prints the exceptions that have not reached a waiting task within a second. If failures that
  /// no waiting task has received must end the job (untold_failures.hpp), throws atl::error with
  /// the text of the first failure.
  void look_at_failures(transport::nanoseconds time) {
    failures_.look(self_.rank, time, flow_.has_much());
  }

  /// If an exception has escaped a handler of a message without a scope, rethrows the exception.
  void throw_unscoped_failure() { context_.throw_unscoped_failure(); }

  /// Updates the counters of this PE that are computed only on demand.
  void update_counters();

  // Functions that execute runs of messages (runs.hpp, common_part.hpp) call `count_executed`,
  // `count_relayed` and `handler_failed`.
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

  /// Throws atl::error (environment), because PE `pe` does not know the function `handler`.
  [[noreturn]] void fail_unknown(int pe, handler_name handler) {
    handlers_.fail_unknown_to(pe, handler);
  }

  /// Records that an exception has escaped a part (a task or a message handler) of the activity
  /// `of`. If the exception escaped a task, `spawned` is the place in the source code where the
  /// task was spawned. If the exception escaped a message handler, `spawned` is `site{}`, which
  /// stands for an unknown place.
  void fail_in(activity& of, const std::exception_ptr& exception, site spawned) {
    if (of.failure) return;  // only the first failure is kept
    of.fail(exception);
    failures_.add(exception, spawned, transport_.now());
  }

  /// Records a failure that has not reached a waiting task as the failure of the activity `to`. If
  /// `to` already has a failure, the new failure is dropped.
  void pass_on(activity& to, const std::exception_ptr& failure) {
    if (to.failure) {  // only the first failure is kept
      failures_.drop(failure);
    } else {
      to.fail(failure);
    }
  }

 private:
  /// `sender_in_common` sends messages that share a common part (common_part.hpp).
  template <traffic Kind, class Value>
  friend class sender_in_common;

  template <traffic Kind, class Closure>
  void send_first(send_buffer& out, int destination, const Closure& closure, activity* scope,
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
