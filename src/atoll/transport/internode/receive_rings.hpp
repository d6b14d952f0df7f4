#pragma once
// A ring is a fixed number of posted receives for messages with one tag from any rank. Receives
// complete in the order in which they were posted, so messages from one rank are received in order.
// A group is a set of rings that are tested together.

#include "atoll/base/bits.hpp"
#include "atoll/transport/internode/message_layer.hpp"
#include "atoll/transport/transport.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace atl::transport::internode {

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};

/// Memory that is aligned to a cache line and freed automatically.
using aligned_bytes = std::unique_ptr<std::byte, free_memory>;

inline aligned_bytes allocate_aligned(std::size_t bytes) {
  aligned_bytes result(
      static_cast<std::byte*>(std::aligned_alloc(64, round_up(bytes, std::size_t{64}))));
  if (result == nullptr) throw std::bad_alloc();
  return result;
}

class receive_ring {
 public:
  receive_ring(message_layer& layer, int tag, std::size_t slots, std::size_t bytes)
      : layer_(layer), tag_(tag), bytes_(bytes), slots_(slots) {
    for (slot& each : slots_) {
      each.bytes = allocate_aligned(bytes);
      post(each);
    }
  }
  ~receive_ring() {
    for (slot& each : slots_)
      if (each.posted) layer_.cancel(each.request);
  }
  receive_ring(const receive_ring&) = delete;
  receive_ring& operator=(const receive_ring&) = delete;

  /// Returns the oldest message that has arrived. Further calls return the same message until
  /// `pass` is called. If there is no message, the data of the result is null. If the ring is in a
  /// group, this function does not test the ring, and returns only a message that the group has
  /// found.
  const delivery& look() { return in_group_ ? arrived_ : look_alone(); }

  /// Returns the oldest message that has arrived. Unlike `look`, this function tests the ring even
  /// if the ring is in a group.
  const delivery& look_alone() {
    int from = 0;
    int bytes = 0;
    if (arrived_.data == nullptr && layer_.test(oldest(), &from, &bytes)) arrive(from, bytes);
    return arrived_;
  }

  /// Ends the use of the message that `look` has returned, and posts the receive for another
  /// message.
  void pass() {
    arrived_ = {};
    post(slots_[head_]);
    head_ = (head_ + 1) % slots_.size();
  }

  // Only the class `receive_group` may call `has_arrived`, `oldest` and `arrive`. Any code may call
  // `set_in_group`.
  void set_in_group(bool is) { in_group_ = is; }
  bool has_arrived() const { return arrived_.data != nullptr; }
  message_request& oldest() { return slots_[head_].request; }
  void arrive(int from, int bytes) {
    slots_[head_].posted = false;
    arrived_ = {slots_[head_].bytes.get(), static_cast<std::uint32_t>(bytes), from};
  }

 private:
  struct slot {
    aligned_bytes bytes;
    message_request request;
    bool posted = false;
  };

  void post(slot& into) {
    layer_.start_receive(into.bytes.get(), static_cast<int>(bytes_), any_rank, tag_, into.request);
    into.posted = true;
  }

  message_layer& layer_;
  int tag_;
  std::size_t bytes_;
  std::vector<slot> slots_;
  std::size_t head_ = 0;
  delivery arrived_{};
  bool in_group_ = false;
};

// A PE tests all its rings in one call. Separate tests of the rings would be slow, because each
// test makes the MPI library work on all operations in flight. The work on all operations in flight
// costs more than all other work for a small message.

class receive_group {
 public:
  explicit receive_group(message_layer& layer) : layer_(layer) {}

  /// Adds `ring` to the group. After this call, the function `look` of `ring` returns only messages
  /// that the group has found. The ring must outlive the last `look` of the group. To make the ring
  /// independent of the group again, call `ring.set_in_group(false)`.
  void add(receive_ring& ring) {
    ring.set_in_group(true);
    rings_[count_++] = &ring;
  }

  /// Tests all rings that hold no message, and finds at most one new message. Each call tests
  /// another ring first, so that no ring is preferred.
  void look() {
    std::array<message_request*, most_rings> requests;
    std::array<receive_ring*, most_rings> asked;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      receive_ring& ring = *rings_[(first_ + i) % count_];
      if (ring.has_arrived()) continue;
      asked[empty] = &ring;
      requests[empty++] = &ring.oldest();
    }
    if (empty == 0) return;
    first_ = (first_ + 1) % count_;
    int from = 0;
    int bytes = 0;
    const int which = layer_.test_any({requests.data(), empty}, &from, &bytes);
    if (which >= 0) asked[static_cast<std::size_t>(which)]->arrive(from, bytes);
  }

 private:
  static constexpr std::size_t most_rings = 4;

  message_layer& layer_;
  std::array<receive_ring*, most_rings> rings_{};
  std::size_t count_ = 0;
  std::size_t first_ = 0;
};

}  // namespace atl::transport::internode
