#pragma once

#include "atoll/observe/recorder.hpp"
#include "atoll/settings.hpp"

#include <optional>

namespace atl::memory {

/// What outlives the PEs of a job so that others see what they do: their trace and their status.
/// Made by PE 0 before the others are started; empty where a launcher starts them, and they could
/// not share it.
class observed_job {
 public:
  /// Throws atl::error (environment), also where the trace or the metrics could not be written.
  observed_job(const settings& options, bool is_shared);

  /// Writes the trace where `end` was not called.
  ~observed_job();
  observed_job(const observed_job&) = delete;
  observed_job& operator=(const observed_job&) = delete;

  /// On each PE, at its start.
  void attach(observe::recorder& recorder, int pe);

  /// When all PEs have ended, on PE 0: writes the trace. Throws atl::error (environment).
  void end(bool ended_early);

 private:
  const settings& options_;
  std::optional<observe::trace_rings> rings_;
  std::optional<observe::status_board> board_;
};

}  // namespace atl::memory
