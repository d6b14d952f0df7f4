#pragma once
// A message layer sends two-sided messages between nodes. A receiver posts receives. Each receive
// provides the memory for one arriving message. One message layer calls MPI, and another one
// simulates a network.
//
// Messages from one sender with the same tag arrive in the order in which their sends were started.
// The PE and its helper thread (far_memory.hpp) both call the layer, but never at the same time.

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

  /// Starts to send `bytes` bytes at `data` to the rank `to`. The caller must leave `data`
  /// unchanged until `test` has returned true for `started`.
  virtual void start_send(const void* data, int bytes, int to, int tag,
                          message_request& started) = 0;

  /// Returns how many receives with one tag the caller should post at a time. The layer keeps a
  /// message that arrives without a posted receive, but the message may cost more time.
  virtual std::size_t most_receives() const { return 64; }

  /// Starts to receive a message of at most `capacity` bytes from the rank `from`. If `from` is
  /// `any_rank`, the message may come from any rank.
  virtual void start_receive(void* data, int capacity, int from, int tag,
                             message_request& started) = 0;

  /// Returns true if the operation is complete. If the result is true, the caller must not test the
  /// operation again. For a complete receive, the function stores the sender in `from` and the
  /// length in `bytes`. The pointers `from` and `bytes` may be null.
  virtual bool test(message_request& request, int* from, int* bytes) = 0;

  /// Returns the index in `requests` of a complete receive, or -1 if the function finds no complete
  /// receive. Each complete receive is returned only once. A layer may override this function with
  /// a cheaper test, which may find a complete receive only in a later call.
  virtual int test_any(std::span<message_request* const> requests, int* from, int* bytes) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (test(*requests[i], from, bytes)) return static_cast<int>(i);
    return -1;
  }

  /// Cancels a receive that is not complete.
  virtual void cancel(message_request& request) = 0;

  /// Sends `bytes` bytes from every rank to every rank. All ranks must call this function. The
  /// function blocks until all ranks have called it.
  virtual void all_to_all(const void* mine, int bytes, void* all) = 0;
};

/// Removes operations from the front of `started` until one is not complete. Returns true if all
/// operations were complete and removed.
inline bool forget_complete(message_layer& layer, std::deque<message_request>& started) {
  while (!started.empty() && layer.test(started.front(), nullptr, nullptr)) started.pop_front();
  return started.empty();
}

}  // namespace atl::transport::internode
