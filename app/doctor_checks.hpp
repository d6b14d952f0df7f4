#pragma once
// What `atoll doctor` looks at. Looking and judging are separate, so that the judgements can be
// tested on machines nobody has.

#include "atoll/machine.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl::app {

/// What the kernel really gives: a call may succeed and give no huge page.
struct page_probe {
  bool private_huge = false;   ///< a private mapping got a huge page
  bool shared_works = false;   ///< a shared mapping of a memfd can be made and written
  bool shared_huge = false;    ///< it got a huge page
  bool reserves_late = false;  ///< 64 GiB of address space can be mapped without memory behind it
};

/// Maps, touches and looks. Takes some milliseconds.
page_probe probe_pages();

enum class verdict { ok, note, problem };

struct finding {
  verdict is = verdict::ok;
  std::string subject;
  std::string seen;    ///< what there is
  std::string change;  ///< what to do about it; "" where nothing needs to be done
  std::string cost;    ///< what it costs to leave it
};

/// How many processes may be made.
struct process_limits {
  std::optional<std::uint64_t> user;   ///< RLIMIT_NPROC; nothing when unlimited, or for root
  std::uint64_t machine = 0;           ///< pid_max
  std::optional<std::uint64_t> group;  ///< what the control group leaves
};

finding judge_cores(const topology& machine);
finding judge_memory(const memory_status& memory);
finding judge_private_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_shared_memory(const page_probe& pages);
finding judge_shared_huge_pages(const std::string& kernel_setting, const page_probe& pages);
finding judge_address_space(const page_probe& pages, const address_space_left& left);
finding judge_stack(std::optional<std::uint64_t> bytes);
finding judge_processes(const process_limits& limits, unsigned cores);

/// `plugin_missing` is why a program cannot use the plug-in for the launcher's library; "" where it
/// can.
finding judge_mpi(const std::string& launcher, const std::string& version,
                  const std::string& plugin_missing);

/// Looks at this machine.
std::vector<finding> examine_machine();

}  // namespace atl::app
