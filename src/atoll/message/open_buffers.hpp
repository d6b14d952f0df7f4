#pragma once
// This file has the list of the network buffers that one PE is filling.

#include "atoll/message/send_buffer.hpp"
#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

class open_buffers {
 public:
  /// Reserves memory for a list of `usual` buffers. `make_room` allocates more memory only if the
  /// list becomes longer than `usual`.
  explicit open_buffers(std::size_t usual) { listed_.reserve(usual); }

  /// Reserves memory for the next `add`, so that `add` cannot fail half-way. Throws std::bad_alloc.
  void make_room() {
    if (listed_.size() == listed_.capacity()) listed_.reserve(2 * listed_.size() + 1);
  }

  /// Adds a buffer that was opened at `time`. `in_overflow` says whether the buffer is in the
  /// overflow (flow_control.hpp) or in memory of the transport.
  void add(send_buffer& added, bool in_overflow, transport::nanoseconds time) {
    ++count_;
    if (!std::exchange(added.is_listed, true)) listed_.push_back(&added);
    added.in_overflow = in_overflow;
    added.opened_at = time;
    if (oldest_ == transport::forever) oldest_ = time;
  }

  /// Removes a buffer that was closed. Returns true if the buffer was in the overflow.
  bool remove(send_buffer& closed) {
    --count_;
    return std::exchange(closed.in_overflow, false);
  }

  std::size_t count() const { return count_; }

  /// Returns a time before which no open buffer in the transport's memory was opened. If the result
  /// is `forever`, all open buffers, if any, are in the overflow (flow_control.hpp).
  transport::nanoseconds oldest() const { return oldest_; }

  /// Returns all open buffers. The result may also contain buffers that were closed since the last
  /// `close_where`.
  std::span<send_buffer* const> listed() const { return listed_; }

  /// Calls `close(buffer)` for each open buffer for which `may(buffer)` is true. Returns true if
  /// `close` was called at least once.
  template <class May, class Close>
  bool close_where(const May& may, const Close& close) {
    bool closed = false;
    oldest_ = transport::forever;
    std::erase_if(listed_, [&](send_buffer* of) {
      send_buffer& present = *of;
      if (present.is_open_buffer() && !may(present)) {
        // `opened_at` may be a little early, because the clock is not read for every buffer.
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
  std::vector<send_buffer*> listed_;
  std::size_t count_ = 0;
  transport::nanoseconds oldest_ = transport::forever;
};

}  // namespace atl::message
