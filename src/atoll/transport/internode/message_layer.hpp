#pragma once
// A message layer sends two-sided messages between nodes: a receiver posts receives with memory for
// messages. One message layer calls MPI, and another one simulates a network.
//
// Messages of one sender with one tag arrive in the order in which they were started. The PE and
// its helper thread (far_memory.hpp) call the layer, but never at the same time.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace atl::transport::internode {

inline constexpr int any_rank = -1;

/// A send or receive in flight. All words are 0 if no operation is in flight.
struct message_request {
  std::uint64_t words[2] = {};
};

class message_layer {
 public:
  virtual ~message_layer() = default;

  /// Returns the number of ranks of the job.
  virtual int size() const = 0;

  /// Starts to send `bytes` bytes at `data`. The caller must leave `data` unchanged until `test`
  /// has returned true.
  virtual void start_send(const void* data, int bytes, int to, int tag,
                          message_request& started) = 0;

  /// Returns the number of receives with one tag that should be posted at a time. The layer also
  /// keeps messages without a posted receive, but they may cost more.
  virtual std::size_t most_receives() const { return 64; }

  /// Starts to receive a message of at most `capacity` bytes from the rank `from`, which may be
  /// `any_rank`.
  virtual void start_receive(void* data, int capacity, int from, int tag,
                             message_request& started) = 0;

  /// Returns whether the operation is complete. Do not test an operation again after the result was
  /// true. A complete receive stores its sender in `from` and its length in `bytes`; both pointers
  /// may be null.
  virtual bool test(message_request& request, int* from, int* bytes) = 0;

  /// Returns the index in `requests` of a receive that is complete, or -1. Each complete receive is
  /// returned once. A layer may override this with a cheaper test that finds a complete receive
  /// only in a later call.
  virtual int test_any(std::span<message_request* const> requests, int* from, int* bytes) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (test(*requests[i], from, bytes)) return static_cast<int>(i);
    return -1;
  }

  /// Cancels a receive that is not complete.
  virtual void cancel(message_request& request) = 0;

  /// Sends `bytes` bytes from every rank to every rank. All ranks must call this function, which
  /// blocks.
  virtual void all_to_all(const void* mine, int bytes, void* all) = 0;
};

/// Removes operations from the front of `started` until one is not complete. Returns true if none
/// is left.
inline bool forget_complete(message_layer& layer, std::deque<message_request>& started) {
  while (!started.empty() && layer.test(started.front(), nullptr, nullptr)) started.pop_front();
  return started.empty();
}

}  // namespace atl::transport::internode
