// Distributed locks (chapter 9.13 of OpenSHMEM 1.5), implemented as MCS queue locks (Mellor-Crummey
// and Scott 1991). Each waiting PE polls a word in its own memory. PEs get a lock in the order in
// which they requested the lock.
//
// The lock is a symmetric variable of type long. The lower half of the lock on PE 0 is the tail of
// the queue: 0, or 1 + the number of the last PE in the queue. The upper half of the lock on each
// PE is the PE's entry of the queue. The entry of a PE is 0 while the PE is not in the queue. The
// lowest bit of the entry is 1 while the PE must wait. The other bits of the entry are 1 + the
// number of the next PE in the queue, or 0 if no PE follows.
//
// The queue contains PEs, not threads. Threads of one PE that use the same lock take turns, so that
// only one thread of the PE is in the queue at a time.

#include "atoll/shmem/include/shmem/sync.h"

#include "atoll/shmem/api.hpp"
#include "atoll/shmem/include/shmem/setup.h"
#include "atoll/shmem/meeting.hpp"
#include "atoll/shmem/ordering.hpp"
#include "atoll/shmem/remote.hpp"

#include <condition_variable>
#include <mutex>
#include <set>

namespace atl::shmem {
namespace {

constexpr int k_home = 0;
constexpr std::uint32_t k_must_wait = 1;

/// The set of locks that a thread of this PE holds or waits for in the queue. Each lock is in the
/// set at most once, because threads of a PE take turns.
class turns_of_threads {
 public:
  void take(const void* lock) {
    std::unique_lock guard(mutex_);
    given_back_.wait(guard, [&] { return taken_.insert(lock).second; });
  }
  bool try_take(const void* lock) {
    const std::lock_guard guard(mutex_);
    return taken_.insert(lock).second;
  }
  void give_back(const void* lock) {
    {
      const std::lock_guard guard(mutex_);
      taken_.erase(lock);
    }
    given_back_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::set<const void*> taken_;
};

bool has_many_callers() { return the_world.thread_level == SHMEM_THREAD_MULTIPLE; }

// The `turns_of_threads` object is never destroyed, because threads may use locks until the process
// ends.
turns_of_threads& turns() {
  static auto& only = *new turns_of_threads;
  return only;
}

struct lock_words {
  const char* call;
  std::uint32_t* tail;
  std::uint32_t* mine;

  lock_words(const char* name, volatile long* lock)
      : call(name),
        tail(reinterpret_cast<std::uint32_t*>(const_cast<long*>(lock))),
        mine(tail + 1) {}

  std::uint32_t own_number() const { return static_cast<std::uint32_t>(the_world.pe) + 1; }

  void set() const {
    const auto before = fetching<atomic_kind::exchange>(call, tail, k_home, own_number());
    if (before == 0) return;
    update<atomic_kind::add>(call, mine, the_world.pe, k_must_wait);
    update<atomic_kind::add>(call, mine, static_cast<int>(before) - 1, own_number() << 1);
    quiet(call);
    wait_for(call, [this] { return (look(mine) & k_must_wait) == 0; });
  }

  /// Tries to take the lock. Returns true if another PE has the lock.
  bool test() const {
    return fetching<atomic_kind::compare_exchange>(call, tail, k_home, own_number(),
                                                   std::uint32_t{0}) != 0;
  }

  void clear() const {
    quiet(call);
    const bool is_last = look(mine) >> 1 == 0;
    if (is_last && fetching<atomic_kind::compare_exchange>(call, tail, k_home, std::uint32_t{0},
                                                           own_number()) == own_number())
      return;
    wait_for(call, [this] { return look(mine) >> 1 != 0; });
    const int next = static_cast<int>(look(mine) >> 1) - 1;
    update<atomic_kind::store>(call, mine, the_world.pe);
    // Adding all ones subtracts 1, which clears the lowest bit of the next PE's entry, so that the
    // next PE stops waiting.
    update<atomic_kind::add>(call, mine, next, ~std::uint32_t{0});
    quiet(call);
  }
};

}  // namespace
}  // namespace atl::shmem

ATOLL_SHMEM_DEFINE(void, shmem_set_lock, (volatile long* lock)) {
  const atl::shmem::lock_words words("shmem_set_lock", lock);
  if (atl::shmem::has_many_callers()) atl::shmem::turns().take(words.tail);
  words.set();
}

ATOLL_SHMEM_DEFINE(int, shmem_test_lock, (volatile long* lock)) {
  const atl::shmem::lock_words words("shmem_test_lock", lock);
  if (!atl::shmem::has_many_callers()) return words.test() ? 1 : 0;
  if (!atl::shmem::turns().try_take(words.tail)) return 1;
  const bool is_taken = words.test();
  if (is_taken) atl::shmem::turns().give_back(words.tail);
  return is_taken ? 1 : 0;
}

ATOLL_SHMEM_DEFINE(void, shmem_clear_lock, (volatile long* lock)) {
  const atl::shmem::lock_words words("shmem_clear_lock", lock);
  words.clear();
  if (atl::shmem::has_many_callers()) atl::shmem::turns().give_back(words.tail);
}
