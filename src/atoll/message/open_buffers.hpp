#pragma once
// The network buffers that one PE is filling: for which PEs, and since when.

#include "atoll/message/outgoing.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

class open_buffers {
 public:
  /// Reserves memory for `usual` buffers, so that `make_room` allocates only beyond that.
  explicit open_buffers(std::size_t usual) { listed_.reserve(usual); }

  /// Reserves memory for the next `add`, which must not fail half-way. Throws std::bad_alloc.
  void make_room() {
    if (listed_.size() == listed_.capacity()) listed_.reserve(2 * listed_.size() + 1);
  }

  /// Adds a buffer that was opened, in the overflow or in memory of the transport.
  void add(outgoing& added, bool in_overflow, transport::nanoseconds time) {
    ++count_;
    if (!std::exchange(added.is_listed, true)) listed_.push_back(&added);
    added.in_overflow = in_overflow;
    added.opened_at = time;
    if (oldest_ == transport::forever) oldest_ = time;
  }

  /// Removes a buffer that was closed. Returns true if it was in the overflow.
  bool remove(outgoing& closed) {
    --count_;
    return std::exchange(closed.in_overflow, false);
  }

  std::size_t count() const { return count_; }

  /// Returns a time no later than the opening of the oldest buffer that may have room. `forever`:
  /// there is none.
  transport::nanoseconds oldest() const { return oldest_; }

  /// Returns all open buffers, and some that were closed since `close_where`.
  std::span<outgoing* const> listed() const { return listed_; }

  /// Calls `close(buffer)` for each open buffer with `may(buffer)`. Returns true if there was any.
  template <class May, class Close>
  bool close_where(const May& may, const Close& close) {
    bool closed = false;
    oldest_ = transport::forever;
    std::erase_if(listed_, [&](outgoing* of) {
      outgoing& present = *of;
      if (present.is_open_buffer() && !may(present)) {
        // The clock is not read for every buffer, so this may be a little early.
        if (!present.in_overflow) oldest_ = std::min(oldest_, present.opened_at);
        return false;
      }
      present.is_listed = false;
      closed |= present.is_open_buffer();
      if (present.is_open_buffer()) close(present);
      return true;
    });
    return closed;
  }

 private:
  std::vector<outgoing*> listed_;
  std::size_t count_ = 0;
  transport::nanoseconds oldest_ = transport::forever;
};

}  // namespace atl::message
