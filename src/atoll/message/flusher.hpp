#pragma once
// Decides when the aggregator hands over buffers that are not full.

#include "atoll/message/aggregator.hpp"
#include "atoll/message/bins.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::message {

// Paces how an idle PE hands over buffers that are not full.
//
// A network accepts a limited number of messages per second from a node. If an idle PE answered
// each arriving buffer at once, all buffers would be small, and so would the answers to them. An
// idle PE therefore hands over one buffer for another node every one to sixteen microseconds. The
// interval grows with the number of PEs on its node; after a pause several buffers may go in a row.
//
// An off-node buffer is also held back to fill further, for longer when the PE fills more such
// buffers. The first one after a pause goes at once, because it may be the only one. A buffer that
// a node-mate forwards counts as a quarter of an off-node buffer. Small buffers sent to such a
// node-mate leave the node as small buffers.

class idle_pacing {
 public:
  /// Receiver of a buffer: a node-mate, a node-mate that forwards part of it, or a PE of another
  /// node.
  enum class buffer_for { mate, carrier, distant };

  /// Paces a PE whose node has `pes_of_node` PEs.
  explicit idle_pacing(std::int64_t pes_of_node)
      : pace_(std::min(pes_of_node, k_most_pes) * k_pace_a_pe), next_(after_pause(0)) {}

  /// Sets the number of PEs of other nodes to which this PE hands buffers.
  void expect_partners(std::int64_t beyond) {
    hold_ = beyond * pace_ / k_hold_part;
    burst_ = std::max(k_least_burst, 2 * beyond);
  }

  /// Begins a pass over the open buffers.
  void begin() { held_until_ = transport::forever; }

  /// Returns whether a buffer may go at `time`. The buffer was opened at `opened`, and may not go
  /// before `earliest`.
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

  /// Returns when the first of the held buffers may go.
  transport::nanoseconds held_until() const { return held_until_; }

 private:
  // The PEs of a node together send at most a million buffers per second, a third of what a network
  // of the papers accepts. At its limit, buffers would wait for each other longer than to fill
  // further. Nodes with more than 16 PEs are paced like nodes with 16.
  static constexpr transport::nanoseconds k_pace_a_pe = 1000;
  static constexpr std::int64_t k_most_pes = 16;
  // Minimum number of buffers in a row; with many partners, two per partner.
  static constexpr std::int64_t k_least_burst = 32;

  // Part of the time in which each partner gets one buffer. A longer hold speeds up rounds of
  // connected components on networks with few messages per second, and slows them down on others.
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

  /// Takes the number of partners from the routes, once they have been chosen.
  void expect_partners() { pacing_.expect_partners(routes_.partners_beyond()); }

  // Each of the next functions returns true if it handed over a buffer, or emptied bins (bins.hpp)
  // into buffers.

  /// Hands over all buffers, and the messages in bins.
  bool flush();

  /// Hands over buffers older than the flush age or, if there is none, large ones. Otherwise two
  /// PEs whose tasks all wait for answers would take turns to compute.
  bool flush_old();

  /// Hands over the buffers that an idle PE may. A buffer for another node, or with messages that a
  /// node-mate will forward, may be held back for a while to fill further.
  bool flush_when_idle();

  /// Hands over buffers that were filled in the overflow and have room now.
  void flush_where_room_is();

  /// Returns when a buffer may go that the last `flush_when_idle` has held.
  transport::nanoseconds held_until() const { return std::min(pacing_.held_until(), bins_.due()); }

 private:
  template <class May>
  bool flush_where(const May& may);
  bool is_large(const outgoing& buffer) const;
  bool flush_large();
  idle_pacing::buffer_for whom_for(const outgoing& buffer) const;
  bool may_go(const outgoing& buffer, transport::nanoseconds time);

  aggregator& aggregator_;
  bins& bins_;
  open_buffers& buffers_;
  const route_table& routes_;
  const flow_control& flow_;
  transport::endpoint& transport_;
  bool aggregates_;
  transport::nanoseconds flush_age_;
  transport::nanoseconds hold_;  ///< age at which an idle, congested PE hands over a buffer
  idle_pacing pacing_;
  std::size_t looked_at_ = 0;  ///< next place for flush_large
};

}  // namespace atl::message
