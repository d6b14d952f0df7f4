#pragma once
// The flusher decides when the aggregator sends buffers that are not full.

#include "atoll/message/aggregator.hpp"
#include "atoll/message/bins.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::message {

// Decides when an idle PE may send buffers that are not full.
//
// A network accepts a limited number of messages per second from a node. If idle PEs answered each
// arriving buffer at once, PEs would exchange many small buffers. To avoid many small buffers, an
// idle PE sends only one buffer for other nodes per interval of 1 to 16 microseconds. The interval
// between an idle PE's buffers for other nodes is 1 microsecond per PE of its node, at most 16
// microseconds. After a pause, an idle PE can send several buffers in a row.
//
// A buffer for another node is held back for a while, so that the buffer collects more messages.
// The more PEs on other nodes a PE sends to, the longer it holds back a buffer for another node.
// The first buffer after a pause is sent at once, because it may be the only one.
//
// If a PE forwards messages to other nodes, the idle PEs of its node limit their rate of buffers to
// that PE. A small buffer for a forwarding PE is usually forwarded as several small buffers. After
// a buffer for a forwarding PE, an idle PE waits a quarter as long as after a buffer for another
// node.

class idle_pacing {
 public:
  /// Kind of a buffer's receiver. A `mate` is a PE of the sender's node that forwards none of the
  /// buffer's messages. A `carrier` is a PE of the sender's node that forwards some messages of the
  /// buffer. A `distant` receiver is a PE of another node.
  enum class buffer_for { mate, carrier, distant };

  /// Makes the pacing for a PE whose node has `pes_of_node` PEs.
  explicit idle_pacing(std::int64_t pes_of_node)
      : pace_(std::min(pes_of_node, k_most_pes) * k_pace_a_pe), next_(after_pause(0)) {}

  /// Tells the pacing that this PE sends buffers to `beyond` PEs on other nodes.
  void expect_partners(std::int64_t beyond) {
    hold_ = beyond * pace_ / k_hold_part;
    burst_ = std::max(k_least_burst, 2 * beyond);
  }

  /// Forgets which buffers were held back. Call this function before each pass over the open
  /// buffers.
  void begin() { held_until_ = transport::forever; }

  /// Returns whether a buffer for a receiver of the kind `whom` may be sent at `time`. `opened` is
  /// the time when the buffer was opened. Before the time `earliest`, the result is false. If the
  /// result is true, the caller must send the buffer. A buffer for a carrier or a distant receiver
  /// counts towards the permitted rate when `may_go` returns true.
  bool may_go(buffer_for whom, transport::nanoseconds opened, transport::nanoseconds earliest,
              transport::nanoseconds time) {
    const auto due = std::max(earliest, first_time(whom, opened, time));
    if (due > time) {
      held_until_ = std::min(held_until_, due);
      return false;
    }
    if (whom == buffer_for::mate) return true;
    const auto taken = whom == buffer_for::carrier ? pace_ / 4 : pace_;
    next_ = std::max(next_, after_pause(time)) + taken;
    return true;
  }

  /// Returns the earliest time at which one of the held-back buffers may be sent. A buffer is held
  /// back if `may_go` has returned false for the buffer since the last call of `begin`. If no
  /// buffer is held back, returns `transport::forever`.
  transport::nanoseconds held_until() const { return held_until_; }

 private:
  // An idle PE's interval between buffers for other nodes, in nanoseconds per PE of its node.
  // Together, the idle PEs of a node with at most 16 PEs send at most a million buffers per second
  // to other nodes. On a node with more than 16 PEs, each PE has the same interval between buffers
  // as on a node with 16. In the papers that Atoll reproduces, the networks accept about three
  // million messages per second. If PEs sent at a rate near the network's limit, buffers would wait
  // in the network for longer than the interval between buffers.
  static constexpr transport::nanoseconds k_pace_a_pe = 1000;
  static constexpr std::int64_t k_most_pes = 16;
  // Number of buffers that may be sent in a row after a pause if this PE sends to at most 16 PEs of
  // other nodes. A PE with more than 16 partners (PEs of other nodes to which it sends) may send
  // two buffers per partner in a row.
  static constexpr std::int64_t k_least_burst = 32;

  // A PE that sends to n PEs on other nodes holds back a buffer for n/8 times `pace_`, the interval
  // between buffers. A longer hold makes the computation of connected components faster on networks
  // that accept few messages per second, but slower on other networks.
  static constexpr std::int64_t k_hold_part = 8;

  transport::nanoseconds after_pause(transport::nanoseconds time) const {
    return time - burst_ * pace_;
  }
  transport::nanoseconds first_time(buffer_for whom, transport::nanoseconds opened,
                                    transport::nanoseconds time) const {
    if (whom == buffer_for::mate) return 0;
    const bool waits = whom == buffer_for::distant && next_ > after_pause(time);
    return waits ? std::max(next_, opened + hold_) : next_;
  }

  transport::nanoseconds pace_;
  std::int64_t burst_ = k_least_burst;
  transport::nanoseconds hold_ = 0;
  transport::nanoseconds held_until_ = transport::forever;
  transport::nanoseconds next_;
};

class flusher {
 public:
  flusher(aggregator& aggregator, bins& bins, const route_table& routes, const flow_control& flow,
          transport::endpoint& transport, const settings& options);

  /// Tells `idle_pacing` how many PEs on other nodes this PE sends to. Call this
  /// function after the routes have been chosen.
  void expect_partners() { pacing_.expect_partners(routes_.partners_beyond()); }

  // The functions `flush`, `flush_old` and `flush_when_idle` return true if they have sent a
  // buffer, or moved messages from bins (bins.hpp) into buffers.

  /// Sends all partly filled buffers, and the messages in bins, which collect messages for nearby
  /// memory (bins.hpp).
  bool flush();

  /// If the oldest buffer is older than the setting `flush-age`, sends all buffers whose receivers
  /// have room. Until the oldest buffer has the age `flush-age`, sends large buffers only. If large
  /// buffers were sent only at the age `flush-age`, two PEs that need each other's answers would
  /// compute in turns instead of in parallel.
  bool flush_old();

  /// Sends the buffers that `idle_pacing` permits an idle PE to send. A buffer for another node may
  /// be held back for a while, so that the buffer collects more messages. If a PE of this node must
  /// forward some messages of a buffer, the buffer can be held back for a while.
  bool flush_when_idle();

  /// Sends buffers that are being filled in private memory (the overflow), if their receivers have
  /// room now.
  void flush_where_room_is();

  /// Returns the time at which this PE should call `flush_when_idle` again. At the returned time,
  /// either a held-back buffer may be sent, or messages have waited in bins for the usual time.
  transport::nanoseconds held_until() const { return std::min(pacing_.held_until(), bins_.due()); }

 private:
  template <class May>
  bool flush_where(const May& may);
  bool is_large(const send_buffer& buffer) const;
  bool flush_large();
  idle_pacing::buffer_for whom_for(const send_buffer& buffer) const;
  bool may_go(const send_buffer& buffer, transport::nanoseconds time);

  aggregator& aggregator_;
  bins& bins_;
  open_buffers& buffers_;
  const route_table& routes_;
  const flow_control& flow_;
  transport::endpoint& transport_;
  bool aggregates_;
  transport::nanoseconds flush_age_;
  /// While messages wait for room at a receiver, an idle PE sends only buffers that have been open
  /// for this time in nanoseconds.
  transport::nanoseconds hold_;
  idle_pacing pacing_;
  std::size_t looked_at_ = 0;  ///< index of the buffer at which `flush_large` continues
};

}  // namespace atl::message
