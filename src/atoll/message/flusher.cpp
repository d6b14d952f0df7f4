#include "atoll/message/flusher.hpp"

#include <algorithm>

namespace atl::message {
namespace {

// For a receiver on this node, a buffer counts as large at half the size that is needed for a
// receiver on another node. Sending within a node is cheap, so small buffers can be sent early, and
// answers for waiting tasks arrive sooner.
constexpr std::size_t k_large_for_mate = k_large_buffer / 2;
constexpr std::size_t k_most_looked_at = 32;
constexpr transport::nanoseconds k_longest_hold = 100'000;

}  // namespace

flusher::flusher(aggregator& aggregator, bins& bins, const route_table& routes,
                 const flow_control& flow, transport::endpoint& transport, const settings& options)
    : aggregator_(aggregator),
      bins_(bins),
      buffers_(aggregator.buffers()),
      routes_(routes),
      flow_(flow),
      transport_(transport),
      aggregates_(options.aggregation),
      flush_age_(options.flush_age),
      hold_(aggregates_ ? std::min(flush_age_, k_longest_hold) : 0),
      pacing_(routes.pes_of_node()) {}

template <class May>
bool flusher::flush_where(const May& may) {
  return buffers_.close_where(may, [this](send_buffer& buffer) { aggregator_.flush(buffer); });
}

bool flusher::flush() {
  const bool emptied = bins_.empty();
  return flush_where([](const send_buffer&) { return true; }) || emptied;
}

bool flusher::flush_old() {
  const bool emptied = bins_.empty_if_old();
  if (buffers_.oldest() == transport::forever) return emptied;
  if (aggregates_ && transport_.now() - buffers_.oldest() <= flush_age_)
    return flush_large() || emptied;
  return flush_where([](const send_buffer& buffer) { return !buffer.in_overflow; }) || emptied;
}

// The size of a buffer does not include the unused bytes of its parcels (groups of messages that
// the receiver forwards).
bool flusher::is_large(const send_buffer& buffer) const {
  const std::size_t large =
      routes_.is_distant(buffer.destination) ? k_large_buffer : k_large_for_mate;
  return buffer.bytes() >= large && buffer.bytes() - open_parcels::unused(buffer) >= large;
}

bool flusher::flush_large() {
  bool flushed = false;
  const auto listed = buffers_.listed();
  for (std::size_t i = 0; i < std::min(listed.size(), k_most_looked_at); ++i) {
    send_buffer& buffer = *listed[looked_at_++ % listed.size()];
    if (!buffer.is_open_buffer() || buffer.in_overflow || !is_large(buffer)) continue;
    aggregator_.flush(buffer);
    flushed = true;
  }
  return flushed;
}

idle_pacing::buffer_for flusher::whom_for(const send_buffer& buffer) const {
  using enum idle_pacing::buffer_for;
  if (routes_.is_distant(buffer.destination)) return distant;
  return open_parcels::are_in(buffer) || buffer.has_relayed ? carrier : mate;
}

// While messages wait for room at a receiver, an idle PE sends only buffers that have been open for
// `hold_` nanoseconds. Holding back a buffer while other messages wait for room loses no time,
// because the network is busy with those messages.
bool flusher::may_go(const send_buffer& buffer, transport::nanoseconds time) {
  if (buffer.in_overflow) return false;
  const auto earliest = flow_.congested() ? buffer.opened_at + hold_ : time;
  return pacing_.may_go(whom_for(buffer), buffer.opened_at, earliest, time);
}

bool flusher::flush_when_idle() {
  pacing_.begin();
  const bool emptied = flow_.congested() ? bins_.empty_if_old() : bins_.empty();
  if (buffers_.listed().empty()) return emptied;
  const auto time = transport_.now();
  return flush_where([&](const send_buffer& buffer) { return may_go(buffer, time); }) || emptied;
}

// A buffer opened in the overflow (private memory) stays open, and takes more messages, until its
// receiver has room. If buffers in the overflow were closed before their receivers have room, many
// small buffers would wait, and each would later occupy a network buffer.
void flusher::flush_where_room_is() {
  for (send_buffer* const buffer : buffers_.listed()) {
    if (buffer->in_overflow && !flow_.waits(buffer->destination) &&
        transport_.acquire(buffer->destination) != nullptr)
      aggregator_.flush(*buffer);
  }
}

}  // namespace atl::message
