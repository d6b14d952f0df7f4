#pragma once
// Each pinned PE of any job on this host has a core of its own: these functions find free cores,
// keep a PE on its core, and decide how it waits there.

#include "atoll/job/wire.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <sched.h>
#include <span>
#include <vector>

namespace atl::job {

/// The cores of a job, for as long as it lives. The name of a core is an abstract socket, which the
/// kernel gives back when the last process that holds it ends, however it ends.
class core_claims {
 public:
  core_claims() = default;

  /// Claims `count` of these cores, the first that are free; none at all where there are not so
  /// many. Children hold them, too.
  core_claims(std::span<const int> cores, int count);
  ~core_claims() { release(); }
  core_claims(core_claims&&) noexcept = default;
  core_claims& operator=(core_claims&&) = delete;

  bool empty() const noexcept { return cores_.empty(); }
  int core_of(int pe) const { return cores_[static_cast<std::size_t>(pe)]; }

 private:
  void release() noexcept;

  std::vector<int> cores_;  ///< by PE
  std::vector<int> sockets_;
};

/// True when every PE can have a physical core of its own.
bool enough_cores_for(int pes);

/// The same; otherwise warns, once in a process.
bool cores_suffice(int pes);

/// Spinning pays only where the PE one waits for can run meanwhile.
shm::patience patience_of(const settings& settings, bool own_core);

/// Cores for these PEs that no other job of this host has pinned PEs to; none where the settings or
/// the machine allow none.
core_claims free_cores(int pes, const settings& settings);

/// Keeps this thread on one core for as long as it lives. Warns where that cannot be.
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

/// As long as it lives, a timed sleep of this thread ends when its time is over. By default Linux
/// lets it end 50 us late, to wake several sleepers at once: as long as an idle PE sleeps between
/// two looks for far messages. Where the kernel refuses, sleeps are late as before.
class short_timer_slack {
 public:
  short_timer_slack() noexcept;
  ~short_timer_slack();
  short_timer_slack(const short_timer_slack&) = delete;
  short_timer_slack& operator=(const short_timer_slack&) = delete;

 private:
  int former_;  // nanoseconds; negative: unknown
};

}  // namespace atl::job
