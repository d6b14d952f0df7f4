#pragma once
// When an idle PE may hand over a buffer that is not full.
//
// A network takes only so many messages a second from a node. If an idle PE answered each buffer
// that arrives at once, all buffers would be small, and the answers to them again. So it hands over
// one for another node every one to sixteen microseconds, the more seldom the more PEs its node
// has, but some at a time after a pause. And a buffer for another node waits for company, the
// longer the more such buffers there are to fill, but for the first one after a pause, which may be
// all. A buffer for a PE of its node that carries messages on their way to others counts as a
// quarter of one: what leaves here in small pieces leaves the node so.

#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::message {

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

}  // namespace atl::message
