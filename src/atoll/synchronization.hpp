#pragma once
// This header synchronises tasks: mutex, condition variable, semaphore, latch, barrier, and words
// with a full/empty bit. Tasks of the PE that owns an object may call its members. Tasks of any PE
// may call the functions that take a `global_address`, which await the operation on the owner.

#include "atoll/sync/waiting_tasks.hpp"

#include <optional>
#include <utility>

namespace atl {

class mutex;

/// Unlocks the mutex when the guard is destroyed, on the PE of the mutex.
class [[nodiscard]] mutex_guard {
 public:
  explicit mutex_guard(mutex& locked) : locked_(&locked) {}
  mutex_guard(mutex_guard&& other) noexcept : locked_(std::exchange(other.locked_, nullptr)) {}
  mutex_guard& operator=(mutex_guard&&) = delete;
  ~mutex_guard();

 private:
  mutex* locked_;
};

/// A mutex: at most one task at a time is between `lock` and `unlock`. Other tasks wait in the
/// order of their calls. A mutex is needed only if a task awaits something between `lock` and
/// `unlock`. Zeroed memory is an unlocked mutex.
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
  /// Locks the mutex. A task awaits the call, which suspends the task until no other task holds the
  /// mutex.
  auto lock(site where = site::current()) { return lock_for(tasks::this_task(), where); }

  /// Locks the mutex and returns a guard that unlocks it: `const auto guard = co_await
  /// m.guarded();`. A task awaits the call, which suspends the task until no other task holds the
  /// mutex.
  auto guarded(site where = site::current()) {
    return guard_awaiter{lock_for(tasks::this_task(), where)};
  }

  /// Locks the mutex if it is free, and returns whether the call has locked it. Does not block.
  bool try_lock(site where = site::current()) { return try_lock_for(tasks::this_task(), where); }

  /// Locks the mutex for another task, which may be a task of another PE.
  lock_awaiter lock_for(observe::task_name by, site where) {
    return lock_awaiter{*this, {{}, {where, by}}};
  }
  /// Locks the mutex for another task if it is free, and returns whether the call has locked it.
  bool try_lock_for(observe::task_name by, site where) { return take({where, by}); }

  /// Unlocks the mutex, which the calling task has locked. If tasks wait, the mutex is then locked
  /// for the first of them. Does not block.
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

  /// Returns the task that holds the mutex, and the place where it was locked.
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

/// Locks the mutex at `at`, which any PE may own. A task awaits the call, which suspends the task
/// until no other task holds the mutex.
inline auto lock(global_address<mutex> at, site where = site::current()) {
  const auto take = [by = tasks::this_task()](mutex& wanted, site from) -> task<> {
    co_await wanted.lock_for(by, from);
  };
  return sync::wait_at(at, take, where);
}

/// If the mutex at `at` is free, locks the mutex. Returns whether the call has locked the mutex,
/// which any PE may own. A task awaits the call, which never waits for another task to unlock.
inline auto try_lock(global_address<mutex> at, site where = site::current()) {
  const auto take = [from = transport::travelling_site(where), by = tasks::this_task()](
                        mutex& wanted) { return wanted.try_lock_for(by, from); };
  return update(at, take, where);
}

/// Unlocks the mutex at `at`, which any PE may own and the caller has locked. A task awaits the
/// call, which suspends the task until the mutex is unlocked.
inline auto unlock(global_address<mutex> at, site where = site::current()) {
  return update(at, [](mutex& held) { held.unlock(); }, where);
}

/// Unlocks the mutex at `at`, which any PE may own and the caller has locked. Does not block. The
/// enclosing scope waits for the call.
inline void async_unlock(global_address<mutex> at, site where = site::current()) {
  async_update(at, [](mutex& held) { held.unlock(); }, where);
}

/// A condition variable: tasks wait for a condition that other tasks make true while they hold a
/// mutex. Tasks are woken in the order in which they began to wait. Zeroed memory is a condition
/// variable without waiting tasks.
class condition_variable {
  struct awaiter {
    condition_variable& at;
    site where;
    sync::waiter waiting{};

    bool await_ready() noexcept { return false; }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      at.waiting_.suspend(waiting, suspended, where);
    }
    void await_resume() { waiting.resumed(); }
  };

 public:
  /// Unlocks the mutex `held`, waits for a notification, and locks the mutex again. The calling
  /// task must hold the mutex. The mutex and the condition variable must belong to the same PE. No
  /// notification is lost between unlocking and waiting, and there are no spurious wake-ups.
  /// Suspends the task.
  task<> wait(mutex& held, site where = site::current()) {
    const observe::task_name holder = held.held_by().by();
    held.unlock();
    co_await awaiter{*this, where};
    co_await held.lock_for(holder, where);
  }

  /// Waits for notifications until `condition()` is true. The mutex is held whenever `condition()`
  /// is evaluated. Suspends the task.
  template <class Condition>
  task<> wait(mutex& held, Condition condition, site where = site::current()) {
    while (!condition()) co_await wait(held, where);
  }

  /// Wakes the first waiting task, if there is one. Does not block.
  void notify_one() {
    if (!waiting_.empty()) waiting_.wake_first();
  }
  /// Wakes all waiting tasks. Does not block.
  void notify_all() { waiting_.wake_all(); }

 private:
  sync::waiting_tasks waiting_;
};

/// Unlocks the mutex, waits for a notification, and locks the mutex again, as
/// `condition_variable::wait` does. The mutex and the condition variable must belong to the same
/// PE, which may be any PE. Suspends the task.
inline auto wait(global_address<condition_variable> at, global_address<mutex> held,
                 site where = site::current()) {
  ATOLL_ASSERT(at.pe() == held.pe(), "a condition variable and its mutex are of one PE");
  const auto wait_there = [offset = held.offset()](condition_variable& condition, site from) {
    return condition.wait(object_at<mutex>(offset), from);
  };
  return sync::wait_at(at, wait_there, where);
}

/// Wakes the first task that waits at the condition variable, which any PE may own. A task awaits
/// the call.
inline auto notify_one(global_address<condition_variable> at, site where = site::current()) {
  return update(at, [](condition_variable& there) { there.notify_one(); }, where);
}

/// Wakes all tasks that wait at the condition variable, which any PE may own. A task awaits the
/// call.
inline auto notify_all(global_address<condition_variable> at, site where = site::current()) {
  return update(at, [](condition_variable& there) { there.notify_all(); }, where);
}

/// A semaphore is a number of permits. Tasks that find no permit wait in the order of their calls.
/// Zeroed memory is a semaphore without permits.
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

  /// Takes a permit. A task awaits the call, which suspends the task until there is a permit.
  auto acquire(site where = site::current()) { return awaiter{*this, where}; }

  /// Takes a permit if there is one, and returns whether the call has taken it. Does not block.
  bool try_acquire() {
    if (permits_ == 0) return false;
    --permits_;
    return true;
  }

  /// Adds permits. Waiting tasks get the permits first. Any task of the PE may call this function,
  /// which does not block.
  void release(std::uint64_t permits = 1) {
    for (; permits > 0 && !waiting_.empty(); --permits) waiting_.wake_first();
    permits_ += permits;
  }

  std::uint64_t permits() const { return permits_; }

 private:
  std::uint64_t permits_ = 0;  // 0 while a task waits
  sync::waiting_tasks waiting_;
};

/// Takes a permit of the semaphore at `at`, which any PE may own. A task awaits the call, which
/// suspends the task until there is a permit.
inline auto acquire(global_address<semaphore> at, site where = site::current()) {
  const auto take = [](semaphore& wanted, site from) -> task<> { co_await wanted.acquire(from); };
  return sync::wait_at(at, take, where);
}

/// If the semaphore at `at` has a permit, takes the permit. Any PE may own the semaphore. Returns
/// whether the call has taken a permit. A task awaits the call, which never waits for a permit.
inline auto try_acquire(global_address<semaphore> at, site where = site::current()) {
  return update(at, [](semaphore& wanted) { return wanted.try_acquire(); }, where);
}

/// Adds permits to the semaphore at `at`, which any PE may own. A task awaits the call.
inline auto release(global_address<semaphore> at, std::uint64_t permits = 1,
                    site where = site::current()) {
  return update(at, [permits](semaphore& there) { there.release(permits); }, where);
}

/// Adds permits to the semaphore at `at`, which any PE may own. Does not block. The enclosing scope
/// waits for the call.
inline void async_release(global_address<semaphore> at, std::uint64_t permits = 1,
                          site where = site::current()) {
  async_update(at, [permits](semaphore& there) { there.release(permits); }, where);
}

/// A latch is a counter that is counted down to zero once. Tasks wait until the count is zero.
/// Zeroed memory is an open latch.
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

  /// Subtracts `parts` from the count, which must not go below zero. Does not block.
  void count_down(std::uint64_t parts = 1) {
    ATOLL_ASSERT(parts <= count_, "a latch is counted down as often as it was told, not more");
    count_ -= parts;
    if (count_ == 0) waiting_.wake_all();
  }

  /// Waits until the count is zero. A task awaits the call, which suspends the task meanwhile.
  auto wait(site where = site::current()) { return awaiter{*this, where}; }

  bool is_open() const { return count_ == 0; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
  sync::waiting_tasks waiting_;
};

/// Waits until the count of the latch at `at` is zero. Any PE may own the latch. A task awaits the
/// call, which suspends the task until the count is zero.
inline auto wait(global_address<latch> at, site where = site::current()) {
  const auto wait_there = [](latch& closed, site from) -> task<> { co_await closed.wait(from); };
  return sync::wait_at(at, wait_there, where);
}

/// Subtracts `parts` from the count of the latch at `at`, which any PE may own. The count must not
/// go below zero. A task awaits the call.
inline auto count_down(global_address<latch> at, std::uint64_t parts = 1,
                       site where = site::current()) {
  return update(at, [parts](latch& there) { there.count_down(parts); }, where);
}

/// Subtracts `parts` from the count of the latch at `at`, which any PE may own. Does not block. The
/// enclosing scope waits for the call.
inline void async_count_down(global_address<latch> at, std::uint64_t parts = 1,
                             site where = site::current()) {
  async_update(at, [parts](latch& there) { there.count_down(parts); }, where);
}

/// A barrier for a fixed number of tasks, which wait for each other again and again. (For one task
/// of each PE, use `all_barrier`.)
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

  /// Arrives at the barrier, and waits until the expected number of tasks have arrived. A task
  /// awaits the call, which suspends the task until the last arrival.
  auto arrive_and_wait(site where = site::current()) { return awaiter{*this, where}; }

  std::uint64_t arrived() const { return arrived_; }

 private:
  /// Counts an arrival, and returns whether it was the last one. The last arrival wakes all waiting
  /// tasks.
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

/// Arrives at the barrier at `at`, which any PE may own, and waits for the other tasks. A task
/// awaits the call, which suspends the task until the last arrival.
inline auto arrive_and_wait(global_address<barrier> at, site where = site::current()) {
  const auto arrive = [](barrier& met, site from) -> task<> { co_await met.arrive_and_wait(from); };
  return sync::wait_at(at, arrive, where);
}

/// A value that is present or absent (the full/empty bit of the Cray XMT). Readers wait until the
/// value is present, and writers wait until the value is absent. Readers are served in the order of
/// their calls. Writers are also served in the order of their calls. In zeroed memory, the value is
/// absent.
template <class T>
class full_empty {
  static_assert(std::is_trivially_copyable_v<T>, "what travels must be trivially copyable");

  struct reader : sync::waiter {
    T value{};
    bool takes = false;
  };
  struct writer : sync::waiter {
    T value;
    explicit writer(const T& given) : value(given) {}
  };

  struct read_awaiter {
    full_empty& from;
    site where;
    reader reading{};

    bool await_ready() {
      if (!from.full_) return false;
      from.serve(reading);
      from.settle();
      return true;
    }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      from.readers_.suspend(reading, suspended, where);
    }
    T await_resume() {
      reading.resumed();
      return reading.value;
    }
  };

  struct write_awaiter {
    full_empty& to;
    site where;
    writer writing;

    bool await_ready() {
      if (to.full_) return false;
      to.fill(writing.value);
      to.settle();
      return true;
    }
    template <tasks::task_promise Promise>
    void await_suspend(std::coroutine_handle<Promise> suspended) {
      to.writers_.suspend(writing, suspended, where);
    }
    void await_resume() { writing.resumed(); }
  };

 public:
  full_empty() = default;
  explicit full_empty(const T& value) : value_(value), full_(true) {}

  /// Returns the value and leaves it present. A task awaits the call, which suspends the task until
  /// the value is present.
  auto read_full(site where = site::current()) { return reading(false, where); }

  /// Returns the value and makes it absent. A task awaits the call, which suspends the task until
  /// the value is present.
  auto take(site where = site::current()) { return reading(true, where); }

  /// Stores `value`, which is then present. A task awaits the call, which suspends the task until
  /// the old value is absent.
  auto put(const T& value, site where = site::current()) {
    return write_awaiter{*this, where, writer(value)};
  }

  bool is_full() const { return full_; }

 private:
  read_awaiter reading(bool takes, site where) {
    read_awaiter made{*this, where};
    made.reading.takes = takes;
    return made;
  }

  void fill(const T& value) {
    value_ = value;
    full_ = true;
  }

  void serve(reader& reading) {
    reading.value = value_;
    if (reading.takes) full_ = false;
  }

  /// Serves all readers and writers that need not wait any longer.
  void settle() {
    while (true) {
      if (full_ && !readers_.empty()) {
        serve(static_cast<reader&>(readers_.wake_first()));
      } else if (!full_ && !writers_.empty()) {
        fill(static_cast<writer&>(writers_.wake_first()).value);
      } else {
        return;
      }
    }
  }

  T value_{};
  bool full_ = false;
  sync::waiting_tasks readers_;
  sync::waiting_tasks writers_;
};

/// Returns the value at `at`, which any PE may own, and leaves the value present. A task awaits the
/// call, which suspends the task until the value is present.
template <class T>
auto read_full(global_address<full_empty<T>> at, site where = site::current()) {
  const auto reading = [](full_empty<T>& from, site place) -> task<T> {
    co_return co_await from.read_full(place);
  };
  return sync::wait_at(at, reading, where);
}

/// Returns the value at `at`, which any PE may own, and makes the value absent. A task awaits the
/// call, which suspends the task until the value is present.
template <class T>
auto take(global_address<full_empty<T>> at, site where = site::current()) {
  const auto taking = [](full_empty<T>& from, site place) -> task<T> {
    co_return co_await from.take(place);
  };
  return sync::wait_at(at, taking, where);
}

/// Stores `value` in the object at `at`, which any PE may own. The value is then present. A task
/// awaits the call, which suspends the task until the old value is absent.
template <class T>
auto put(global_address<full_empty<T>> at, std::type_identity_t<T> value,
         site where = site::current()) {
  const auto putting = [value](full_empty<T>& to, site place) -> task<> {
    co_await to.put(value, place);
  };
  return sync::wait_at(at, putting, where);
}

}  // namespace atl
