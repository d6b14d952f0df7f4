#include "atoll/transport/far/memory_helper.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <new>
#include <sched.h>
#include <sys/prctl.h>

namespace atl::transport::far {
namespace {

using duration = std::chrono::nanoseconds;

constexpr duration shortest_nap{20'000};
constexpr duration longest_nap{1'000'000};
// Who has asked once is likely to ask again: no nap is longer for so many.
constexpr int naps_behind_a_request = 100;

/// Beside the PE, not on its core: a launcher may have bound both to that.
void leave_core_of_pe() {
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  sched_setaffinity(0, sizeof all, &all);  // best effort: it only waits longer on that core
}

/// Signals are for the PE.
std::thread without_signals(const std::function<void()>& body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread made(body);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return made;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

}  // namespace

memory_helper::memory_helper(far_memory& memory, std::function<void()> served,
                             std::function<void()> failed)
    : memory_(memory),
      served_(std::move(served)),
      failed_(std::move(failed)),
      thread_(without_signals([this] { run(); })) {}

memory_helper::~memory_helper() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stops_.notify_one();
  thread_.join();
}

void memory_helper::nap(duration time) {
  std::unique_lock lock(mutex_);
  stops_.wait_for(lock, time, [this] { return stopping_.load(); });
}

void memory_helper::run() {
  leave_core_of_pe();
  prctl(PR_SET_NAME, "atoll-memory");
  prctl(PR_SET_TIMERSLACK, 1);  // best effort: naps are longer without it
  try {
    serve();
  } catch (const std::bad_alloc&) {
    failed_();
  }
}

void memory_helper::serve() {
  duration length = shortest_nap;
  int short_naps = 0;
  std::uint64_t seen = 0;
  while (!stopping_) {
    nap(length);
    const std::uint64_t looks = looks_.load(std::memory_order_relaxed);
    const bool pe_is_away = looks == std::exchange(seen, looks);
    if (pe_is_away && memory_.serve_beside()) {
      served_();
      short_naps = naps_behind_a_request;
    }
    length = short_naps > 0 ? shortest_nap : std::min(2 * length, longest_nap);
    short_naps = std::max(0, short_naps - 1);
  }
}

}  // namespace atl::transport::far
