#pragma once
// On one host, Atoll never pins two PEs to the same core, even if the PEs belong to different jobs.
// The functions below find free cores, pin a PE to its core, and decide how a PE waits.

#include "atoll/job/wire.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <sched.h>
#include <span>
#include <vector>

namespace atl::job {

/// Holds the cores that a job has claimed, until the object is destroyed. Other Atoll jobs do not
/// pin PEs to claimed cores. Each claim is an abstract Unix socket with the core's number in its
/// name. The kernel closes the socket when the last process of the job ends, even if a signal kills
/// that process.
class core_claims {
 public:
  core_claims() = default;

  /// Claims the first `count` free cores among `cores`. If fewer than `count` cores are free,
  /// claims no core. Processes that this process forks inherit the claims.
  core_claims(std::span<const int> cores, int count);
  ~core_claims() { release(); }
  core_claims(core_claims&&) noexcept = default;
  core_claims& operator=(core_claims&&) = delete;

  bool empty() const noexcept { return cores_.empty(); }
  int core_of(int pe) const { return cores_[static_cast<std::size_t>(pe)]; }

 private:
  void release() noexcept;

  std::vector<int> cores_;  ///< claimed core of each PE
  std::vector<int> sockets_;
};

/// Returns whether each of `pes` PEs can have a physical core of its own.
bool enough_cores_for(int pes);

/// Returns whether each of `pes` PEs can have a physical core of its own. If the machine has too
/// few cores, the first call in a process prints a warning.
bool cores_suffice(int pes);

/// Returns how long a waiting PE spins and yields before it sleeps. A PE spins only if each PE has
/// a core of its own. On a shared core, spinning would take processor time from other PEs.
shm::patience patience_of(const settings& settings, bool own_core);

/// Claims a free core for each of `pes` PEs. If the setting `pin` is off, or if the machine has too
/// few free cores, returns no claims.
core_claims free_cores(int pes, const settings& settings);

/// Pins this thread to one core as long as this object exists. If the thread cannot be pinned,
/// prints a warning.
class pinned {
 public:
  explicit pinned(int core);
  ~pinned();
  pinned(const pinned&) = delete;
  pinned& operator=(const pinned&) = delete;

 private:
  cpu_set_t former_;
  bool is_pinned_;
};

/// While this object exists, timed sleeps of this thread end on time. By default, Linux ends a
/// sleep up to 50 us late, to wake several threads at once. A delay of 50 us matters, because an
/// idle PE sleeps for a similarly short time between two polls for messages of other nodes. If the
/// kernel refuses the change, sleeps still end late.
class short_timer_slack {
 public:
  short_timer_slack() noexcept;
  ~short_timer_slack();
  short_timer_slack(const short_timer_slack&) = delete;
  short_timer_slack& operator=(const short_timer_slack&) = delete;

 private:
  int former_;  // former slack in ns; negative if unknown
};

}  // namespace atl::job
