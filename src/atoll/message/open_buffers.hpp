#pragma once
// The network buffers that one PE is filling: for which PEs, and since when.

#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace atl::message {

class open_buffers {
 public:
  explicit open_buffers(int pes) : each_(static_cast<std::size_t>(pes)) {
    destinations_.reserve(each_.size());  // so that `add` cannot fail half-way
  }

  /// A buffer for `destination` was opened, in the overflow or in memory of the transport.
  void add(int destination, bool in_overflow, transport::nanoseconds time) {
    entry& added = each_[destination];
    ++count_;
    if (!std::exchange(added.is_listed, true)) destinations_.push_back(destination);
    added.is_open = true;
    added.in_overflow = in_overflow;
    added.opened_at = time;
    if (oldest_ == transport::forever) oldest_ = time;
  }

  /// It was closed. True if it was in the overflow.
  bool remove(int destination) {
    --count_;
    each_[destination].is_open = false;
    return std::exchange(each_[destination].in_overflow, false);
  }

  std::size_t count() const { return count_; }
  bool is_open(int destination) const { return each_[destination].is_open; }
  bool in_overflow(int destination) const { return each_[destination].in_overflow; }

  /// Or a little earlier: not each buffer is worth a look at the clock.
  transport::nanoseconds opened_at(int destination) const { return each_[destination].opened_at; }

  /// When the oldest buffer was opened that may have room, or earlier. `forever`: there is none.
  transport::nanoseconds oldest() const { return oldest_; }

  /// The destinations of all open buffers, and of some that were closed since `close_where`.
  std::span<const int> destinations() const { return destinations_; }

  /// Calls `close(destination)` for each open buffer with `may(destination)`. True if there was
  /// any.
  template <class May, class Close>
  bool close_where(const May& may, const Close& close) {
    bool closed = false;
    oldest_ = transport::forever;
    std::erase_if(destinations_, [&](int destination) {
      entry& present = each_[destination];
      if (present.is_open && !may(destination)) {
        if (!present.in_overflow) oldest_ = std::min(oldest_, present.opened_at);
        return false;
      }
      present.is_listed = false;
      closed |= present.is_open;
      if (present.is_open) close(destination);
      return true;
    });
    return closed;
  }

 private:
  struct entry {
    bool is_open = false;
    bool in_overflow = false;
    bool is_listed = false;
    transport::nanoseconds opened_at = 0;
  };

  std::vector<entry> each_;
  std::vector<int> destinations_;
  std::size_t count_ = 0;
  transport::nanoseconds oldest_ = transport::forever;
};

}  // namespace atl::message
