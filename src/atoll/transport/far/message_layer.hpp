#pragma once
// What the wire between nodes asks of whatever carries its messages: two-sided ones, which a
// receiver has posted memory for. MPI is one such layer, the simulated network another.
//
// Messages of one sender with one tag arrive in the order in which they were started. The PE and
// its helper (far_memory.hpp) call it, one at a time.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace atl::transport::far {

inline constexpr int any_rank = -1;

/// An operation under way. Zeroed: none.
struct message_request {
  std::uint64_t words[2] = {};
};

class message_layer {
 public:
  virtual ~message_layer() = default;

  /// The ranks of the job.
  virtual int size() const = 0;

  /// `data` belongs to the layer until `test` has said that the operation is complete.
  virtual void start_send(const void* data, int bytes, int to, int tag,
                          message_request& started) = 0;

  /// Receives with one tag that are worth posting at a time: what arrives without one is kept as
  /// well, but may cost more.
  virtual std::size_t most_receives() const { return 64; }

  /// From this rank, or `any_rank`.
  virtual void start_receive(void* data, int capacity, int from, int tag,
                             message_request& started) = 0;

  /// Whether it is complete; true once. `from` and `bytes` (may be null) are set by a receive.
  virtual bool test(message_request& request, int* from, int* bytes) = 0;

  /// Which of these receives is complete, once; none: -1. May cost no more than one `test`, and say
  /// so later.
  virtual int test_any(std::span<message_request* const> requests, int* from, int* bytes) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (test(*requests[i], from, bytes)) return static_cast<int>(i);
    return -1;
  }

  /// Gives up a receive.
  virtual void cancel(message_request& request) = 0;

  /// Blocking and collective, `bytes` from each rank to each.
  virtual void all_to_all(const void* mine, int bytes, void* all) = 0;
};

/// Forgets the oldest of these operations as far as they are complete. True: all are.
inline bool forget_complete(message_layer& layer, std::deque<message_request>& started) {
  while (!started.empty() && layer.test(started.front(), nullptr, nullptr)) started.pop_front();
  return started.empty();
}

}  // namespace atl::transport::far
