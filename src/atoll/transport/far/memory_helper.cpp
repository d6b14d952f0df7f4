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
constexpr int naps_behind_a_request = 32;
// Parts of large data that a nap is to be long enough for, and that are more than enough: a look
// costs the processor as much as some of them, and several are under way at a time.
constexpr std::uint64_t parts_of_a_nap = 2;
constexpr std::uint64_t many_parts = 6;

/// Beside the PE, not on its core: a launcher may have bound both to that.
void leave_core_of_pe() {
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  sched_setaffinity(0, sizeof all, &all);  // best effort: it only waits longer on that core
}

/// As long as it takes some parts to arrive or to leave; while there are fewer, ever longer.
duration nap_behind(duration last, std::uint64_t parts) {
  if (parts >= many_parts) return std::max(last / 2, shortest_nap);
  return parts >= parts_of_a_nap ? last : std::min(2 * last, longest_nap);
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

memory_helper::memory_helper(far_memory& memory, hooks calls)
    : memory_(memory), calls_(std::move(calls)), thread_(without_signals([this] { run(); })) {}

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
    calls_.failed();
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
    const bool serves = pe_is_away && !calls_.has_ended();
    const auto done = serves ? memory_.serve_beside() : far_memory::beside();
    if (done.any()) calls_.served();
    if (done.asked) short_naps = naps_behind_a_request;
    length = short_naps > 0 ? shortest_nap : nap_behind(length, done.parts);
    short_naps = std::max(0, short_naps - 1);
  }
}

}  // namespace atl::transport::far
