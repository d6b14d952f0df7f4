#pragma once

#include "atoll/observe/lap_clock.hpp"
#include "atoll/observe/latency_sampler.hpp"
#include "atoll/observe/status_board.hpp"
#include "atoll/observe/trace.hpp"

namespace atl::observe {

/// What a PE keeps to be looked at. The layers write it, each what it knows; its own PE only.
struct recorder {
  counters counted;
  lap_clock time;
  trace_ring trace;
  status_writer status;
  latency_sampler delegates;  ///< blocking ones, from their suspension to their resumption

  /// Traces what has no duration, or a time of its own. Nothing where the job is not traced.
  void note(traced what, int peer, std::uint64_t count, std::uint64_t amount = 0,
            std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({time.last(), time.last(), what, peer, count, amount, where});
  }

  /// Traces the lap that has ended now.
  void note_lap(traced what, std::int64_t begin, std::uint64_t count = 0, std::uint64_t amount = 0,
                std::uint64_t where = 0) {
    if (trace) [[unlikely]]
      trace.add({begin, time.last(), what, 0, count, amount, where});
  }
};

}  // namespace atl::observe
