#pragma once
// Rings that are looked at together: to ask an MPI library for one message makes it work on all
// that is under way, which costs more than the rest of what is done for a small message.

#include "atoll/transport/far/receive_ring.hpp"

#include <array>

namespace atl::transport::far {

class receive_group {
 public:
  explicit receive_group(message_layer& layer) : layer_(layer) {}

  /// From now on `ring.look()` shows what `look` has found. It may leave by `set_in_group`, and
  /// must outlive the last `look`.
  void add(receive_ring& ring) {
    ring.set_in_group(true);
    rings_[count_++] = &ring;
  }

  /// Finds at most one message, in a ring whose last one was passed; each ring has its turn.
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

}  // namespace atl::transport::far
