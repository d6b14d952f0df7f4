#pragma once
// The wire from one PE to another: a few places for buffers, used round-robin, so that buffers
// arrive in the order they were sent. A place is taken from the sending until the room has come
// back.

#include "atoll/transport/sim/buffer_pool.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atl::transport::sim {

class channel {
 public:
  /// `places` at first, `most` when they are needed.
  channel(std::size_t places, std::size_t most) : places_(places), most_(most) {}

  /// The buffer that is being filled.
  buffer filling;

  /// The sender has asked for room and got none.
  bool refused = false;

  /// When the sender has room for the next buffer; `forever` while that place is taken.
  nanoseconds room_at() const {
    const place& next = places_[sent_ % places_.size()];
    return next.content == nullptr ? next.time : forever;
  }

  /// Makes another place, if it may, where the next one is not free at `time`.
  void make_room(nanoseconds time) {
    if (room_at() > time && places_.size() < most_) grow();
  }

  /// Puts a filled buffer on its way; when it arrives is to be told by `arrives`, in this order.
  void send(buffer filled, std::uint32_t bytes) {
    places_[sent_++ % places_.size()] = {std::move(filled), bytes, forever};
  }

  /// The first buffer whose arrival was not known arrives at `time`, but not before the buffer
  /// ahead of it. Returns that time.
  nanoseconds arrives(nanoseconds time) {
    last_arrival_ = std::max(last_arrival_, time);
    return places_[decided_++ % places_.size()].time = last_arrival_;
  }

  /// There is no buffer left whose arrival is known.
  bool empty() const { return decided_ == received_; }
  nanoseconds next_arrival() const { return head().time; }
  delivery next(int source) const { return {head().content.get(), head().bytes, source}; }

  /// Takes the next buffer off; its place is free again at `room`.
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
    nanoseconds time = 0;  // of the arrival, or of the return of the room
  };

  const place& head() const { return places_[received_ % places_.size()]; }

  // The new places are the next to be used.
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

}  // namespace atl::transport::sim
