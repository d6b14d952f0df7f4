#include "atoll/transport/sim/network.hpp"

#include <algorithm>

namespace atl::transport::sim {
namespace {

constexpr int way_out = 0;
constexpr int way_up = 1;
constexpr int way_down = 2;
constexpr int way_in = 3;

}  // namespace

network::network(const model& parameters, int pes, std::uint64_t node_size)
    : parameters_(parameters),
      node_size_(node_size),
      leaf_nodes_(static_cast<std::size_t>(std::max<std::int64_t>(parameters.leaf_nodes, 1))),
      out_(node_of(pes - 1) + 1),
      up_(leaf_of(pes - 1) + 1),
      down_(up_.size()),
      in_(out_.size()),
      taken_(static_cast<std::size_t>(pes)) {}

void network::post(const shipment& sent, nanoseconds time) {
  const step first{time * per_nanosecond, posted_++, sent, way_out, 0};
  taken_[static_cast<std::size_t>(sent.from)] += occupied(first);
  under_way_.push(first);
}

/// Rounded up: nothing happens before its time.
nanoseconds network::next_step() const {
  if (under_way_.empty()) return forever;
  return (under_way_.top().time + per_nanosecond - 1) / per_nanosecond;
}

picoseconds& network::next_way(const step& of) {
  switch (of.way) {
  case way_out:
    return out_[node_of(of.message.from)];
  case way_up:
    return up_[leaf_of(of.message.from)];
  case way_down:
    return down_[leaf_of(of.message.to)];
  default:
    return in_[node_of(of.message.to)];
  }
}

/// The ways between leaves carry the bytes of all their nodes, and any number of messages.
picoseconds network::occupied(const step& of) const {
  const picoseconds bytes = parameters_.gap_per_byte * of.message.bytes;
  if (of.way == way_out || of.way == way_in) return std::max(parameters_.gap, bytes);
  return bytes * parameters_.oversubscription / (100 * static_cast<picoseconds>(leaf_nodes_));
}

// The head of a message goes on before its tail has passed; the receiver has it when all has.
std::optional<timing::arrived> network::take_step() {
  step next = under_way_.top();
  under_way_.pop();
  picoseconds& free = next_way(next);
  const picoseconds head = std::max(next.time, free);
  free = head + occupied(next);
  next.tail = std::max(next.tail, free);
  if (next.way == way_in) return timing::arrived{next.message, next.tail / per_nanosecond + 1};
  const picoseconds travel = next.way == way_out ? parameters_.latency : 0;
  next.time = head + travel;
  next.tail += travel;
  next.way = next.way == way_out && stays_in_leaf(next.message) ? way_in : next.way + 1;
  next.number = posted_++;
  under_way_.push(next);
  return std::nullopt;
}

}  // namespace atl::transport::sim
