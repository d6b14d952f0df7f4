#pragma once
// Awaitables and tasks that wait forever.

#include "support/shared_words.hpp"

namespace atl::test {

/// An awaitable that never completes. A task that awaits this object keeps its resources and is
/// never woken.
struct never {
  site where;

  bool await_ready() noexcept { return false; }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where;
  }
  void await_resume() noexcept {}
};

inline task<> wait_for_ever(site where = site::current()) { co_await never{where}; }

/// Occupies `pe` with a task that handles no messages until the job ends. Returns when the task has
/// started.
inline task<> deafen(int pe) {
  bool deaf = false;
  const auto occupy = [asker = my_pe(), word = reinterpret_cast<std::uintptr_t>(&deaf)] {
    spawn([asker, word] {
      async_call(asker, [word] { *reinterpret_cast<bool*>(word) = true; });
      this_pe().messages->flush();
      for (;;) this_pe().transport->wait(transport::forever, transport::awaited::room);
    });
  };
  async_call(pe, occupy);
  while (!deaf) co_await yield();
}

}  // namespace atl::test
