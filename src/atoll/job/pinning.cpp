#include "atoll/job/pinning.hpp"

#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace atl::job {
namespace {

const topology& machine() {
  static const topology found = read_topology();
  return found;
}

int ranks_of_launch(const settings& settings) {
  const launch started_by = present_launch().value();
  if (settings.pes != 0)
    fail(errc::input, "--pes: {} decides how many PEs there are (-n N); leave --pes away{}",
         started_by.launcher,
         started_by.ranks == 0 ? ", or give --transport shm for PEs on this machine alone" : "");
  if (started_by.ranks > transport::max_pes)
    fail(errc::input, "{} has started {} ranks, and a job has {} PEs at most", started_by.launcher,
         started_by.ranks, transport::max_pes);
  return std::max(1, started_by.ranks);
}

}  // namespace

int number_of_pes(const settings& settings) {
  if (chosen_transport(settings) == transport_kind::mpi) return ranks_of_launch(settings);
  const std::uint64_t wanted = settings.pes != 0 ? settings.pes : machine().cores;
  const int most =
      chosen_transport(settings) == transport_kind::sim ? transport::max_pes : shm::max_pes_of_node;
  if (wanted > static_cast<std::uint64_t>(most))
    fail(errc::input, "pes: {} is out of range (1 to {} where they share memory, to {} simulated)",
         wanted, shm::max_pes_of_node, transport::max_pes);
  return static_cast<int>(wanted);
}

bool enough_cores_for(int pes) { return static_cast<unsigned>(pes) <= machine().cores; }

bool cores_suffice(int pes) {
  if (enough_cores_for(pes)) return true;
  const unsigned cores = machine().cores;
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    log::warning("{} PEs share {} physical core{}: they take turns", pes, cores,
                 cores == 1 ? "" : "s");
  return false;
}

shm::patience patience_of(const settings& settings, bool own_core) {
  return {own_core ? shm::spin_time_of_owner : 0, settings.idle_yields};
}

core_claims free_cores(int pes, const settings& settings) {
  if (!settings.pin || !cores_suffice(pes)) return {};
  return {machine().pin_order, pes};
}

pinned::pinned(int core) {
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(core), &own);
  is_pinned_ = sched_getaffinity(0, sizeof former_, &former_) == 0 &&
               sched_setaffinity(0, sizeof own, &own) == 0;
  if (!is_pinned_)
    log::warning("a PE is not pinned to core {} (--pin): {}", core, std::strerror(errno));
}

pinned::~pinned() {
  if (is_pinned_) sched_setaffinity(0, sizeof former_, &former_);
}

}  // namespace atl::job
