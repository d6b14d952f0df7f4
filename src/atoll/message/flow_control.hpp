#pragma once
// Flow control bounds the memory for messages. A buffer without room at its receiver is filled in
// the overflow, and the PE is congested while any overflow waits. The loops of the runtime,
// `room()` and the scheduler then apply back-pressure. While the overflow is large, the PE limits
// deliveries so that the overflow never grows by more than it has just drained.

#include "atoll/base/site.hpp"
#include "atoll/message/handler.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace atl {
class memory_account;
}

namespace atl::transport {
class endpoint;
}

namespace atl::message {

// The overflow holds filled buffers for which the transport has no room. Buffers wait in private
// memory, in order, and are sent when the receiver gives buffers back.

class overflow {
 public:
  overflow(transport::endpoint& transport, memory_account& account, std::uint64_t limit);

  /// Returns private memory for a buffer to a destination without room; null if there is no memory.
  std::byte* open();

  /// Queues the filled buffer behind those already waiting for `destination`.
  void push(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Hands over as many waiting buffers as there is room for, to all PEs or to one. Returns true if
  /// one moved.
  bool drain();
  bool drain(int destination);

  bool waits(int destination) const { return !empty() && queues_.contains(destination); }

  /// Returns whether messages wait for a PE other than `destination`.
  bool waits_beside(int destination) const {
    return queues_.size() > (queues_.contains(destination) ? 1U : 0U);
  }

  /// Returns whether the last `drain` of all found a receiver with a large backlog.
  bool much_waits() const { return much_waits_; }
  bool empty() const { return waiting_bytes_ == 0; }
  std::uint64_t bytes() const { return waiting_bytes_; }

  /// Returns whether more bytes wait than the setting `overflow-limit` allows.
  bool beyond_limit() const { return waiting_bytes_ > limit_; }
  std::uint64_t limit() const { return limit_; }
  const memory_account& account() const { return account_; }

 private:
  struct waiting {
    std::unique_ptr<std::byte[]> buffer;
    std::uint32_t bytes;
    bool is_whole;  // its memory has the size of a network buffer
  };

  struct queue {
    std::deque<waiting> buffers;
    std::uint64_t bytes = 0;
  };

  /// Returns the filled buffer. A buffer that is at most half full is copied to memory of its own
  /// size, because only its bytes count against the limit.
  waiting trimmed(std::unique_ptr<std::byte[]> buffer, std::uint32_t bytes);
  void keep_spare(std::unique_ptr<std::byte[]> buffer);
  bool drain(int destination, queue& from);

  transport::endpoint& transport_;
  memory_account& account_;
  std::uint64_t limit_;
  std::uint64_t waiting_bytes_ = 0;
  bool much_waits_ = false;
  std::map<int, queue> queues_;  // by destination; empty queues are erased
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

class flow_control {
 public:
  flow_control(transport::endpoint& transport, observe::counters& counters, memory_account& account,
               std::uint64_t overflow_limit);

  /// Returns whether messages wait for room.
  bool congested() const { return congested_; }

  /// Returns whether a loop may send more: not congested, and not so much sent in this round that
  /// arrived messages should be delivered first. Two PEs that only deliver once there is no room
  /// would otherwise take turns instead of computing in parallel.
  bool has_room() const { return has_room_; }

  /// Memory for a buffer.
  struct room {
    std::byte* memory;
    bool in_overflow;
  };

  /// Returns memory for a buffer to `destination` whose first message has this kind and is sent at
  /// `where`. Throws atl::error (overflow, out_of_memory). For a message that may not be refused,
  /// the job ends instead.
  room open(int destination, traffic kind, site where);

  /// Reports that there is no memory for a message. Throws atl::error (out_of_memory), or ends the
  /// job for a message that may not be refused.
  [[noreturn]] void without_memory(traffic kind, site where);

  /// Throws as `open` does for a message that may be refused. Call this before a task begins
  /// something by messages that are owed.
  void check(site where) const {
    check_limit(where);
    check_memory(where);
  }

  /// Queues a closed buffer that was filled in the overflow, until there is room.
  void close(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Returns whether closed buffers for `destination` wait for room.
  bool waits(int destination) const { return overflow_.waits(destination); }

  /// Returns whether a buffer is being filled in the overflow.
  bool fills_overflow() const { return open_in_overflow_ > 0; }

  /// Counts a buffer that was sent in this round.
  void count_sent();

  /// Hands over waiting buffers as far as there is room. Returns true if one moved.
  bool drain();

  /// Blocks until no message waits for a PE other than `self`.
  void drain_beside(int self);

  /// Returns whether a buffer may be delivered now.
  bool may_deliver();

  /// Reports that a buffer of `buffer_bytes` was delivered. Before the delivery, `bytes_before`
  /// bytes waited for room.
  void delivered(std::uint32_t buffer_bytes, std::uint64_t bytes_before);

  /// Returns the number of bytes that wait for room.
  std::uint64_t bytes() const { return overflow_.bytes(); }

  /// Returns whether this PE is close to the limit of its overflow or memory.
  bool has_much() const;

  /// Begins a round: arrived messages have been delivered.
  void begin_round();

  /// Makes `has_room` return false until the next round begins.
  void end_round() { has_room_ = false; }

  /// Blocks until there is something to do, at most until `deadline`.
  void wait(transport::nanoseconds deadline);

 private:
  bool is_held_back() const { return grown_ != 0 && overflow_.much_waits(); }
  transport::nanoseconds pause_in_backlog() const;
  void check_limit(site where) const;
  void check_memory(site where) const;
  std::byte* open_in_overflow(traffic kind, site where);

  transport::endpoint& transport_;
  observe::counters& counters_;
  overflow overflow_;
  std::uint64_t grown_ = 0;  ///< bytes delivered into the overflow and not drained since
  transport::nanoseconds next_delivery_ = 0;
  std::int64_t multiplied_ = 0;  ///< growth by recent deliveries beyond 1.5 times their size
  int open_in_overflow_ = 0;
  int sent_in_round_ = 0;
  bool congested_ = false;
  bool has_room_ = true;
};

}  // namespace atl::message
