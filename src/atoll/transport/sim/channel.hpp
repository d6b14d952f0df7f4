#pragma once
// Data in flight between simulated PEs. The class `channel` holds network buffers from one PE to
// another PE of its node. The class `mail` holds messages between nodes.

#include "atoll/base/bits.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

namespace atl::transport::sim {

// The class `buffer_pool` is an object pool of network buffers. A buffer is overwritten when it is
// given back to the pool, so that tests detect code that still reads the buffer.

struct free_memory {
  void operator()(std::byte* memory) const noexcept { std::free(memory); }
};
using buffer = std::unique_ptr<std::byte, free_memory>;

class buffer_pool {
 public:
  /// Makes a pool of buffers of `capacity` bytes. If `packs` is true, a buffer in flight is stored
  /// as a copy without its unused bytes. The copy saves memory in a job of many PEs, but takes
  /// time.
  buffer_pool(std::uint32_t capacity, bool packs) : capacity_(capacity), packs_(packs) {}

  /// Returns an unused buffer of the full capacity.
  buffer take() {
    if (spare_.empty()) return fresh(capacity_);
    buffer taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }

  /// Returns a copy of `bytes` bytes at `data`. A message between nodes is stored as a copy while
  /// it is in flight.
  static buffer copy_of(const void* data, std::uint32_t bytes) {
    buffer copy = fresh(bytes);
    std::memcpy(copy.get(), data, bytes);
    return copy;
  }

  /// Returns the buffer that is stored while the contents of `filled` are in flight. If the pool
  /// was made with `packs`, the result is a smaller copy of `filled`. If the pool was made without
  /// `packs`, the result is `filled` itself.
  buffer packed(buffer filled, std::uint32_t bytes) {
    if (!packs_) return filled;
    buffer copy = copy_of(filled.get(), bytes);
    spare_.push_back(std::move(filled));
    return copy;
  }

  /// Gives a buffer back to the pool after the receiver has released it.
  void give_back(buffer used, std::uint32_t bytes) {
    std::memset(used.get(), 0xdb, bytes);
    if (!packs_) spare_.push_back(std::move(used));
  }

 private:
  static constexpr std::size_t alignment = 64;

  static buffer fresh(std::size_t bytes) {
    buffer made(static_cast<std::byte*>(std::aligned_alloc(alignment, round_up(bytes, alignment))));
    if (made == nullptr) throw std::bad_alloc();
    return made;
  }

  std::uint32_t capacity_;
  bool packs_;
  std::vector<buffer> spare_;
};

/// The wire from one PE to another PE of the same node. The wire has a few places for buffers. The
/// places are used in turn, so that buffers arrive in the order of sending. A place is in use from
/// the time when a buffer is sent until the sender knows that the buffer was released.
class channel {
 public:
  /// Makes a wire with `places` places. The wire may grow to `most` places.
  channel(std::size_t places, std::size_t most) : places_(places), most_(most) {}

  /// The buffer that the sender is filling now.
  buffer filling;

  /// True if the sender has asked for a place and no place was free.
  bool refused = false;

  /// Returns the time when the next place is free for the sender. Returns `forever` while the next
  /// place holds a buffer that the receiver has not released.
  nanoseconds room_at() const {
    const place& next = places_[sent_ % places_.size()];
    return next.content == nullptr ? next.time : forever;
  }

  /// If the next place is not free at `time`, adds places until the wire has its maximum number of
  /// places.
  void make_room(nanoseconds time) {
    if (room_at() > time && places_.size() < most_) grow();
  }

  /// Sends the buffer `filled`. For each sent buffer, in the order of sending, the caller must then
  /// call `arrives` to set the time of arrival.
  void send(buffer filled, std::uint32_t bytes) {
    places_[sent_++ % places_.size()] = {std::move(filled), bytes, forever};
  }

  /// Sets the arrival time of the oldest buffer that has no arrival time yet, and returns this
  /// time. The arrival time is `time` or, if an earlier buffer arrives later, the arrival time of
  /// that buffer.
  nanoseconds arrives(nanoseconds time) {
    last_arrival_ = std::max(last_arrival_, time);
    return places_[decided_++ % places_.size()].time = last_arrival_;
  }

  /// Returns true if no buffer with a known arrival time is in flight.
  bool empty() const { return decided_ == received_; }
  nanoseconds next_arrival() const { return head().time; }
  delivery next(int source) const { return {head().content.get(), head().bytes, source}; }

  /// Removes the oldest buffer and gives it back to `pool`. The sender can use the place of the
  /// buffer again from the time `room` on.
  void take(buffer_pool& pool, nanoseconds room) {
    place& taken = places_[received_++ % places_.size()];
    pool.give_back(std::move(taken.content), taken.bytes);
    last_room_ = std::max(last_room_, room);
    taken = {nullptr, 0, last_room_};
  }

 private:
  struct place {
    buffer content;
    std::uint32_t bytes = 0;
    // If the place holds a buffer, the time when the buffer arrives. If the place is empty, the
    // time when the sender can use the place again.
    nanoseconds time = 0;
  };

  const place& head() const { return places_[received_ % places_.size()]; }

  // Adds places to the wire. The new places are used next.
  void grow() {
    const std::size_t size = places_.size();
    const std::size_t under_way = sent_ - received_;
    const auto at = [](auto& list, std::size_t i) {
      return list.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::rotate(places_.begin(), at(places_, received_ % size), places_.end());
    places_.resize(std::min(2 * size, most_));
    std::rotate(at(places_, under_way), at(places_, size), places_.end());
    decided_ -= received_;
    sent_ = under_way;
    received_ = 0;
  }

  std::vector<place> places_;
  std::size_t most_;
  std::size_t sent_ = 0;
  std::size_t decided_ = 0;
  std::size_t received_ = 0;
  nanoseconds last_arrival_ = 0;
  nanoseconds last_room_ = 0;
};

/// The simulated messages in flight between nodes.
class mail {
 public:
  struct message {
    buffer content;
    int tag;
  };

  /// Stores a message that is now in flight, and returns its number. Later messages have higher
  /// numbers.
  std::uint64_t post(buffer content, int tag) {
    under_way_.emplace(posted_, message{std::move(content), tag});
    return posted_++;
  }

  int tag_of(std::uint64_t number) const { return under_way_.at(number).tag; }

  message take(std::uint64_t number) {
    const auto found = under_way_.find(number);
    message taken = std::move(found->second);
    under_way_.erase(found);
    return taken;
  }

 private:
  std::unordered_map<std::uint64_t, message> under_way_;
  std::uint64_t posted_ = 0;
};

}  // namespace atl::transport::sim
