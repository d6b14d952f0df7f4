#pragma once
// When an idle PE may hand over a buffer that is not full.
//
// A network takes only so many messages a second from a node. If an idle PE answered each buffer
// that arrives at once, all buffers would be small, and the answers to them again. So it hands over
// one for another node every one to sixteen microseconds, the more seldom the more PEs its node
// has, but some at a time after a pause. A buffer for a PE of its node that carries parcels on
// their way to others counts as a quarter of one: what leaves here in small pieces leaves the node
// so.

#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::message {

class idle_pacing {
 public:
  /// What a buffer is for: a PE of this node, one that hands on some of it, one of another node.
  enum class buffer_for { mate, carrier, distant };

  /// Of a PE whose node has so many.
  explicit idle_pacing(std::int64_t pes_of_node)
      : pace_(std::min(pes_of_node, k_most_pes) * k_pace_a_pe) {}

  /// Before the buffers that are open are gone through.
  void begin() { held_until_ = transport::forever; }

  /// Whether a buffer that may go from `earliest` on goes now, at `time`.
  bool may_go(buffer_for whom, transport::nanoseconds earliest, transport::nanoseconds time) {
    const bool is_paced = whom != buffer_for::mate;
    const auto due = is_paced ? std::max(next_, earliest) : earliest;
    if (due > time) {
      held_until_ = std::min(held_until_, due);
      return false;
    }
    const auto taken = whom == buffer_for::carrier ? pace_ / 4 : pace_;
    if (is_paced) next_ = std::max(next_, time - k_burst * pace_) + taken;
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
  static constexpr transport::nanoseconds k_burst = 32;

  transport::nanoseconds pace_;
  transport::nanoseconds held_until_ = transport::forever;
  transport::nanoseconds next_ = 0;
};

}  // namespace atl::message
