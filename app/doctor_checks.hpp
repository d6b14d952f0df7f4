#pragma once
// Declares the checks of `atoll doctor`. Probing and judging are separate functions, so that tests
// can judge values of other machines.

#include "atoll/machine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {

/// Results of mapping memory for a test. A call may succeed without giving a huge page.
struct page_probe {
  bool private_huge = false;   ///< a private mapping got a huge page
  bool shared_works = false;   ///< a shared mapping of a memfd can be made and written
  bool shared_huge = false;    ///< a shared mapping got a huge page
  bool reserves_late = false;  ///< 64 GiB of address space can be mapped without memory behind it
};

/// Maps and touches memory, then reads which pages the kernel gave. Takes some milliseconds.
page_probe probe_pages();

enum class verdict { ok, note, problem };

struct finding {
  verdict is = verdict::ok;
  std::string subject;
  std::string seen;    ///< the value found on this machine
  std::string change;  ///< advice to the user; "" if nothing needs to change
  std::string cost;    ///< the cost of not following the advice
};

/// Limits on the number of processes.
struct process_limits {
  std::optional<std::uint64_t> user;   ///< RLIMIT_NPROC; nothing when unlimited, or for root
  std::uint64_t machine = 0;           ///< pid_max
  std::optional<std::uint64_t> group;  ///< processes that the control group still allows
};

finding judge_cores(const topology& machine);
finding judge_memory(const memory_status& memory);
finding judge_private_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_shared_memory(const page_probe& pages);
finding judge_shared_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_address_space(const page_probe& pages, const address_space_left& left);
finding judge_stack(std::optional<std::uint64_t> bytes);
finding judge_processes(const process_limits& limits, unsigned cores);

/// Judges whether programs can run under the launcher. `plugin_missing` is the reason why the
/// plug-in for the launcher's library cannot be used; "" if it can.
finding judge_mpi(const std::string& launcher, const std::string& version,
                  const std::string& plugin_missing);

/// Runs all checks on this machine.
std::vector<finding> examine_machine();

}  // namespace atl::app
