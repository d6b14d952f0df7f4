#pragma once
// What the message benchmarks send: 16 bytes, in four kinds that differ in the sum their execution
// adds to. Any message lost, doubled, changed or executed as another kind makes a sum wrong.

#include "atoll/atoll.hpp"

#include <array>
#include <cstdint>

namespace atl::bench::messages {

inline constexpr int k_kinds = 4;

using kind_sums = std::array<std::uint64_t, k_kinds>;

/// Of this PE, which may be a thread.
inline constinit thread_local kind_sums received_sums{};

template <int Kind>
struct message {
  std::uint64_t number;  ///< of its sender, counted from 0
  std::uint64_t key;     ///< the sender's

  void operator()() const noexcept { received_sums[Kind] += number ^ key; }
};
static_assert(sizeof(message<0>) == 16);

/// Where this PE sends to: two PEs to each other, one to itself, more in a ring.
inline int receiver() { return (my_pe() + 1) % pes(); }

/// Whose messages this PE executes.
inline int sender() { return (my_pe() + pes() - 1) % pes(); }

/// The messages of other PEs, or of itself, that this PE has executed so far.
inline std::uint64_t executed() { return this_pe().messages->executed(); }

}  // namespace atl::bench::messages
