#pragma once

#include "atoll/sync/waiting_tasks.hpp"

namespace atl {

/// So many tasks wait for each other, again and again. (Of all PEs, one task each: `all_barrier`.)
class barrier {
  struct awaiter {
    barrier& met;
    site where;
    sync::waiter waiting{};

    bool await_ready() { return met.arrive(); }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      met.waiting_.suspend(waiting, suspended, where);
    }
    void await_resume() { waiting.resumed(); }
  };

 public:
  barrier() = default;
  explicit barrier(std::uint64_t tasks) : tasks_(tasks) {}

  /// Waits until so many tasks as the barrier is for have called it.
  auto arrive_and_wait(site where = site::current()) { return awaiter{*this, where}; }

  std::uint64_t arrived() const { return arrived_; }

 private:
  /// The last one opens the barrier for all.
  bool arrive() {
    ATOLL_ASSERT(tasks_ > 0, "a barrier is made for a number of tasks");
    if (++arrived_ < tasks_) return false;
    arrived_ = 0;
    waiting_.wake_all();
    return true;
  }

  std::uint64_t tasks_ = 0;
  std::uint64_t arrived_ = 0;
  sync::waiting_tasks waiting_;
};

/// As the member, for a barrier that any PE may own.
inline auto arrive_and_wait(global_address<barrier> at, site where = site::current()) {
  const auto arrive = [](barrier& met, site from) -> task<> { co_await met.arrive_and_wait(from); };
  return sync::wait_at(at, arrive, where);
}

}  // namespace atl
