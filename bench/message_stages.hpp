#pragma once
// Measures each stage of a 16-byte message separately, on all PEs at the same time:
//
// * `create`: takes an empty network buffer and constructs messages until the buffer is full.
// * `hand over`: closes full buffers and gives them to the transport.
// * `deliver`: executes the messages, from more memory than the caches hold.
//
// Some runtimes first queue a message and then copy it into a buffer, which is one stage more.
// Atoll constructs a message in the network buffer itself.
//
// A PE fills all buffers in one loop without polling, so no message is delivered before the end of
// the loop. After filling, the PE waits without polling for as long as filling took, so that other
// PEs can fill as many buffers. After the wait, the scheduler delivers the messages. If buffers
// arrive late, delivery appears slower than it is, but never faster.

#include "bench/messages.hpp"

#include "atoll/settings.hpp"

namespace atl::bench::messages {

/// Maximum and default number of bytes of messages that each PE fills and delivers: 65 MB.
inline constexpr std::uint64_t k_cold_bytes = std::uint64_t{62} << 20;

struct stages {
  phase create;
  phase hand_over;
  phase deliver;
  std::uint64_t errors = 0;  ///< number of wrong sums and counts
};

/// Returns the settings `chosen`, with network buffers that are large and numerous enough for
/// `k_cold_bytes`.
settings settings_for_stages(settings chosen);

/// Returns the number of bytes that a PE uses for its buffers in a job with `settings_for_stages`.
std::uint64_t memory_for_stages();

/// Measures all stages. The main task of a job with `settings_for_stages` calls this function.
task<stages> measure_stages(std::uint64_t cold_bytes);

}  // namespace atl::bench::messages
