#pragma once
// The wire from one PE to another: a few places for buffers, used in turn, so that buffers arrive
// in the order they were sent. A place is taken from the sending until the room has come back.

#include "atoll/transport/sim/buffer_pool.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>

namespace atoll::transport::sim {

class channel {
 public:
  explicit channel(std::size_t places) : places_(places) {}

  /// The buffer that is being filled.
  buffer filling;

  /// The sender has asked for room and got none.
  bool refused = false;

  /// When the sender has room for the next buffer; `forever` while that place is taken.
  nanoseconds room_at() const {
    const place& next = places_[sent_ % places_.size()];
    return next.content == nullptr ? next.time : forever;
  }

  /// Puts the filled buffer on its way; returns when it arrives. Not before those ahead of it.
  nanoseconds send(std::uint32_t bytes, nanoseconds arrival) {
    last_arrival_ = std::max(last_arrival_, arrival);
    places_[sent_++ % places_.size()] = {std::move(filling), bytes, last_arrival_};
    return last_arrival_;
  }

  bool empty() const { return sent_ == received_; }
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

  std::vector<place> places_;
  std::size_t sent_ = 0;
  std::size_t received_ = 0;
  nanoseconds last_arrival_ = 0;
  nanoseconds last_room_ = 0;
};

}  // namespace atoll::transport::sim
