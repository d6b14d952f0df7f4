#pragma once
// A message layer carries the messages between nodes: two-sided ones, for which the receiver posts
// memory. MPI is one such layer, the simulated network another.
//
// Messages of one sender with one tag arrive in the order in which they were started. The PE and
// its helper (far_memory.hpp) call the layer, one at a time.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace atl::transport::far {

inline constexpr int any_rank = -1;

/// An operation in flight. Zeroed: none.
struct message_request {
  std::uint64_t words[2] = {};
};

class message_layer {
 public:
  virtual ~message_layer() = default;

  /// Returns the number of ranks of the job.
  virtual int size() const = 0;

  /// Starts a send. `data` belongs to the layer until `test` has returned true.
  virtual void start_send(const void* data, int bytes, int to, int tag,
                          message_request& started) = 0;

  /// Returns how many receives with one tag are worth posting at a time. Messages without a posted
  /// receive are kept as well, but may cost more.
  virtual std::size_t most_receives() const { return 64; }

  /// Starts a receive from this rank, or from `any_rank`.
  virtual void start_receive(void* data, int capacity, int from, int tag,
                             message_request& started) = 0;

  /// Returns whether the operation is complete; true only once. A receive sets `from` and `bytes`,
  /// either of which may be null.
  virtual bool test(message_request& request, int* from, int* bytes) = 0;

  /// Returns the index of a complete receive, once per receive; -1: none. May cost no more than one
  /// `test`, and find a receive later.
  virtual int test_any(std::span<message_request* const> requests, int* from, int* bytes) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (test(*requests[i], from, bytes)) return static_cast<int>(i);
    return -1;
  }

  /// Gives up a receive.
  virtual void cancel(message_request& request) = 0;

  /// Sends `bytes` bytes from each rank to each; blocking and collective.
  virtual void all_to_all(const void* mine, int bytes, void* all) = 0;
};

/// Forgets the oldest of these operations as far as they are complete. Returns true if all are.
inline bool forget_complete(message_layer& layer, std::deque<message_request>& started) {
  while (!started.empty() && layer.test(started.front(), nullptr, nullptr)) started.pop_front();
  return started.empty();
}

}  // namespace atl::transport::far
