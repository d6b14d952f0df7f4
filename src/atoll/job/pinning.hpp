#pragma once
// Which core a PE runs on, and how it waits there.

#include "atoll/job/core_claims.hpp"
#include "atoll/job/wire.hpp"
#include "atoll/settings.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <sched.h>

namespace atl::job {

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

}  // namespace atl::job
