#pragma once
// Flow control bounds the memory for messages. If a receiver has no room for a buffer, the sender
// fills the buffer in its own private memory, the overflow. A PE is congested while its overflow
// holds any buffer. While a PE is congested, back-pressure applies: the scheduler and the runtime's
// loops start no new work, and `co_await room()` suspends its task. While many messages wait in its
// overflow, a PE also limits the delivery of arrived messages, because their handlers could send
// further messages.

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

// The overflow holds filled buffers for which the receiver has no room. Buffers of the overflow
// wait in private memory, in the order of sending. The overflow hands a buffer to the transport
// when the receiver has room again.

class overflow {
 public:
  overflow(transport::endpoint& transport, memory_account& account, std::uint64_t limit);

  /// Returns private memory for one network buffer. Returns null if there is no memory.
  std::byte* open();

  /// Queues the filled buffer behind the buffers that already wait for `destination`.
  void push(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Sends waiting buffers to each destination PE until that PE has no more room. Returns true if
  /// at least one buffer was sent.
  bool drain();
  /// Sends buffers that wait for `destination` until that PE has no more room. Returns true if at
  /// least one buffer was sent.
  bool drain(int destination);

  bool waits(int destination) const { return !empty() && queues_.contains(destination); }

  /// Returns whether messages wait for a PE other than `destination`.
  bool waits_beside(int destination) const {
    return queues_.size() > (queues_.contains(destination) ? 1U : 0U);
  }

  /// Returns whether the last `drain()` left a large backlog for some PE. A backlog is large if it
  /// exceeds the smaller of 8 MiB and a quarter of the overflow limit.
  bool much_waits() const { return much_waits_; }
  bool empty() const { return waiting_bytes_ == 0; }
  std::uint64_t bytes() const { return waiting_bytes_; }

  /// Returns whether the waiting bytes exceed the setting `overflow-limit`.
  bool beyond_limit() const { return waiting_bytes_ > limit_; }
  std::uint64_t limit() const { return limit_; }
  const memory_account& account() const { return account_; }

 private:
  struct waiting {
    std::unique_ptr<std::byte[]> buffer;
    std::uint32_t bytes;
    bool is_whole;  // whether the memory has the size of a network buffer
  };

  struct queue {
    std::deque<waiting> buffers;
    std::uint64_t bytes = 0;
  };

  /// Returns the queue entry for a filled buffer. A buffer that is at most half full is copied to a
  /// smaller block. Only filled bytes count towards the overflow limit, so half-empty blocks would
  /// hold memory that this limit does not count.
  waiting trimmed(std::unique_ptr<std::byte[]> buffer, std::uint32_t bytes);
  void keep_spare(std::unique_ptr<std::byte[]> buffer);
  bool drain(int destination, queue& from);

  transport::endpoint& transport_;
  memory_account& account_;
  std::uint64_t limit_;
  std::uint64_t waiting_bytes_ = 0;
  bool much_waits_ = false;
  std::map<int, queue> queues_;  // queue of each destination; empty queues are erased
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

class flow_control {
 public:
  flow_control(transport::endpoint& transport, observe::counters& counters, memory_account& account,
               std::uint64_t overflow_limit);

  /// Returns whether this PE is congested: messages wait for room at a receiver.
  bool congested() const { return congested_; }

  /// Returns whether a loop may send more messages. Returns false if this PE is congested. Returns
  /// false if this PE has sent several buffers since its last check for arrived messages, so that
  /// the PE delivers those messages first. A round is the time from one check for arrived messages
  /// to the next. If a loop could send without bound, its PE would deliver messages only when no
  /// room is left. Two PEs with loops that send without bound would compute in turns instead of in
  /// parallel.
  bool has_room() const { return has_room_; }

  /// Memory for one buffer: either memory of the transport, or private memory of this PE (the
  /// overflow).
  struct room {
    std::byte* memory;
    bool in_overflow;
  };

  /// Returns memory for a buffer to `destination`. The first message of the buffer has the kind
  /// `kind` and is sent at the place `where` in the source code. If a limit is exceeded or memory
  /// is exhausted, a message that may be refused causes an atl::error (overflow, out_of_memory). A
  /// message that must not be refused ignores the limits, but if memory is exhausted, this PE ends
  /// the job.
  room open(int destination, traffic kind, site where);

  /// Reports that there is no memory for a message of the kind `kind`. If messages of the kind
  /// `kind` may be refused, throws atl::error (out_of_memory). If messages of the kind `kind` must
  /// not be refused, ends the job.
  [[noreturn]] void without_memory(traffic kind, site where);

  /// Throws atl::error (overflow) if `open` would refuse a message now. Call this function before a
  /// task begins a step whose messages must not be refused.
  void check(site where) const {
    check_limit(where);
    check_memory(where);
  }

  /// Queues a closed buffer that was filled in the overflow. The buffer waits until its receiver
  /// has room.
  void close(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Returns whether closed buffers for `destination` wait for room.
  bool waits(int destination) const { return overflow_.waits(destination); }

  /// Returns whether a buffer is being filled in the overflow (private memory), because its
  /// receiver had no room.
  bool fills_overflow() const { return open_in_overflow_ > 0; }

  /// Counts one buffer sent in the current round, that is, since this PE last checked for arrived
  /// messages.
  void count_sent();

  /// Sends waiting buffers while their receivers have room. Returns true if at least one buffer was
  /// sent.
  bool drain();

  /// Blocks until no message waits for a PE other than `self`.
  void drain_beside(int self);

  /// Returns whether the next arrived buffer may be delivered now.
  bool may_deliver();

  /// Reports that a buffer of `buffer_bytes` bytes was delivered. `bytes_before` is the number of
  /// bytes that waited for room before the delivery.
  void delivered(std::uint32_t buffer_bytes, std::uint64_t bytes_before);

  /// Returns the number of bytes that wait for room.
  std::uint64_t bytes() const { return overflow_.bytes(); }

  /// Returns whether this PE is close to its limit of memory, or of messages that wait for room.
  bool has_much() const;

  /// Begins a round: this PE may send several buffers before it should next check for arrived
  /// messages.
  void begin_round();

  /// Makes `has_room` return false until the next round begins, that is, until this PE has checked
  /// for arrived messages.
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
  /// Growth of the overflow (waiting messages) by deliveries, in bytes. `grown_` decreases by the
  /// bytes that `drain` sends and by an eighth of the delivered bytes, but not below 0.
  std::uint64_t grown_ = 0;
  transport::nanoseconds next_delivery_ = 0;
  /// Bytes that handlers of recently delivered messages added to the overflow (waiting messages),
  /// minus 1.5 times the delivered bytes, but at least 0.
  std::int64_t multiplied_ = 0;
  int open_in_overflow_ = 0;
  int sent_in_round_ = 0;
  bool congested_ = false;
  bool has_room_ = true;
};

}  // namespace atl::message
