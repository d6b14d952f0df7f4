#pragma once
// The message benchmarks send messages of 16 bytes in four kinds. Each kind adds to its own sum
// when executed. A message that is lost, duplicated, changed or executed as another kind makes a
// sum wrong.

#include "atoll/atoll.hpp"

#include <array>
#include <cstdint>

namespace atl::bench::messages {

inline constexpr int k_kinds = 4;

using kind_sums = std::array<std::uint64_t, k_kinds>;

/// The sums of this PE. They are thread-local because a PE may be a thread.
inline constinit thread_local kind_sums received_sums{};

template <int Kind>
struct message {
  std::uint64_t number;  ///< counts the sender's messages from 0
  std::uint64_t key;     ///< chosen by the sender

  void operator()() const noexcept { received_sums[Kind] += number ^ key; }
};
static_assert(sizeof(message<0>) == 16);

/// Returns the PE that this PE sends to: the next PE of the ring.
inline int receiver() { return (my_pe() + 1) % pes(); }

/// Returns the PE whose messages this PE executes.
inline int sender() { return (my_pe() + pes() - 1) % pes(); }

/// Returns the number of messages that this PE has executed so far, from any PE.
inline std::uint64_t executed() { return local_message_counts().all(); }

}  // namespace atl::bench::messages
