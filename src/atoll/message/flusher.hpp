#pragma once
// Decides when the aggregator hands over buffers that are not full.

#include "atoll/message/aggregator.hpp"
#include "atoll/message/bins.hpp"
#include "atoll/message/idle_pacing.hpp"
#include "atoll/settings.hpp"

#include <algorithm>

namespace atl::message {

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
