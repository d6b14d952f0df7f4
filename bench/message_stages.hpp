#pragma once
// The stages of a 16-byte message, each timed alone, on all PEs at the same time:
//
//   create     constructing messages in an empty network buffer until it is full, taking it
//   included hand over  closing full buffers and giving them to the transport deliver    executing
//   them, from more memory than the caches hold
//
// That is one stage fewer than where a message is first queued and then copied into a buffer: here
// it is made where it travels from.
//
// A PE fills all buffers in one go. A plain loop does not poll, so nothing is delivered meanwhile;
// it then waits, still without polling, until the other PE has had time to fill as many, and lets
// the scheduler deliver. Buffers that come late nevertheless make delivery look slower, never
// faster.

#include "bench/messages.hpp"

#include "atoll/settings.hpp"

namespace atl::bench::messages {

/// Bytes of messages that each PE fills and delivers at most, and unless told otherwise: 65 MB.
inline constexpr std::uint64_t k_cold_bytes = std::uint64_t{62} << 20;

struct stages {
  phase create;
  phase hand_over;
  phase deliver;
  std::uint64_t errors = 0;  ///< sums and counts that are wrong
};

/// What a job needs to have room for that many bytes: large and many network buffers.
settings settings_for_stages(settings chosen);

/// Bytes of memory a PE of such a job uses for them.
std::uint64_t memory_for_stages();

/// All stages, called by the main task of a job with those settings.
task<stages> measure_stages(std::uint64_t cold_bytes);

}  // namespace atl::bench::messages
