#include "atoll/transport/sim/network.hpp"

#include <algorithm>

namespace atl::transport::sim {
network::network(const model& parameters, int pes, std::uint64_t node_size)
    : parameters_(parameters),
      node_size_(node_size),
      out_free_(node_of(pes - 1) + 1),
      in_free_(node_of(pes - 1) + 1) {}

void network::post(const shipment& sent, nanoseconds time) {
  under_way_.push({time * per_nanosecond, posted_++, sent, false});
}

/// Rounded up: nothing happens before its time.
nanoseconds network::next_step() const {
  if (under_way_.empty()) return forever;
  return (under_way_.top().time + per_nanosecond - 1) / per_nanosecond;
}

picoseconds network::occupied(std::uint32_t bytes) const {
  return std::max(parameters_.gap, parameters_.gap_per_byte * bytes);
}

std::optional<timing::arrived> network::take_step() {
  step next = under_way_.top();
  under_way_.pop();
  picoseconds& free =
      (next.comes_in ? in_free_
                     : out_free_)[node_of(next.comes_in ? next.message.to : next.message.from)];
  const picoseconds begin = std::max(next.time, free);
  free = begin + occupied(next.message.bytes);
  if (next.comes_in) return timing::arrived{next.message, free / per_nanosecond + 1};
  next.comes_in = true;
  next.time = begin + parameters_.latency;
  next.number = posted_++;
  under_way_.push(next);
  return std::nullopt;
}

}  // namespace atl::transport::sim
