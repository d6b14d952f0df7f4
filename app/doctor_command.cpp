// Implements `atoll doctor`, which checks this machine and advises what to change.

#include "app/doctor_checks.hpp"

#include "app/command.hpp"
#include "app/flags.hpp"
#include "atoll/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>

namespace atl::app {
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
  // Segments and private memory of the PEs take half of the remaining address space, and at least
  // 72 MiB per PE.
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
  // Limit on processes that suffices for the largest number of PEs and 64 other processes.
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
