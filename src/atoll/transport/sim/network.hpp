#pragma once
// The network between the nodes of the modelled cluster. A node has one way out and one way in,
// which its PEs share: each takes messages one after the other, in the order of their times.

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
  std::optional<timing::arrived> take_step();

 private:
  struct step {
    picoseconds time;
    std::uint64_t number;  // equal times go in the order they were posted
    shipment message;
    bool comes_in;

    friend bool operator>(const step& a, const step& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };

  std::size_t node_of(int pe) const { return static_cast<std::size_t>(pe) / node_size_; }
  picoseconds occupied(std::uint32_t bytes) const;

  const model& parameters_;
  std::size_t node_size_;
  std::vector<picoseconds> out_free_;
  std::vector<picoseconds> in_free_;
  std::uint64_t posted_ = 0;
  std::priority_queue<step, std::vector<step>, std::greater<>> under_way_;
};

}  // namespace atl::transport::sim
