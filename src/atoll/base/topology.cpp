#include "atoll/machine.hpp"

#include "atoll/error.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <hwloc.h>
#include <locale>
#include <memory>
#include <sched.h>
#include <sstream>
#include <sys/sysinfo.h>
#include <type_traits>

namespace atl {
namespace {

struct destroy_topology {
  void operator()(hwloc_topology_t machine) const { hwloc_topology_destroy(machine); }
};
using machine_handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, destroy_topology>;

machine_handle load() {
  hwloc_topology_t machine = nullptr;
  if (hwloc_topology_init(&machine) != 0)
    fail(errc::environment, "hwloc cannot describe this machine");
  machine_handle owner(machine);
  hwloc_topology_set_flags(machine, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM |
                                        HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING);
  if (hwloc_topology_load(machine) != 0)
    fail(errc::environment, "hwloc cannot read the processors of this machine");
  return owner;
}

// Returns a list of hardware threads for each core. The cores are in the order of hwloc. On virtual
// machines that report no cores, each hardware thread counts as a core.
std::vector<std::vector<int>> threads_of_cores(hwloc_topology_t machine) {
  const bool has_cores = hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_CORE) > 0;
  const auto type = has_cores ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<std::vector<int>> cores;
  for (auto* core = hwloc_get_next_obj_by_type(machine, type, nullptr); core != nullptr;
       core = hwloc_get_next_obj_by_type(machine, type, core)) {
    auto& threads = cores.emplace_back();
    for (int id = hwloc_bitmap_first(core->cpuset); id >= 0;
         id = hwloc_bitmap_next(core->cpuset, id))
      threads.push_back(id);
  }
  return cores;
}

std::vector<int> one_of_each_first(const std::vector<std::vector<int>>& cores) {
  std::size_t most = 0;
  for (const auto& threads : cores) most = std::max(most, threads.size());
  std::vector<int> order;
  for (std::size_t thread = 0; thread < most; ++thread)
    for (const auto& threads : cores)
      if (thread < threads.size()) order.push_back(threads[thread]);
  return order;
}

std::string cpu_model(hwloc_topology_t machine) {
  auto* const package = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_PACKAGE, nullptr);
  const char* name = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
  return name ? name : "unknown processor";
}

// Returns the number of processors that the control group may use, or infinity without a limit. In
// version 2 of control groups, the file "cpu.max" contains "QUOTA PERIOD" or "max PERIOD". In
// version 1, quota and period are in two files, and the quota -1 means no limit.
double processor_quota(const control_group& group) {
  double quota = -1, period = -1;
  std::istringstream numbers(group.version == 2 ? group.line("cpu.max")
                                                : group.line("cpu.cfs_quota_us") + ' ' +
                                                      group.line("cpu.cfs_period_us"));
  numbers.imbue(std::locale::classic());
  numbers >> quota >> period;
  return quota > 0 && period > 0 ? quota / period : HUGE_VAL;
}

unsigned within_quota(unsigned cores) {
  double limit = cores;
  for (const auto& group : control_groups("cpu")) limit = std::min(limit, processor_quota(group));
  return std::max(1u, unsigned(limit));
}

/// Returns 0 if the kernel reports the affinity mask of this process, and the errno of the refusal
/// otherwise. The caller must not use hwloc after a refusal, because hwloc would repeat its request
/// forever. EINVAL does not count as a refusal, because EINVAL only means that `mask` has too few
/// bits for the machine.
int refusal_of_affinity() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0 || errno == EINVAL) return 0;
  return errno;
}

/// Returns the topology of a machine whose kernel reports only the number of processors. Each
/// processor counts as a core.
topology uniform_machine() {
  topology result;
  const int processors = std::max(1, get_nprocs());
  result.affinity_cores = static_cast<unsigned>(processors);
  result.cores = within_quota(result.affinity_cores);
  for (int id = 0; id < processors; ++id) result.pin_order.push_back(id);
  result.cpu_model = "unknown processor";
  return result;
}

}  // namespace

topology read_topology() {
  if (const int refusal = refusal_of_affinity(); refusal != 0) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
      log::warning("the kernel does not say on which processors this process may run "
                   "(sched_getaffinity: {}); all {} count as cores of their own",
                   std::strerror(refusal), get_nprocs());
    return uniform_machine();
  }
  const auto machine = load();
  const auto cores = threads_of_cores(machine.get());
  topology result;
  result.affinity_cores = std::max(1u, unsigned(cores.size()));
  result.cores = within_quota(result.affinity_cores);
  result.pin_order = one_of_each_first(cores);
  result.cpu_model = cpu_model(machine.get());
  return result;
}

}  // namespace atl
