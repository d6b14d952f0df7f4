#pragma once
// This file has two queues of a scheduler. One queue holds ready tasks. The other queue holds tasks
// that wait for a change of memory that no message announces.

#include "atoll/base/memory_account.hpp"
#include "atoll/task/frame.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>
#include <vector>

namespace atl::tasks {

/// A growing ring buffer of suspended frames, first in, first out. `pop` prefetches the frame that
/// will be popped 16 calls later, which hides the cache miss of resuming that frame.
class ready_queue {
 public:
  explicit ready_queue(memory_account& account) : account_(account) {}

  bool empty() const { return head_ == tail_; }
  std::uint64_t size() const { return tail_ - head_; }

  void push(frame* suspended) {
    if (size() > mask_) [[unlikely]]
      grow();
    ring_[tail_++ & mask_] = suspended;
  }

  /// Returns the first frame. The queue must not be empty.
  const frame& first() const { return *ring_[head_ & mask_]; }

  /// Calls `visit(frame&)` for each frame, first to last.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t i = head_; i != tail_; ++i) visit(*ring_[i & mask_]);
  }

  /// Removes and returns the first frame. The queue must not be empty.
  frame* pop() {
    // `ahead` is an integer and not a pointer, because the entry may be null, and arithmetic on a
    // null pointer is undefined.
    const auto ahead = reinterpret_cast<std::uintptr_t>(ring_[(head_ + k_distance) & mask_]);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead), 1);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + k_line), 1);
    return ring_[head_++ & mask_];
  }

 private:
  static constexpr std::uint64_t k_distance = 16;
  static constexpr std::uintptr_t k_line = 64;

  // Growing is a separate function, so that `push` need not save the registers that growing uses.
  [[gnu::noinline, gnu::cold]] void grow() {
    std::vector<frame*> larger(2 * ring_.size());
    // `add` counts the memory without a check of the memory limit, because the queue must grow: the
    // frames exist already.
    account_.add(ring_.size() * sizeof(frame*));
    for (std::uint64_t i = head_; i != tail_; ++i) {
      larger[i - head_] = ring_[i & mask_];
    }
    tail_ -= head_;
    head_ = 0;
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
  }

  memory_account& account_;
  std::vector<frame*> ring_ = std::vector<frame*>(1024);
  std::uint64_t mask_ = 1023;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
};

// In each round of its loop, the scheduler checks the conditions that tasks wait for. While the PE
// waits, the transport checks the conditions that tasks wait for.

/// A condition that a task waits for. The object is stored in the task's awaitable.
struct watcher {
  bool (*holds)(const watcher&) noexcept;
  frame* suspended = nullptr;

  explicit watcher(bool (*condition)(const watcher&) noexcept) : holds(condition) {}
};

/// Lets the transport watch a single condition.
class single_watch final : public transport::memory_watch {
 public:
  explicit single_watch(const watcher& one) : one_(one) {}
  bool has_changed() noexcept override { return one_.holds(one_); }

 private:
  const watcher& one_;
};

class watchers final : public transport::memory_watch {
 public:
  bool empty() const noexcept { return waiting_.empty(); }
  void add(watcher& one) { waiting_.push_back(&one); }

  bool has_changed() noexcept override {
    for (const watcher* one : waiting_)
      if (one->holds(*one)) return true;
    return false;
  }

  /// Removes each frame whose condition holds, and calls `ready(frame)` for each removed frame.
  /// Frames that began to wait earlier are passed to `ready` earlier.
  template <class Ready>
  void take(Ready ready) {
    std::erase_if(waiting_, [&](const watcher* one) {
      if (!one->holds(*one)) return false;
      ready(*one->suspended);
      return true;
    });
  }

 private:
  std::vector<watcher*> waiting_;
};

}  // namespace atl::tasks
