#pragma once
// The message layer of a simulated PE. A message layer sends two-sided messages between nodes
// (internode/message_layer.hpp). The class `message_port` simulates the messages that an MPI
// library would send. A message in flight is stored in memory of its own.

#include "atoll/transport/internode/message_layer.hpp"
#include "atoll/transport/sim/timing.hpp"
#include "atoll/transport/sim/world.hpp"

#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

namespace atl::transport::sim {

class message_port final : public internode::message_layer {
 public:
  /// The parameter `time` is the clock of the PE `rank`. Sending and receiving advance the clock by
  /// their cost.
  message_port(world& world, int rank, nanoseconds& time)
      : world_(world), rank_(rank), time_(time) {}

  int size() const override { return world_.job.pes(); }
  /// Returns 1, because simulated messages that arrive without a posted receive cost nothing. More
  /// posted receives would take much memory in a job of many PEs.
  std::size_t most_receives() const override { return 1; }
  void start_send(const void* data, int bytes, int to, int tag,
                  internode::message_request& started) override;
  void start_receive(void* data, int capacity, int from, int tag,
                     internode::message_request& started) override;
  bool test(internode::message_request& request, int* from, int* bytes) override;
  int test_any(std::span<internode::message_request* const> requests, int* from,
               int* bytes) override;
  void cancel(internode::message_request&) override {}
  void all_to_all(const void* mine, int bytes, void* all) override;

  /// Lets the PE receive messages that arrive at `time` or earlier.
  void see_until(nanoseconds time) { seen_ = time; }

  /// Records that `message` arrives at `time` and returns the time of arrival. If an earlier
  /// message of the same sender arrives later than `time`, the message arrives at that later time.
  nanoseconds comes(const shipment& message, nanoseconds time);

  /// Returns the arrival time of the first message with the tag `tag` that was not received yet.
  /// Returns `forever` if no message with the tag `tag` is known.
  nanoseconds first_arrival(int tag) const;

 private:
  bool has_arrived(const internode::message_request& request);

  struct arrival {
    nanoseconds time;
    std::uint64_t number;  // if times are equal, the message that was sent first comes first
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
  // Time of the latest arrival from each sender.
  std::unordered_map<int, nanoseconds> last_arrival_;
  std::map<int, mailbox> by_tag_;
};

}  // namespace atl::transport::sim
