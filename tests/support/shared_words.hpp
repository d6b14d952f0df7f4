#pragma once
// Words that every PE of the machine reads and writes directly, without a message: how tests tell a
// PE something that does not look for messages.

#include "atoll/atoll.hpp"
#include "atoll/transport/transport.hpp"

#include <atomic>

namespace atoll::test {

/// The object at `at` of a symmetric array, on whatever PE.
template <class T>
T& directly(global_address<T> at) {
  std::byte* const segment = this_pe().transport->segment(at.pe());
  return *reinterpret_cast<T*>(segment + (at.offset() - memory::k_symmetric));
}

/// The word at `at` of a symmetric array, for atomic access.
inline std::atomic_ref<std::uint64_t> shared_word(global_address<std::uint64_t> at) {
  return std::atomic_ref(directly(at));
}

/// Occupies this PE, without a look for messages, until `done()`. Gives the core away meanwhile, as
/// the other PEs may need it.
template <class Done>
void compute_until(Done done) {
  while (!done()) sched_yield();
}

}  // namespace atoll::test
