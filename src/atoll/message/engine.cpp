#include "atoll/message/engine.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/settings.hpp"

#include <algorithm>
#include <new>

namespace atl::message {
namespace {

// Maximum number of buffers that one call of `deliver` executes.
constexpr int k_most_delivered_in_round = 64;

}  // namespace

engine::engine(pe& self, const settings& options)
    : self_(self),
      transport_(*self.transport),
      routes_(self.rank, self.size, transport_.nodes(), options.node_size,
              transport_.buffer_capacity()),
      flow_(transport_, *self.counters, *self.account, options.overflow_limit),
      aggregator_(self, options.aggregation, handlers_, routes_, flow_),
      bins_(aggregator_, handlers_, transport_, options.flush_age),
      flusher_(aggregator_, bins_, routes_, flow_, transport_, options),
      remotes_(context_.unscoped(), &acknowledger::send_from_this_pe, *self.account),
      relayed_(aggregator_.buffers_sent(), &engine::relayed_are_done, *self.account),
      acknowledgements_(*this, self.rank, remotes_),
      dispatcher_(*this, self, handlers_, routes_, context_, remotes_, acknowledgements_,
                  aggregator_) {
  if (options.aggregation) routes_.choose(options.routing);
  flusher_.expect_partners();
}

void engine::send_directly() {
  flush();
  aggregator_.go_directly();
}

void engine::flush_and_drain() {
  flush();
  flow_.drain_beside(self_.rank);
}

bool engine::progress() {
  const bool delivered = deliver();
  relayed_.close();
  const bool stuck = mutants::has(mutants::fault::lost_room) && !delivered;
  const bool moved = congested() && !stuck && relieve();
  flow_.begin_round();
  return moved || delivered;
}

bool engine::deliver() {
  bool delivered = false;
  for (int i = 0; i < k_most_delivered_in_round && flow_.may_deliver(); ++i) {
    const auto buffer = transport_.poll();
    if (buffer.data == nullptr) break;
    const std::uint64_t waiting = flow_.bytes();
    dispatcher_.deliver(buffer);
    flow_.delivered(buffer.bytes, waiting);
    transport_.release();
    delivered = true;
  }
  return delivered;
}

void engine::relayed_are_done(activity& batch) {
  this_pe().messages->relayed_.end(static_cast<relay_batch&>(batch));
}

activity& engine::scope_of_relayed(bool are_leaves) {
  if (!are_leaves) return enclosing();
  try {
    return relayed_.batch_for(remotes_.section());
  } catch (const std::bad_alloc&) {
    flow_.without_memory(traffic::relayed, {});
  }
}

bool engine::relieve() {
  if (flow_.fills_overflow()) flusher_.flush_where_room_is();
  return flow_.drain();
}

void engine::wait(transport::nanoseconds deadline) {
  flow_.wait(std::min(deadline, flusher_.held_until()));
}

void engine::update_counters() {
  observe::counters& counters = *self_.counters;
  counters.messages_sent = aggregator_.created() - aggregator_.created_for_own();
  counters.network_messages_sent = transport_.to_network().messages;
  counters.network_bytes_sent = transport_.to_network().bytes;
  counters.network_nanoseconds = static_cast<std::uint64_t>(transport_.network_taken());
  counters.node_pes = static_cast<std::uint64_t>(routes_.pes_of_node());
}

}  // namespace atl::message
