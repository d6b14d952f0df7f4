#pragma once
// Waiting for memory of this PE that another one stores to.

#include "atoll/shmem/world.hpp"

#include <type_traits>

namespace atl::shmem {

/// Returns when `holds(of)` does. Looks around, gives the core away, and sleeps after a while; puts
/// and atomics of others wake it, other stores are found within about a millisecond.
void wait_until(const char* call, bool (*holds)(const void* of), const void* of);

/// Returns when `condition()`, which looks at memory, is true.
template <class Condition>
void wait_for(const char* call, const Condition& condition) {
  constexpr int k_quick_looks = 32;
  for (int i = 0; i < k_quick_looks; ++i)
    if (condition()) return;
  wait_until(
      call, [](const void* of) { return (*static_cast<const Condition*>(of))(); }, &condition);
}

/// For calls that look once, behind a look in vain: programs call them again and again, and what
/// they look for may need the core, or what this PE has asked for.
void let_others_go_on(const char* call);

/// The word as it is now; what was put before it is seen as well.
template <class T>
T look(const volatile T* at) {
  static_assert(std::is_arithmetic_v<T>);
  return __atomic_load_n(const_cast<const T*>(at), __ATOMIC_ACQUIRE);
}

}  // namespace atl::shmem
