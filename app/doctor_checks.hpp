#pragma once
// Declares the checks of `atoll doctor`. One group of functions examines the machine, and another
// group judges the values that were found. Functions that judge values get the values as arguments,
// so tests can pass values of other machines.

#include "atoll/machine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {

/// The results of mapping memory as a test. A successful call of `madvise` does not prove that the
/// kernel gave a huge page, so the test looks for huge pages in /proc/self/smaps.
struct page_probe {
  bool private_huge = false;  ///< whether a private mapping got a huge page
  bool shared_works = false;  ///< whether a shared mapping of a memfd can be made and written
  bool shared_huge = false;   ///< whether a shared mapping got a huge page
  /// Whether 64 GiB of address space can be reserved without using memory.
  bool reserves_late = false;
};

/// Maps memory, writes to this memory, and asks the kernel which pages it gave. The call takes some
/// milliseconds.
page_probe probe_pages();

enum class verdict { ok, note, problem };

struct finding {
  verdict is = verdict::ok;
  std::string subject;
  std::string seen;    ///< the value that was found on this machine
  std::string change;  ///< advice to the user; empty if nothing should be changed
  std::string cost;    ///< the disadvantage for the user if the advice is not followed
};

/// Limits on the number of processes on this machine.
struct process_limits {
  /// RLIMIT_NPROC; nothing if there is no limit, or if the user is root.
  std::optional<std::uint64_t> user;
  std::uint64_t machine = 0;  ///< the limit pid_max of the kernel
  /// Number of further processes that the control group allows.
  std::optional<std::uint64_t> group;
};

finding judge_cores(const topology& machine);
finding judge_memory(const memory_status& memory);
finding judge_private_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_shared_memory(const page_probe& pages);
finding judge_shared_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_address_space(const page_probe& pages, const address_space_left& left);
finding judge_stack(std::optional<std::uint64_t> bytes);
finding judge_processes(const process_limits& limits, unsigned cores);

/// Judges whether programs can run under the MPI launcher. `plugin_missing` tells why the plug-in
/// for the MPI library of the launcher cannot be used. If the plug-in can be used, `plugin_missing`
/// is empty.
finding judge_mpi(const std::string& launcher, const std::string& version,
                  const std::string& plugin_missing);

/// Runs all checks on this machine.
std::vector<finding> examine_machine();

}  // namespace atl::app
