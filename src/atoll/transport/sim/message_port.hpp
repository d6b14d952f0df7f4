#pragma once
// The messages of a simulated PE to other nodes, as an MPI library would carry them. A message has
// memory of its own until the receiver takes it.

#include "atoll/transport/far/message_layer.hpp"
#include "atoll/transport/sim/timing.hpp"
#include "atoll/transport/sim/world.hpp"

#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

namespace atl::transport::sim {

class message_port final : public far::message_layer {
 public:
  /// `time` is the PE's time, and advances by the cost of its messages.
  message_port(world& world, int rank, nanoseconds& time)
      : world_(world), rank_(rank), time_(time) {}

  int size() const override { return world_.job.pes(); }
  /// Returns 1: messages wait in the mail at no cost, and a job of many PEs has no memory for more
  /// receives.
  std::size_t most_receives() const override { return 1; }
  void start_send(const void* data, int bytes, int to, int tag,
                  far::message_request& started) override;
  void start_receive(void* data, int capacity, int from, int tag,
                     far::message_request& started) override;
  bool test(far::message_request& request, int* from, int* bytes) override;
  int test_any(std::span<far::message_request* const> requests, int* from, int* bytes) override;
  void cancel(far::message_request&) override {}
  void all_to_all(const void* mine, int bytes, void* all) override;

  /// Makes messages visible that have arrived at `time` or before.
  void see_until(nanoseconds time) { seen_ = time; }

  /// Announces a message that arrives at `time`, but not before those of its sender ahead of it.
  /// Returns the arrival.
  nanoseconds comes(const shipment& message, nanoseconds time);

  /// Returns when the first message with this tag arrives, or has arrived; `forever`: none is
  /// known.
  nanoseconds first_arrival(int tag) const;

 private:
  bool has_arrived(const far::message_request& request);

  struct arrival {
    nanoseconds time;
    std::uint64_t number;  // orders equal times by sending
    int from;
    std::uint32_t bytes;

    friend bool operator>(const arrival& a, const arrival& b) {
      return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
  };
  struct mailbox {
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> arrivals;
    std::queue<void*> receives;
  };

  world& world_;
  int rank_;
  nanoseconds& time_;
  nanoseconds seen_ = 0;
  std::unordered_map<int, nanoseconds> last_arrival_;  // by sender
  std::map<int, mailbox> by_tag_;
};

}  // namespace atl::transport::sim
