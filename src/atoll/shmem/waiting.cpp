#include "atoll/shmem/waiting.hpp"

#include "atoll/one_sided.hpp"

#include <ctime>
#include <sched.h>

namespace atl::shmem {
namespace {

struct condition_awaiter : memory::watching_awaiter {
  bool (*is_so)(const void*);
  const void* of;

  condition_awaiter(bool (*condition)(const void*), const void* argument)
      : watching_awaiter(&holds_now, site::current()), is_so(condition), of(argument) {}

  bool await_ready() const {
    if (is_so(of)) return true;
    if (transport::remote_memory* const far = this_pe().transport->far_memory()) far->send();
    if (!this_pe().tasks->has_nothing_else()) return false;
    tasks::single_watch this_one(*this);
    return this_pe().transport->linger(this_one);
  }

 private:
  static bool holds_now(const tasks::watcher& one) noexcept {
    const auto& self = static_cast<const condition_awaiter&>(one);
    return self.is_so(self.of);
  }
};

/// By a thread that is not the PE's, which nobody wakes.
void look_around(bool (*holds)(const void*), const void* of) {
  constexpr int k_yields = 200;
  constexpr long k_longest_nap = 1'000'000;
  long nap = 10'000;
  for (int looks = 0; !holds(of); ++looks) {
    if (looks < k_yields) {
      sched_yield();
      continue;
    }
    const timespec time{0, nap};
    nanosleep(&time, nullptr);
    nap = std::min(2 * nap, k_longest_nap);
  }
}

}  // namespace

void let_others_go_on(const char* call) {
  const world& w = the_world;
  if (w.transport->far_memory() != nullptr && w.runs_beside->is_pe())
    on_pe(call, [] { memory::far_memory().send(); });
  if (!w.transport->has_own_core()) sched_yield();
}

void wait_until(const char* call, bool (*holds)(const void*), const void* of) {
  if (!the_world.runs_beside->is_pe()) return look_around(holds, of);
  await(call, [&]() -> task<> { co_await condition_awaiter(holds, of); });
}

}  // namespace atl::shmem
