#pragma once
// Words that every PE of the machine reads and writes directly, without a message. Tests use shared
// words to communicate with a PE that does not poll for messages.

#include "atoll/atoll.hpp"
#include "atoll/transport/transport.hpp"

#include <atomic>
#include <sched.h>
#include <unistd.h>

namespace atl::test {

/// Returns the object at `at` in a symmetric array. The object may be on any PE.
template <class T>
T& directly(global_address<T> at) {
  std::byte* const segment = this_pe().transport->segment(at.pe());
  return *reinterpret_cast<T*>(segment + (at.offset() - memory::k_symmetric));
}

/// Returns the word at `at` in a symmetric array, for atomic access.
inline std::atomic_ref<std::uint64_t> shared_word(global_address<std::uint64_t> at) {
  return std::atomic_ref(directly(at));
}

/// Lets other PEs run on this core for a moment, without polling for messages.
inline void give_core_away(transport::nanoseconds moment = 0) {
  transport::endpoint& wire = *this_pe().transport;
  if (this_pe().options->transport == transport_kind::sim) {
    wire.wait(wire.now() + moment, transport::awaited::room);
  } else if (moment == 0) {
    sched_yield();
  } else {
    usleep(static_cast<useconds_t>(moment / 1000));
  }
}

/// Occupies this PE until `done()` is true, without polling for messages. While this PE is
/// occupied, other PEs may run on its core.
template <class Done>
void compute_until(Done done) {
  while (!done()) give_core_away();
}

}  // namespace atl::test
