#pragma once
// A record box collects records (small requests or answers) for other ranks, and sends them in
// messages with one tag. For each rank, the box fills at most one message at a time, the open
// message. An open message is sent when it is full or when `send` is called.

#include "atoll/transport/internode/receive_rings.hpp"

#include <cstring>
#include <deque>
#include <vector>

namespace atl::transport::internode {

/// Alignment of records within a message, in bytes.
inline constexpr std::size_t record_unit = 8;

class record_box {
 public:
  record_box(message_layer& layer, int tag, std::size_t capacity)
      : layer_(layer),
        tag_(tag),
        capacity_(capacity),
        open_(static_cast<std::size_t>(layer.size())) {}

  /// Appends `record` and `payload` to the open message for the rank `to`. If there is not enough
  /// room, the open message is sent first, and `sent()` is called.
  template <class Record, class Sent>
  void append(int to, const Record& record, std::span<const std::byte> payload, Sent sent) {
    static_assert(sizeof(Record) % record_unit == 0);
    const std::size_t bytes = sizeof record + round_up(payload.size(), record_unit);
    if (open_of(to).filled + bytes > capacity_ && send(to)) sent();
    message& into = open_of(to);
    if (into.data == nullptr) into.data = take_buffer();
    if (into.filled == 0) waiting_.push_back(to);
    std::byte* const at = into.data.get() + into.filled;
    std::memcpy(at, &record, sizeof record);
    if (!payload.empty()) std::memcpy(at + sizeof record, payload.data(), payload.size());
    into.filled += bytes;
  }

  /// Sends the open message for the rank `to`. Returns false if there is no open message.
  bool send(int to) {
    message& open = open_of(to);
    if (open.filled == 0) return false;
    const int bytes = static_cast<int>(std::exchange(open.filled, 0));
    std::erase(waiting_, to);
    under_way& gone = under_way_.emplace_back(under_way{std::move(open.data), {}});
    layer_.start_send(gone.data.get(), bytes, to, tag_, gone.request);
    ++messages_;
    return true;
  }

  /// Sends all open messages, and calls `sent(to)` for each, where `to` is the receiving rank.
  template <class Sent>
  void send_all(Sent sent) {
    while (!waiting_.empty()) {
      const int to = waiting_.back();
      send(to);
      sent(to);
    }
  }
  bool has_open() const { return !waiting_.empty(); }

  /// Takes back the buffers of messages whose send is complete, for reuse. Returns true if no send
  /// is in flight any more.
  bool reap() {
    while (!under_way_.empty() && layer_.test(under_way_.front().request, nullptr, nullptr)) {
      free_.push_back(std::move(under_way_.front().data));
      under_way_.pop_front();
    }
    return under_way_.empty();
  }

  std::uint64_t messages() const { return messages_; }

 private:
  struct message {
    aligned_bytes data;
    std::size_t filled = 0;
  };
  struct under_way {
    aligned_bytes data;
    message_request request;
  };

  message& open_of(int rank) { return open_[static_cast<std::size_t>(rank)]; }
  aligned_bytes take_buffer() {
    if (free_.empty()) return allocate_aligned(capacity_);
    aligned_bytes taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }

  message_layer& layer_;
  const int tag_;
  const std::size_t capacity_;
  std::vector<message> open_;  // open message of each rank
  std::vector<int> waiting_;   // ranks whose open message is not empty
  std::deque<under_way> under_way_;
  std::vector<aligned_bytes> free_;
  std::uint64_t messages_ = 0;
};

}  // namespace atl::transport::internode
