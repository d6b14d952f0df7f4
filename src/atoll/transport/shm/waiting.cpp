// How a PE waits: it looks around for a while when it has a core of its own, then gives the core
// away a few times, unless others compute on it, then sleeps until somebody rings.

#include "atoll/transport/shm/endpoint.hpp"

#include <algorithm>
#include <sched.h>

namespace atl::transport::shm {
namespace {

// What is stored by others without a word to the sleeper is seen so late at most.
constexpr nanoseconds shortest_watching_nap = 50'000;
constexpr nanoseconds longest_watching_nap = 1'000'000;

/// The PE is seen to wait as long as this object lives.
class waiting_phase {
 public:
  waiting_phase(pe_life& life, nanoseconds deadline) noexcept : phase_(life.phase) {
    life.deadline.store(deadline, std::memory_order_relaxed);
    next();
  }
  ~waiting_phase() { next(); }
  waiting_phase(const waiting_phase&) = delete;
  waiting_phase& operator=(const waiting_phase&) = delete;

 private:
  void next() noexcept {
    phase_.store(phase_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  std::atomic<std::uint64_t>& phase_;
};

}  // namespace

bool endpoint::something_arrived(awaited what) {
  if (mine_.attention.load(std::memory_order_seq_cst) != 0) return true;
  if (mine_.room.load(std::memory_order_seq_cst) != 0) return true;
  if (memory_has_changed()) return true;
  if (what == awaited::room) return false;
  for (std::size_t word = 0; word < words_; ++word)
    if ((mine_.ready[word].load(std::memory_order_seq_cst) | ready_[word]) != 0) return true;
  return false;
}

bool endpoint::spin(nanoseconds until, awaited what) {
  do {
    for (int i = 0; i < pauses_between_looks_at_the_clock; ++i) {
      if (something_arrived(what)) return true;
      __builtin_ia32_pause();
    }
  } while (now() < until);
  return false;
}

bool endpoint::give_core_away(nanoseconds deadline, awaited what) {
  nanoseconds time = now();
  for (std::uint64_t i = 0; i < patience_.yields && time < deadline; ++i) {
    if (crowd_.is_there(time)) return false;
    const nanoseconds before = time;
    sched_yield();
    time = now();
    crowd_.yielded(before, time);
    if (something_arrived(what)) return true;
  }
  return false;
}

// As long as suspending the task, coming here by way of the scheduler and going back take.
bool endpoint::linger(memory_watch& until) {
  constexpr int looks = 200;
  for (int look = 0; patience_.spin != 0 && look < looks; ++look) {
    if (until.has_changed()) return true;
    __builtin_ia32_pause();
  }
  if (patience_.spin != 0) return false;
  nanoseconds time = now();
  for (std::uint64_t i = 0; i < patience_.yields && !crowd_.is_there(time); ++i) {
    const nanoseconds before = time;
    sched_yield();
    if (until.has_changed()) return true;
    time = now();
    crowd_.yielded(before, time);
    if (something_arrived(awaited::anything)) return false;
  }
  return false;
}

// Each word that ends the wait is stored, sequentially consistent, before the doorbell is looked
// at; here they are loaded once more behind the announcement. So either they are seen, or it rings.
void endpoint::sleep(nanoseconds deadline, awaited what) {
  if (*watched_ != nullptr) mine_.watches.store(1, std::memory_order_seq_cst);
  mine_.bell.sleep(deadline, [this, what] { return something_arrived(what); });
  if (*watched_ != nullptr) mine_.watches.store(0, std::memory_order_relaxed);
}

// A store to watched memory rings only where it comes behind the announcement, and is seen by the
// last look only where it comes before that; a plain store may do neither. So it naps.
void endpoint::sleep_and_watch(nanoseconds deadline, awaited what) {
  nanoseconds nap = shortest_watching_nap;
  for (nanoseconds time = now(); time < deadline && !something_arrived(what); time = now()) {
    sleep(std::min(deadline, time + nap), what);
    nap = std::min(2 * nap, longest_watching_nap);
  }
}

void endpoint::wait(nanoseconds deadline, awaited what) {
  const nanoseconds start = deadline == 0 ? 0 : now();
  if (!something_arrived(what) && start < deadline) {
    const waiting_phase waits(mine_.life, what == awaited::room ? forever : deadline);
    const bool arrived =
        spin(std::min(start + patience_.spin, deadline), what) || give_core_away(deadline, what);
    if (!arrived && *watched_ != nullptr)
      sleep_and_watch(deadline, what);
    else if (!arrived && now() < deadline)
      sleep(deadline, what);
  }
  // An exchange: behind a plain store the next look at a slot could go first, see it full, and
  // leave no trace in `room` of what was returned in between. It also reads what it takes back, so
  // that all the receiver did before it stored `room` is seen from here on.
  if (mine_.room.load(std::memory_order_relaxed) != 0)
    mine_.room.exchange(0, std::memory_order_seq_cst);
  if (mine_.attention.load(std::memory_order_relaxed) != 0) attend();
}

}  // namespace atl::transport::shm
