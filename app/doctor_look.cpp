// Reads from the system the values that `atoll doctor` judges.

#include "app/doctor_checks.hpp"

#include "app/driver/child_process.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
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

/// Returns the reason why programs cannot use the MPI library of the launcher. If programs can use
/// the library, the text is empty.
std::string missing_plugin(const std::string& version) {
  const bool open =
      std::ranges::any_of(std::to_array({"Open MPI", "OpenRTE", "PRRTE"}),
                          [&](auto* name) { return version.find(name) != version.npos; });
  settings chosen = settings::from_environment();
  chosen.mpi = open ? mpi_library::openmpi : mpi_library::mpich;
  try {
    job::check_plugin(chosen, {.launcher = open ? "Open MPI's mpirun" : "MPICH's mpiexec",
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

constexpr std::size_t huge_page = std::size_t{2} << 20;

class mapping {
 public:
  mapping(std::size_t bytes, int flags, int file)
      : bytes_(bytes), start_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0)) {}
  ~mapping() {
    if (valid()) munmap(start_, bytes_);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  bool valid() const { return start_ != MAP_FAILED; }

  // Asks the kernel for huge pages, and writes to the first address that is aligned to a huge page.
  // Returns this address.
  std::uintptr_t touched_huge_page() const {
    const auto start = reinterpret_cast<std::uintptr_t>(start_);
    const auto aligned = (start + huge_page - 1) / huge_page * huge_page;
    madvise(start_, bytes_, MADV_HUGEPAGE);
    *reinterpret_cast<volatile char*>(aligned) = 1;
    return aligned;
  }

 private:
  std::size_t bytes_;
  void* start_;
};

// Returns whether the kernel reports more than 0 for `key` in the mapping that contains `address`.
// An example of `key` is "AnonHugePages" in the line "AnonHugePages: 2048 kB".
bool has_huge_page(std::uintptr_t address, const char* key) {
  std::ifstream file("/proc/self/smaps");
  bool inside = false;
  const std::string pattern = std::string(key) + ": %lu kB";
  for (std::string line; std::getline(file, line);) {
    unsigned long first = 0, second = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &second) == 2)
      inside = first <= address && address < second;
    else if (inside && line.starts_with(key))
      return std::sscanf(line.c_str(), pattern.c_str(), &first) == 1 && first > 0;
  }
  return false;
}

bool probe_private() {
  const mapping memory(2 * huge_page, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  return memory.valid() && has_huge_page(memory.touched_huge_page(), "AnonHugePages");
}

void probe_shared(page_probe& result) {
  const int file = memfd_create("atoll-doctor", MFD_CLOEXEC);
  if (file < 0) return;
  if (ftruncate(file, off_t(2 * huge_page)) == 0) {
    const mapping memory(2 * huge_page, MAP_SHARED, file);
    result.shared_works = memory.valid();
    if (memory.valid())
      result.shared_huge = has_huge_page(memory.touched_huge_page(), "ShmemPmdMapped");
  }
  close(file);
}

bool probe_reservation() {
  return mapping(std::size_t{64} << 30, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1).valid();
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

page_probe probe_pages() {
  page_probe result;
  result.private_huge = probe_private();
  probe_shared(result);
  result.reserves_late = probe_reservation();
  return result;
}

}  // namespace atl::app
