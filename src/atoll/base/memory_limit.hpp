#pragma once
// How much memory this job may still take before the kernel kills it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace atl {

/// All in bytes, at one moment.
struct memory_status {
  std::uint64_t machine_total = 0;      ///< MemTotal
  std::uint64_t machine_available = 0;  ///< MemAvailable: free, or reclaimable without swapping
  std::optional<std::uint64_t> group_limit;  ///< of the control group, when it has one
  std::uint64_t group_used = 0;              ///< of that group, reclaimable file pages left out
  std::string group;                         ///< the file that states the limit

  /// The smaller of what the machine and the control group leave.
  std::uint64_t free() const;

  /// The smaller of what the machine has and what the control group may have, used or not.
  std::uint64_t usable() const;
};

/// Looks it up now; takes well under a millisecond. Where nobody says what the machine has, it
/// assumes little, with a warning. `root` is the root of the file system, for tests.
memory_status read_memory_status(const std::filesystem::path& root = "/");

}  // namespace atl
