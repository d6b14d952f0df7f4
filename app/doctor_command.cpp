// Implements `atoll doctor`. The first part of this file reads values from the system. The second
// part of this file judges the values that the first part has read, and advises what to change.

#include "app/doctor_checks.hpp"

#include "app/command.hpp"
#include "app/driver/child_process.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/launch.hpp"
#include "atoll/log.hpp"
#include "atoll/machine.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
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
/// the MPI library of the launcher, returns an empty text.
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
  // Returns the address that was written.
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

// Returns whether the kernel reports a value above 0 for `key` in the mapping that contains
// `address`. An example of `key` is "AnonHugePages" in the line "AnonHugePages: 2048 kB".
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

namespace {

// Returns the value in brackets: "madvise" for the text "always [madvise] never".
std::string in_force(const std::string& kernel_setting) {
  const auto open = kernel_setting.find('[');
  const auto close = kernel_setting.find(']');
  if (open == kernel_setting.npos || close == kernel_setting.npos) return "not supported";
  return kernel_setting.substr(open + 1, close - open - 1);
}

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
constexpr std::uint64_t gib = std::uint64_t{1} << 30;

std::string_view word(verdict is) {
  constexpr std::string_view words[] = {"ok", "note", "PROBLEM"};
  return words[std::size_t(is)];
}

std::string text_of(const finding& found) {
  constexpr std::size_t indent = 31;
  const auto line = [](std::string_view left, std::string_view right, std::string_view text) {
    return fmt::format("{:<8} {:<21} {}\n", left, right, wrapped(text, 100 - indent, indent));
  };
  std::string text = line(word(found.is), found.subject, found.seen);
  if (!found.change.empty()) text += line("", "  change", found.change);
  if (!found.cost.empty()) text += line("", "  or else", found.cost);
  return text;
}

int examine() {
  const auto findings = examine_machine();
  for (const auto& found : findings) std::cout << text_of(found);
  const auto problems = std::ranges::count(findings, verdict::problem, &finding::is);
  if (problems == 0) {
    std::cout << "\nAtoll works here.\n";
    return 0;
  }
  std::cout << fmt::format("\nAtoll does not work here: {} problem{}.\n", problems,
                           problems == 1 ? "" : "s");
  return 2;
}

}  // namespace

finding judge_cores(const topology& machine) {
  finding result{verdict::ok, "cores", "", "", ""};
  result.seen =
      fmt::format("{} physical core{} for {} hardware thread{} of {}", machine.affinity_cores,
                  machine.affinity_cores == 1 ? "" : "s", machine.pin_order.size(),
                  machine.pin_order.size() == 1 ? "" : "s", machine.cpu_model);
  if (machine.cores < machine.affinity_cores) {
    result.is = verdict::note;
    result.seen += fmt::format("; the control group gives time for {}", machine.cores);
    result.change = "raise the processor quota of the control group (cpu.max, cpu.cfs_quota_us)";
    result.cost = fmt::format("{} PEs by default; more are stopped by the kernel again and again",
                              machine.cores);
  } else if (machine.cores == 1) {
    result.is = verdict::note;
    result.change = "give this process more cores (taskset, the container's cpuset)";
    result.cost = "one PE by default; several work, but take turns";
  }
  return result;
}

finding judge_memory(const memory_status& memory) {
  finding result{verdict::ok, "memory", "", "", ""};
  result.seen = fmt::format("{} free of {}", human_bytes(double(memory.free())),
                            human_bytes(double(memory.machine_total)));
  result.seen += memory.group_limit
                     ? fmt::format("; the control group's limit is {}, of which {} are used ({})",
                                   human_bytes(double(*memory.group_limit)),
                                   human_bytes(double(memory.group_used)), memory.group)
                     : "; the control group sets no limit";
  if (memory.free() >= gib) return result;
  result.is = memory.free() < 64 * mib ? verdict::problem : verdict::note;
  result.change = "end other programs, or raise the limit (memory.max, memory.limit_in_bytes)";
  result.cost = "arrays and graphs that do not fit are refused before memory is touched";
  return result;
}

finding judge_private_huge_pages(const std::string& kernel_setting, const page_probe& pages) {
  finding result{verdict::ok, "huge pages, private", "", "", ""};
  result.seen = fmt::format("the kernel's setting is {}; a test {} one", in_force(kernel_setting),
                            pages.private_huge ? "got" : "did not get");
  if (pages.private_huge) return result;
  result.is = verdict::note;
  result.change =
      in_force(kernel_setting) == "never"
          ? "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
          : "free memory may be fragmented: as root, echo 1 > /proc/sys/vm/compact_memory";
  result.cost = "random access to large arrays runs at about 60 % of its speed";
  return result;
}

finding judge_shared_memory(const page_probe& pages) {
  finding result{verdict::ok, "shared memory", "", "", ""};
  result.seen = "memfd works; the size of /dev/shm does not matter, it is not used";
  if (pages.shared_works) return result;
  result.is = verdict::problem;
  result.seen = "a shared mapping of a memfd cannot be made";
  result.change = "allow memfd_create and mmap in the sandbox or seccomp profile";
  result.cost = "PEs cannot talk; only --pes 1 may work";
  return result;
}

finding judge_shared_huge_pages(const std::string& kernel_setting, const page_probe& pages) {
  finding result{verdict::ok, "huge pages, shared", "", "", ""};
  result.seen = fmt::format("the kernel's setting is {}; a test {} one", in_force(kernel_setting),
                            pages.shared_huge ? "got" : "did not get");
  if (pages.shared_huge) return result;
  result.is = verdict::note;
  result.change = "as root: echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled";
  result.cost = "random access to symmetric arrays runs at about 70 % of its speed; "
                "owner-only arrays, the default, lose nothing";
  return result;
}

finding judge_address_space(const page_probe& pages, const address_space_left& left) {
  finding result{verdict::ok, "address space", "", "", ""};
  result.seen = "64 GiB can be mapped before there is memory behind them";
  if (pages.reserves_late) return result;
  // PEs use half of the available address space for segments and private memory, and each PE needs
  // at least 72 MiB.
  constexpr std::uint64_t least = 256 * mib;
  const std::uint64_t bytes = std::min(left.all, left.writable);
  const bool is_limited = bytes != UINT64_MAX;
  result.is = is_limited && bytes >= least ? verdict::note : verdict::problem;
  result.seen = is_limited ? fmt::format("limits of the shell leave {} of address space or of data",
                                         human_bytes(double(bytes)))
                           : "64 GiB of address space cannot be mapped";
  result.change =
      "ulimit -v unlimited; ulimit -d unlimited; as root: sysctl vm.overcommit_memory=0";
  result.cost = result.is == verdict::note
                    ? fmt::format("the global arrays of a PE have {} at most",
                                  human_bytes(double(std::min(left.all, left.writable)) / 4))
                    : "global arrays cannot be placed";
  return result;
}

finding judge_stack(std::optional<std::uint64_t> bytes) {
  finding result{verdict::ok, "stack", "", "", ""};
  result.seen = fmt::format("{} a PE; tasks need none of it while they wait",
                            bytes ? human_bytes(double(*bytes)) : "unlimited");
  if (!bytes || *bytes >= mib) return result;
  result.is = verdict::note;
  result.change = "ulimit -s 8192";
  result.cost = "deep recursion in plain functions of a task overflows the stack";
  return result;
}

finding judge_processes(const process_limits& limits, unsigned cores) {
  // Limit on the number of processes that suffices for the largest number of PEs and 64 other
  // processes.
  constexpr std::uint64_t comfortable = 1024 + 64;
  std::uint64_t least = limits.machine;
  std::string change = "as root: sysctl kernel.pid_max=32768";
  if (limits.user && *limits.user < least) {
    least = *limits.user;
    change = "ulimit -u 32768";
  }
  if (limits.group && *limits.group < least) {
    least = *limits.group;
    change = "raise pids.max of the control group (docker run --pids-limit)";
  }
  finding result{verdict::ok, "processes", "", "", ""};
  result.seen = fmt::format("up to {} more", grouped_digits(least));
  if (least >= comfortable) return result;
  result.is = least < cores ? verdict::problem : verdict::note;
  result.change = change;
  result.cost = fmt::format("--pes beyond {} is refused by the kernel", least);
  return result;
}

finding judge_mpi(const std::string& launcher, const std::string& version,
                  const std::string& plugin_missing) {
  finding result{verdict::ok, "MPI", "", "", ""};
  result.seen = fmt::format("{} ({})", version.empty() ? "unknown version" : version, launcher);
  if (!launcher.empty() && plugin_missing.empty()) return result;
  result.is = verdict::note;
  if (!launcher.empty()) {
    result.seen += "; a program under it says: " + plugin_missing;
    result.change = "install the plug-in of this MPI library, or build Atoll where the library is";
    result.cost = "programs under mpirun end with status 2; on one machine they need no mpirun";
    return result;
  }
  result.seen = "no mpirun in PATH";
  result.change = "Debian: apt-get install openmpi-bin libopenmpi-dev";
  result.cost = "nothing on one machine; comparisons with MPI programs are left out";
  return result;
}

void add_doctor(CLI::App& root, command_context& context) {
  add_command(root, context, "doctor", "Check this machine and say what to change", examine);
}

}  // namespace atl::app
