#pragma once
// Keeps the memory for messages bounded. A buffer that finds no room at its receiver is filled in
// the overflow; while anything waits there the PE is congested, which the loops of the runtime,
// `room()` and the scheduler heed; and while much waits there, the PE delivers no more than lets
// the overflow grow as much as it has drained.

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

// Buffers that are full while the transport has no room: they wait in private memory, in order, and
// go on when the receiver gives buffers back.

class overflow {
 public:
  overflow(transport::endpoint& transport, memory_account& account, std::uint64_t limit);

  /// A buffer in private memory for messages to a destination without room; nullptr where there is
  /// no memory.
  std::byte* open();

  /// Queues the filled buffer behind those already waiting for `destination`.
  void push(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Hands over as many waiting buffers as there is room for, to all or to one. True if one moved.
  bool drain();
  bool drain(int destination);

  bool waits(int destination) const { return !empty() && queues_.contains(destination); }

  /// Something waits for other destinations than this.
  bool waits_beside(int destination) const {
    return queues_.size() > (queues_.contains(destination) ? 1U : 0U);
  }

  /// When `drain` looked last, there was a receiver for which much waits.
  bool much_waits() const { return much_waits_; }
  bool empty() const { return waiting_bytes_ == 0; }
  std::uint64_t bytes() const { return waiting_bytes_; }

  /// More bytes wait than the setting `overflow-limit` allows.
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

  /// The filled buffer; copied to memory of its own size where it is at most half full, for only
  /// its bytes count against the limit.
  waiting trimmed(std::unique_ptr<std::byte[]> buffer, std::uint32_t bytes);
  void keep_spare(std::unique_ptr<std::byte[]> buffer);
  bool drain(int destination, queue& from);

  transport::endpoint& transport_;
  memory_account& account_;
  std::uint64_t limit_;
  std::uint64_t waiting_bytes_ = 0;
  bool much_waits_ = false;
  std::map<int, queue> queues_;  // by destination; where nothing waits there is none
  std::vector<std::unique_ptr<std::byte[]>> spare_;
};

class flow_control {
 public:
  flow_control(transport::endpoint& transport, observe::counters& counters, memory_account& account,
               std::uint64_t overflow_limit);

  /// Messages wait for room.
  bool congested() const { return congested_; }

  /// Not congested, and not so much sent in this round that what has arrived comes first. (Two PEs
  /// that send until there is no room, and only then deliver, would never compute at once.)
  bool has_room() const { return has_room_; }

  /// Memory for a buffer.
  struct room {
    std::byte* memory;
    bool in_overflow;
  };

  /// Room for a buffer to `destination`; its messages begin with one of this kind, sent at `where`.
  /// Throws atl::error (overflow, out_of_memory); for what may not be refused, the job ends
  /// instead.
  room open(int destination, traffic kind, site where);

  /// There is no memory for a message: throws atl::error (out_of_memory), or, for what may not be
  /// refused, ends the job.
  [[noreturn]] void without_memory(traffic kind, site where);

  /// For what is sent as owed, but by a task that has just begun it: throws as `open` of what may
  /// be refused.
  void check(site where) const {
    check_limit(where);
    check_memory(where);
  }

  /// A buffer filled in the overflow is closed: it waits for room from now on.
  void close(int destination, std::byte* buffer, std::uint32_t bytes);

  /// Buffers for `destination` that are closed wait for room.
  bool waits(int destination) const { return overflow_.waits(destination); }

  /// Buffers are being filled in the overflow.
  bool fills_overflow() const { return open_in_overflow_ > 0; }

  /// Counts a buffer of this round.
  void count_sent();

  /// Hands over what there is room for. True if something moved.
  bool drain();

  /// The same until nothing waits for another PE than `self`. Blocks.
  void drain_beside(int self);

  /// Whether a buffer may be delivered now.
  bool may_deliver();

  /// A buffer of so many bytes was delivered; before that, `bytes_before` waited for room.
  void delivered(std::uint32_t buffer_bytes, std::uint64_t bytes_before);

  /// What waits for room.
  std::uint64_t bytes() const { return overflow_.bytes(); }

  /// What waits is far from having found room, or memory.
  bool has_much() const;

  /// What has arrived was delivered.
  void begin_round();

  /// Nothing has room any more, until the next round begins.
  void end_round() { has_room_ = false; }

  /// Blocks until there is something to do, or `deadline`.
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
  std::uint64_t grown_ = 0;  ///< by what was delivered, in bytes, beyond what has drained since
  transport::nanoseconds next_delivery_ = 0;
  std::int64_t multiplied_ = 0;  ///< bytes that deliveries of late made wait beyond one for one
  int open_in_overflow_ = 0;
  int sent_in_round_ = 0;
  bool congested_ = false;
  bool has_room_ = true;
};

}  // namespace atl::message
