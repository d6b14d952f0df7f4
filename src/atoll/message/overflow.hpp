#pragma once
// Buffers that are full while the transport has no room: they wait in private memory, in order, and
// go on when the receiver gives buffers back.

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

}  // namespace atl::message
