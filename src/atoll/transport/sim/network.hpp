#pragma once
// The network between the nodes of the modelled cluster. A node has one way out and one way in,
// which its PEs share, and hangs on a leaf switch, which has one way up to all others and one down:
// each takes messages one after the other, in the order of their times.

#include "atoll/transport/sim/model.hpp"
#include "atoll/transport/sim/timing.hpp"

#include <queue>
#include <vector>

namespace atl::transport::sim {

class network {
 public:
  network(const model& parameters, int pes, std::uint64_t node_size);

  /// A message for a PE of another node stands at the way out at `time`.
  void post(const shipment& sent, nanoseconds time);

  nanoseconds next_step() const;

  /// How long the messages of this PE have taken the way out of its node so far.
  nanoseconds way_taken(int pe) const {
    return taken_[static_cast<std::size_t>(pe)] / per_nanosecond;
  }

  std::optional<timing::arrived> take_step();

 private:
  struct step {
    picoseconds time;      // when it wants to take its next way
    std::uint64_t number;  // equal times go in the order they were posted
    shipment message;
    int way;           // that it takes next: out of the node, up, down, into the node
    picoseconds tail;  // when all of it has passed the ways before

    friend bool operator>(const step& a, const step& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::size_t node_of(int pe) const { return static_cast<std::size_t>(pe) / node_size_; }
  std::size_t leaf_of(int pe) const { return node_of(pe) / leaf_nodes_; }
  picoseconds& next_way(const step& of);
  bool stays_in_leaf(const shipment& sent) const { return leaf_of(sent.from) == leaf_of(sent.to); }
  picoseconds occupied(const step& of) const;

  const model& parameters_;
  std::size_t node_size_;
  std::size_t leaf_nodes_;
  // When each way is free for the next message.
  std::vector<picoseconds> out_;    // by node
  std::vector<picoseconds> up_;     // by leaf
  std::vector<picoseconds> down_;   // by leaf
  std::vector<picoseconds> in_;     // by node
  std::vector<picoseconds> taken_;  // of the way out, by PE
  std::uint64_t posted_ = 0;
  std::priority_queue<step, std::vector<step>, std::greater<>> under_way_;
};

}  // namespace atl::transport::sim
