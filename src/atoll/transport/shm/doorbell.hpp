#pragma once
// Sleeping and waking between PEs: a futex word that says whether its owner sleeps.

#include "atoll/transport/shm/atomic.hpp"
#include "atoll/transport/transport.hpp"

#include <cstdint>

namespace atl::transport::shm {

/// Blocks while `word` is `expected`, until `deadline` at most. May return early.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected, nanoseconds deadline) noexcept;

/// Wakes one waiter. May be called by a signal handler.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

/// Wakes all waiters. May be called by a signal handler.
void futex_wake_all(atomic<std::uint32_t>& word) noexcept;

/// One PE sleeps on it, any may ring it. A caller of `ring` first stores (sequentially consistent)
/// what the sleeper waits for; the sleeper announces its sleep before it looks a last time. So one
/// of the two sees the other, and no system call is made while the owner is awake. In the one order
/// of seq_cst operations either the announcement is before the ringer's load, which then rings, or
/// the ringer's store is before the last look. Between that look and the sleep the exchange of the
/// ringer has taken the announcement back, or its wake comes after the sleeper lies down.
class doorbell {
 public:
  void ring() noexcept {
    if (sleeping_.load(std::memory_order_seq_cst) != 0) wake();
  }

  /// Owner only. `something_to_do` is asked once more after the announcement.
  template <class Predicate>
  void sleep(nanoseconds deadline, Predicate something_to_do) noexcept {
    sleeping_.store(1, std::memory_order_seq_cst);
    if (!something_to_do()) futex_wait(sleeping_, 1, deadline);
    sleeping_.store(0, std::memory_order_relaxed);
  }

 private:
  void wake() noexcept {
    if (sleeping_.exchange(0, std::memory_order_seq_cst) != 0) futex_wake(sleeping_);
  }

  atomic<std::uint32_t> sleeping_{0};
};

}  // namespace atl::transport::shm
