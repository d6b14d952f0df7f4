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
// A network accepts a limited number of messages per second from a node. If an idle PE answered
// each arriving buffer at once, all buffers and all answers to them would be small. An idle PE
// therefore sends only one buffer for other nodes per interval. The interval is one to sixteen
// microseconds and grows with the number of PEs on the node. After a pause, several buffers may be
// sent in a row.
//
// A buffer for another node is also held back to fill further. The hold is longer if the PE sends
// to more PEs of other nodes. The first buffer after a pause is sent at once, because it may be the
// only one.
//
// A PE of the same node may forward messages to other nodes. In the limit on the rate, a buffer for
// a forwarding PE counts a quarter as much as a buffer for another node. Buffers for forwarding PEs
// are limited, too, because small buffers are forwarded as small buffers.

class idle_pacing {
 public:
  /// Kind of a buffer's receiver. A `mate` is a PE of the same node. A `carrier` is a PE of the
  /// same node that forwards some of the messages. A `distant` receiver is a PE of another node.
  enum class buffer_for { mate, carrier, distant };

  /// Makes the pacing for a PE whose node has `pes_of_node` PEs.
  explicit idle_pacing(std::int64_t pes_of_node)
      : pace_(std::min(pes_of_node, k_most_pes) * k_pace_a_pe), next_(after_pause(0)) {}

  /// Sets `beyond`, the number of PEs of other nodes to which this PE sends buffers.
  void expect_partners(std::int64_t beyond) {
    hold_ = beyond * pace_ / k_hold_part;
    burst_ = std::max(k_least_burst, 2 * beyond);
  }

  /// Begins a pass over the open buffers.
  void begin() { held_until_ = transport::forever; }

  /// Returns whether a buffer for a receiver of the kind `whom` may be sent at `time`. `opened` is
  /// the time when the buffer was opened. The buffer may not go before the time `earliest`.
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

  /// Returns the earliest time at which a held-back buffer may be sent. The function considers the
  /// buffers that `may_go` has held back since the last call of `begin`. It returns
  /// `transport::forever` if there is no such buffer.
  transport::nanoseconds held_until() const { return held_until_; }

 private:
  // The PEs of one node together send at most a million buffers per second. The networks in the
  // reproduced papers accept three times as many messages. If PEs sent at a rate near the limit of
  // the network, buffers would wait in the queues of the network. This wait would be longer than
  // the delay that the pacing causes. Nodes with more than 16 PEs are paced like nodes with 16 PEs.
  static constexpr transport::nanoseconds k_pace_a_pe = 1000;
  static constexpr std::int64_t k_most_pes = 16;
  // Minimum number of buffers that may go in a row after a pause. With many partners, the number is
  // two per partner. Partners are the PEs of other nodes to which this PE sends.
  static constexpr std::int64_t k_least_burst = 32;

  // A buffer is held back for an eighth of the time in which each partner gets one buffer. A longer
  // hold makes the computation of connected components faster on networks with few messages per
  // second, but slower on other networks.
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

  /// Passes to `idle_pacing` the number of PEs of other nodes to which this PE sends. Call this
  /// function after the routes have been chosen.
  void expect_partners() { pacing_.expect_partners(routes_.partners_beyond()); }

  // Each of the next functions returns true if it sent a buffer, or moved messages from bins
  // (bins.hpp) into buffers.

  /// Sends all partly filled buffers, and the messages in bins.
  bool flush();

  /// If the oldest buffer is older than the flush age, sends all buffers whose receivers have room.
  /// If the oldest buffer is younger, sends large buffers only. If large buffers waited longer, two
  /// PEs that need each other's answers would take turns to compute.
  bool flush_old();

  /// Sends the buffers that `idle_pacing` permits an idle PE to send. A buffer for another node may
  /// be held back for a while to fill further. A buffer whose messages another PE of this node will
  /// forward may be held back, too.
  bool flush_when_idle();

  /// Sends buffers that were filled in the overflow and whose receivers have room now.
  void flush_where_room_is();

  /// Returns the earlier of two times: when a buffer that `flush_when_idle` has held back may be
  /// sent, and when the bins are due.
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
  /// age in ns at which an idle PE sends a buffer while other messages wait for room
  transport::nanoseconds hold_;
  idle_pacing pacing_;
  std::size_t looked_at_ = 0;  ///< index of the buffer at which `flush_large` continues
};

}  // namespace atl::message
