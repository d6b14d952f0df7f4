#pragma once
// Each pinned PE of any job on this host has a core of its own. These functions find free cores,
// keep a PE on its core, and decide how it waits there.

#include "atoll/job/wire.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <sched.h>
#include <span>
#include <vector>

namespace atl::job {

/// The cores of a job, claimed while this object exists. A core is represented by an abstract
/// socket. The kernel frees the socket when the last process that holds it ends, however it ends.
class core_claims {
 public:
  core_claims() = default;

  /// Claims the first `count` of these cores that are free, or none if there are fewer. Children of
  /// this process hold the claims, too.
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

/// Returns whether every PE can have a physical core of its own.
bool enough_cores_for(int pes);

/// Returns whether every PE can have a physical core of its own. If not, prints a warning, once per
/// process.
bool cores_suffice(int pes);

/// Returns how a PE waits. Spinning pays only if the PE that is waited for can run meanwhile.
shm::patience patience_of(const settings& settings, bool own_core);

/// Claims cores for these PEs that no other job of this host has claimed. Returns no claims if the
/// settings or the machine allow none.
core_claims free_cores(int pes, const settings& settings);

/// Keeps this thread on one core while this object exists. Warns if that fails.
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

/// Makes timed sleeps of this thread end on time while this object exists. By default Linux ends
/// them up to 50 us late, to wake several sleepers at once. An idle PE sleeps that long between two
/// looks for messages of other nodes. If the kernel refuses, sleeps remain late.
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
