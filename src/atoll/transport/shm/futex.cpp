#include "atoll/transport/shm/region.hpp"

#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace atl::transport::shm {

void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                nanoseconds deadline) noexcept {
  constexpr nanoseconds second = 1'000'000'000;
  const timespec until{deadline / second, deadline % second};
  // FUTEX_WAIT_BITSET takes the deadline as an absolute time of the monotonic clock. FUTEX_WAIT
  // would take a duration.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, expected, deadline == forever ? nullptr : &until,
          nullptr, FUTEX_BITSET_MATCH_ANY);
}

void futex_wake(atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void futex_wake_all(atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace atl::transport::shm
