// Where the values that `atoll doctor` judges come from.

#include "app/child_process.hpp"
#include "app/doctor_checks.hpp"
#include "atoll/error.hpp"
#include "atoll/job/mpi/plugin_loader.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace atl::app {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::optional<std::uint64_t> limit_of(__rlimit_resource resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

process_limits look_at_processes() {
  process_limits limits;
  if (geteuid() != 0) limits.user = limit_of(RLIMIT_NPROC);
  std::ifstream("/proc/sys/kernel/pid_max") >> limits.machine;
  for (const auto& group : control_groups("pids")) {
    const auto most = group.number("pids.max");
    if (!most) continue;
    const auto now = group.number("pids.current").value_or(0);
    const auto left = *most > now ? *most - now : 0;
    limits.group = std::min(limits.group.value_or(left), left);
  }
  return limits;
}

/// Why a program that this launcher starts cannot use its library; "" where it can.
std::string missing_plugin(const std::string& version) {
  const bool open =
      std::ranges::any_of(std::to_array({"Open MPI", "OpenRTE", "PRRTE"}),
                          [&](auto* name) { return version.find(name) != version.npos; });
  settings chosen = settings::from_environment();
  chosen.mpi = open ? mpi_library::openmpi : mpi_library::mpich;
  try {
    job::load_plugin(chosen, {.launcher = open ? "Open MPI's mpirun" : "MPICH's mpiexec",
                              .library = chosen.mpi});
    return "";
  } catch (const error& refused) {
    return refused.what();
  }
}

finding look_at_mpi() {
  const std::string launcher = find_in_path("mpirun");
  if (launcher.empty()) return judge_mpi("", "", "");
  const std::string version = run_child({launcher, "--version"}).output;
  return judge_mpi(launcher, version.substr(0, version.find('\n')), missing_plugin(version));
}

}  // namespace

std::vector<finding> examine_machine() {
  const std::string huge_pages = "/sys/kernel/mm/transparent_hugepage/";
  const auto machine = read_topology();
  const auto pages = probe_pages();
  return {
      judge_cores(machine),
      judge_memory(read_memory_status()),
      judge_private_huge_pages(first_line(huge_pages + "enabled"), pages),
      judge_shared_memory(pages),
      judge_shared_huge_pages(first_line(huge_pages + "shmem_enabled"), pages),
      judge_address_space(pages, read_address_space_left()),
      judge_stack(limit_of(RLIMIT_STACK)),
      judge_processes(look_at_processes(), machine.cores),
      look_at_mpi(),
  };
}

}  // namespace atl::app
