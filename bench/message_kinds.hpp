#pragma once
// Defines the messages of the message benchmarks. A message has 16 bytes and one of four kinds.
// There is a sum for each kind. An executed message adds a value to the sum of its kind. If a
// message is lost, duplicated, changed or executed as another kind, a sum is wrong.

#include "atoll/atoll.hpp"

#include <array>
#include <cstdint>

namespace atl::bench::messages {

inline constexpr int k_kinds = 4;

using kind_sums = std::array<std::uint64_t, k_kinds>;

/// The sums of this PE. The sums are thread-local, because a PE may be a thread.
inline constinit thread_local kind_sums received_sums{};

template <int Kind>
struct message {
  std::uint64_t number;  ///< number of the message, counted from 0 by the sender
  std::uint64_t key;     ///< any number that the sender chooses

  void operator()() const noexcept { received_sums[Kind] += number ^ key; }
};
static_assert(sizeof(message<0>) == 16);

/// Returns the PE to which this PE sends: the next PE in the ring.
inline int receiver() { return (my_pe() + 1) % pes(); }

/// Returns the PE whose messages this PE executes.
inline int sender() { return (my_pe() + pes() - 1) % pes(); }

/// Returns how many messages this PE has executed so far, from any PE.
inline std::uint64_t executed() { return local_message_counts().all(); }

}  // namespace atl::bench::messages
