#pragma once

#include "atoll/sync/waiting_tasks.hpp"

#include <utility>

namespace atl {

class mutex;

/// Unlocks at the end of its life, on the PE of the mutex.
class [[nodiscard]] mutex_guard {
 public:
  explicit mutex_guard(mutex& locked) : locked_(&locked) {}
  mutex_guard(mutex_guard&& other) noexcept : locked_(std::exchange(other.locked_, nullptr)) {}
  mutex_guard& operator=(mutex_guard&&) = delete;
  ~mutex_guard();

 private:
  mutex* locked_;
};

/// Only one task at a time is between `lock` and `unlock`; the others wait in the order in which
/// they came. Needed only where a task awaits something in between. Zeroed memory is a free mutex.
class mutex {
  struct locker : sync::waiter {
    observe::holder becomes;
    observe::held_wait until_then{};
  };

  struct lock_awaiter {
    mutex& wanted;
    locker locking;

    bool await_ready() noexcept { return wanted.take(locking.becomes); }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      wanted.waiting_.suspend(locking, suspended, locking.becomes.since());
      locking.until_then = {locking.becomes.since(), locking.becomes.by(), &wanted.holder_};
      this_pe().transport->sections().held().add(locking.until_then);
    }
    void await_resume() { locking.resumed(); }
  };

  struct guard_awaiter : lock_awaiter {
    mutex_guard await_resume() {
      lock_awaiter::await_resume();
      return mutex_guard(wanted);
    }
  };

 public:
  /// Waits until the mutex is this task's.
  auto lock(site where = site::current()) { return lock_for(tasks::this_task(), where); }

  /// As `lock`; what it returns unlocks: `const auto guard = co_await m.guarded();`
  auto guarded(site where = site::current()) {
    return guard_awaiter{lock_for(tasks::this_task(), where)};
  }

  /// Locks it if it is free. Does not wait.
  bool try_lock(site where = site::current()) { return try_lock_for(tasks::this_task(), where); }

  /// As these, for another task, which may be of another PE.
  lock_awaiter lock_for(observe::task_name by, site where) {
    return lock_awaiter{*this, {{}, {where, by}}};
  }
  bool try_lock_for(observe::task_name by, site where) { return take({where, by}); }

  /// Gives it to the first task that waits. The caller has locked it.
  void unlock() {
    ATOLL_ASSERT(held_, "a mutex is unlocked by the task that has locked it");
    if (waiting_.empty()) {
      held_ = false;
    } else {
      auto& next = static_cast<locker&>(waiting_.wake_first());
      observe::held_waits::remove(next.until_then);
      holder_ = next.becomes;
    }
  }

  bool is_locked() const { return held_; }

  /// The task that holds the mutex, and where it has locked it.
  const observe::holder& held_by() const { return holder_; }

 private:
  bool take(const observe::holder& by) {
    if (held_) return false;
    held_ = true;
    holder_ = by;
    return true;
  }

  bool held_ = false;
  observe::holder holder_;
  sync::waiting_tasks waiting_;
};

inline mutex_guard::~mutex_guard() {
  if (locked_ != nullptr) locked_->unlock();
}

/// Waits until the mutex, which any PE may own, is this task's.
inline auto lock(global_address<mutex> at, site where = site::current()) {
  const auto take = [by = tasks::this_task()](mutex& wanted, site from) -> task<> {
    co_await wanted.lock_for(by, from);
  };
  return sync::wait_at(at, take, where);
}

inline auto try_lock(global_address<mutex> at, site where = site::current()) {
  const auto take = [from = transport::travelling_site(where), by = tasks::this_task()](
                        mutex& wanted) { return wanted.try_lock_for(by, from); };
  return update(at, take, where);
}

inline auto unlock(global_address<mutex> at, site where = site::current()) {
  return update(at, [](mutex& held) { held.unlock(); }, where);
}

/// As `unlock`, without waiting; counted by the enclosing scope.
inline void async_unlock(global_address<mutex> at, site where = site::current()) {
  async_update(at, [](mutex& held) { held.unlock(); }, where);
}

}  // namespace atl
