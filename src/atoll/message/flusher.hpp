#pragma once
// Decides when the aggregator hands over buffers that are not full.

#include "atoll/message/aggregator.hpp"
#include "atoll/message/bins.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::message {

// An idle PE may hand over a buffer that is not full, but not at any time.
//
// A network takes only so many messages a second from a node. If an idle PE answered each buffer
// that arrives at once, all buffers would be small, and the answers to them again. So it hands over
// one for another node every one to sixteen microseconds, the more seldom the more PEs its node
// has, but some at a time after a pause. And a buffer for another node waits for company, the
// longer the more such buffers there are to fill, but for the first one after a pause, which may be
// all. A buffer for a PE of its node that carries messages on their way to others counts as a
// quarter of one: what leaves here in small pieces leaves the node so.

class idle_pacing {
 public:
  /// What a buffer is for: a PE of this node, one that hands on some of it, one of another node.
  enum class buffer_for { mate, carrier, distant };

  /// Of a PE whose node has so many.
  explicit idle_pacing(std::int64_t pes_of_node)
      : pace_(std::min(pes_of_node, k_most_pes) * k_pace_a_pe), next_(after_pause(0)) {}

  /// It hands buffers to so many PEs of other nodes.
  void expect_partners(std::int64_t beyond) {
    hold_ = beyond * pace_ / k_hold_part;
    burst_ = std::max(k_least_burst, 2 * beyond);
  }

  /// Before the buffers that are open are gone through.
  void begin() { held_until_ = transport::forever; }

  /// Whether a buffer that was opened then, and may go from `earliest` on, goes now, at `time`.
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

  /// When the first of the buffers that were held may go.
  transport::nanoseconds held_until() const { return held_until_; }

 private:
  // The PEs of a node together keep to a million buffers a second, a third of what a network of the
  // papers takes: at its limit buffers wait for each other longer than for company. Those of a
  // larger node know no more patience.
  static constexpr transport::nanoseconds k_pace_a_pe = 1000;
  static constexpr std::int64_t k_most_pes = 16;
  // In a row: where partners are many, what each gets and what each waits for.
  static constexpr std::int64_t k_least_burst = 32;

  // Of the time in which each partner gets one. Rounds of connected components gain by more on a
  // network that takes few messages a second, and lose on one that takes many.
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

  /// The routes have been chosen.
  void expect_partners() { pacing_.expect_partners(routes_.partners_beyond()); }

  // Each is true if there was any such buffer, or bins (bins.hpp) have been emptied into buffers.

  /// Hands over all, and what waits in bins.
  bool flush();

  /// Those that have been open for longer than the flush age or, if none has, large ones: two PEs
  /// whose tasks all wait for answers would else compute in turn.
  bool flush_old();

  /// Those that an idle PE hands over: what is for another node, and what is beside that in a
  /// buffer for a mate, waits for company, for a while.
  bool flush_when_idle();

  /// Those that are filled in the overflow, and have room now.
  void flush_where_room_is();

  /// When something may go that the last `flush_when_idle` has held.
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
  transport::nanoseconds hold_;  ///< of an idle PE that is congested
  idle_pacing pacing_;
  std::size_t looked_at_ = 0;  ///< by flush_large
};

}  // namespace atl::message
