#pragma once

#include "atoll/sync/waiting_tasks.hpp"

namespace atl {

/// Counts down to zero once; tasks wait for that. Zeroed memory is an open latch.
class latch {
  struct awaiter {
    latch& closed;
    site where;
    sync::waiter waiting{};

    bool await_ready() noexcept { return closed.is_open(); }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      closed.waiting_.suspend(waiting, suspended, where);
    }
    void await_resume() { waiting.resumed(); }
  };

 public:
  latch() = default;
  explicit latch(std::uint64_t count) : count_(count) {}

  /// Takes so many off the count, which must not go below zero. Does not wait.
  void count_down(std::uint64_t parts = 1) {
    ATOLL_ASSERT(parts <= count_, "a latch is counted down as often as it was told, not more");
    count_ -= parts;
    if (count_ == 0) waiting_.wake_all();
  }

  /// Waits until the count is zero.
  auto wait(site where = site::current()) { return awaiter{*this, where}; }

  bool is_open() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
  sync::waiting_tasks waiting_;
};

/// As the members, for a latch that any PE may own.
inline auto wait(global_address<latch> at, site where = site::current()) {
  const auto wait_there = [](latch& closed, site from) -> task<> { co_await closed.wait(from); };
  return sync::wait_at(at, wait_there, where);
}

inline auto count_down(global_address<latch> at, std::uint64_t parts = 1,
                       site where = site::current()) {
  return update(at, [parts](latch& there) { there.count_down(parts); }, where);
}

/// Without waiting; counted by the enclosing scope.
inline void async_count_down(global_address<latch> at, std::uint64_t parts = 1,
                             site where = site::current()) {
  async_update(at, [parts](latch& there) { there.count_down(parts); }, where);
}

}  // namespace atl
