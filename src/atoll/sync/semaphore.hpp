#pragma once

#include "atoll/sync/waiting_tasks.hpp"

namespace atl {

/// A number of permits; who finds none waits, in the order of coming. Zeroed memory has none.
class semaphore {
  struct awaiter {
    semaphore& wanted;
    site where;
    sync::waiter waiting{};

    bool await_ready() noexcept { return wanted.try_acquire(); }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      wanted.waiting_.suspend(waiting, suspended, where);
    }
    void await_resume() { waiting.resumed(); }
  };

 public:
  semaphore() = default;
  explicit semaphore(std::uint64_t permits) : permits_(permits) {}

  /// Waits for a permit and takes it.
  auto acquire(site where = site::current()) { return awaiter{*this, where}; }

  /// Takes a permit if there is one. Does not wait.
  bool try_acquire() {
    if (permits_ == 0) return false;
    --permits_;
    return true;
  }

  /// Gives permits, to waiting tasks first. Any task of the PE may call it.
  void release(std::uint64_t permits = 1) {
    for (; permits > 0 && !waiting_.empty(); --permits) waiting_.wake_first();
    permits_ += permits;
  }

  std::uint64_t permits() const { return permits_; }

 private:
  std::uint64_t permits_ = 0;  // none while a task waits
  sync::waiting_tasks waiting_;
};

/// As the members, for a semaphore that any PE may own.
inline auto acquire(global_address<semaphore> at, site where = site::current()) {
  const auto take = [](semaphore& wanted, site from) -> task<> { co_await wanted.acquire(from); };
  return sync::wait_at(at, take, where);
}

inline auto try_acquire(global_address<semaphore> at, site where = site::current()) {
  return update(at, [](semaphore& wanted) { return wanted.try_acquire(); }, where);
}

inline auto release(global_address<semaphore> at, std::uint64_t permits = 1,
                    site where = site::current()) {
  return update(at, [permits](semaphore& there) { there.release(permits); }, where);
}

/// Without waiting; counted by the enclosing scope.
inline void async_release(global_address<semaphore> at, std::uint64_t permits = 1,
                          site where = site::current()) {
  async_update(at, [permits](semaphore& there) { there.release(permits); }, where);
}

}  // namespace atl
