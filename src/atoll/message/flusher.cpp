#include "atoll/message/flusher.hpp"

#include <algorithm>

namespace atl::message {
namespace {

constexpr std::size_t k_most_looked_at = 32;
constexpr transport::nanoseconds k_longest_hold = 100'000;

}  // namespace

flusher::flusher(aggregator& aggregator, const route_table& routes, const flow_control& flow,
                 transport::endpoint& transport, const settings& options)
    : aggregator_(aggregator),
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
  return buffers_.close_where(may, [this](int destination) { aggregator_.flush(destination); });
}

bool flusher::flush() {
  return flush_where([](int) { return true; });
}

bool flusher::flush_old() {
  if (buffers_.oldest() == transport::forever) return false;
  if (aggregates_ && transport_.now() - buffers_.oldest() <= flush_age_) return flush_large();
  return flush_where([this](int destination) { return !buffers_.in_overflow(destination); });
}

bool flusher::flush_large() {
  bool flushed = false;
  const auto destinations = buffers_.destinations();
  for (std::size_t i = 0; i < std::min(destinations.size(), k_most_looked_at); ++i) {
    const int destination = destinations[looked_at_++ % destinations.size()];
    if (!buffers_.is_open(destination) || buffers_.in_overflow(destination) ||
        aggregator_.to(destination).bytes() < k_large_buffer)
      continue;
    aggregator_.flush(destination);
    flushed = true;
  }
  return flushed;
}

// While something waits for room the network is busy as it is, and buffers fill by themselves.
bool flusher::may_go(int destination, transport::nanoseconds time) {
  if (buffers_.in_overflow(destination)) return false;
  const auto earliest = flow_.congested() ? buffers_.opened_at(destination) + hold_ : time;
  return pacing_.may_go(routes_.is_distant(destination), earliest, time);
}

bool flusher::flush_when_idle() {
  pacing_.begin();
  if (buffers_.destinations().empty()) return false;
  const auto time = transport_.now();
  return flush_where([&](int destination) { return may_go(destination, time); });
}

// Buffers that were opened without room stay open, and take more, until there is some: many small
// ones in the queue would each take the room of a large one.
void flusher::flush_where_room_is() {
  for (const int destination : buffers_.destinations()) {
    if (buffers_.in_overflow(destination) && !flow_.waits(destination) &&
        transport_.acquire(destination) != nullptr)
      aggregator_.flush(destination);
  }
}

}  // namespace atl::message
