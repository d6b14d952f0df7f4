#pragma once
// The machine as this process may use it: its processor, its memory, and the limits set by a user,
// a container or a batch system.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// The part of the processor that this process may use.

struct topology {
  /// Physical cores that this process may use: those of its affinity mask, limited by a processor
  /// quota of the control group, at least 1. The default number of PEs.
  unsigned cores = 1;

  /// Physical cores of the affinity mask, regardless of the quota.
  unsigned affinity_cores = 1;

  /// Hardware threads in the order for pinning PEs: the first thread of every core, then the second
  /// of every core. Numbers as in sched_setaffinity.
  std::vector<int> pin_order;

  /// "AMD EPYC 9354"; "unknown processor" if the system does not tell it.
  std::string cpu_model;
};

/// Reads the topology; takes some milliseconds, so call it once. Throws `error` (environment).
topology read_topology();

// The limits set by a container or a batch system: Linux control groups, version 1 and 2.

/// One group in the hierarchy of control groups of this process, for one controller.
struct control_group {
  std::filesystem::path directory;
  int version = 2;

  /// Returns the number in a file of the group; nothing if there is no such file, or it contains
  /// "max".
  std::optional<std::uint64_t> number(std::string_view file) const;

  /// Returns the number after a key in a file of lines "key number".
  std::optional<std::uint64_t> number(std::string_view file, std::string_view key) const;

  /// Returns the first line of the file; "" if there is none.
  std::string line(std::string_view file) const;
};

/// Returns the groups of this process for a controller ("memory", "pids", "cpu"), from the
/// innermost to the root of the mount. The limits of all of them apply. Version 1 is used if the
/// controller is mounted in it. Empty if there are no control groups. `root` is the root of the
/// file system, for tests.
std::vector<control_group> control_groups(std::string_view controller,
                                          const std::filesystem::path& root = "/");

// The memory that this job may still use before the kernel kills it.

/// The memory of the machine and of the control group at one moment, in bytes.
struct memory_status {
  std::uint64_t machine_total = 0;      ///< MemTotal
  std::uint64_t machine_available = 0;  ///< MemAvailable: free, or reclaimable without swapping
  std::optional<std::uint64_t> group_limit;  ///< of the control group, if it has one
  std::uint64_t group_used = 0;              ///< by that group, without reclaimable file pages
  std::string group;                         ///< the file that states the limit

  /// Returns the smaller of what the machine and the control group have left.
  std::uint64_t free() const;

  /// Returns the smaller of the memory of the machine and the limit of the control group, used or
  /// not.
  std::uint64_t usable() const;
};

/// Reads the present status; takes well under a millisecond. If the memory of the machine is
/// unknown, assumes little and prints a warning. `root` is the root of the file system, for tests.
memory_status read_memory_status(const std::filesystem::path& root = "/");

// The limits of this process (ulimit) and of its control group that may explain why the kernel
// refused something.

/// The kind of resource that was refused, if the errno alone does not tell the limit.
enum class refused : std::uint8_t {
  memory,  ///< address space, or a file that is mapped
  process,
  thread,
  timer,
  file
};

/// Returns the text of the errno `error` and, for an error, the limits that are set and may be the
/// cause. Example: "Cannot allocate memory; is there room below the limit of address space (ulimit
/// -v, now 300 MiB)?". Leaves errno at `error`.
std::string refusal_text(int error, refused what);

/// Returns the memory limits that are set, as the end of such a sentence; empty if none is set.
std::string memory_limits_text();

/// Returns the limit of file sizes, as the end of such a sentence; empty if none is set.
std::string file_limit_text();

/// Returns the limits that are set, among those that may prevent a start.
std::string limits_of_start_text();

// The address space that one process may fill.

/// The most address space that the symmetric segments of all PEs of a process take; their private
/// memory takes at most a quarter of it. A thread sanitizer leaves about 1.5 times this; without
/// one there are 128 TiB.
#ifdef ATOLL_SANITIZED
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 40;
#else
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 46;
#endif

/// The address space that the limits of this process leave at one moment, in bytes; UINT64_MAX if
/// there is no limit.
struct address_space_left {
  std::uint64_t all = UINT64_MAX;       ///< of RLIMIT_AS (ulimit -v)
  std::uint64_t writable = UINT64_MAX;  ///< of RLIMIT_DATA (ulimit -d): private memory, writable
};

/// Reads what is left now. If /proc does not tell what the process uses, that counts as 0. `root`
/// is the root of the file system, for tests.
address_space_left read_address_space_left(const std::filesystem::path& root = "/");

// Standard streams that were closed when the process started. Otherwise the next opened file would
// get descriptor 0, 1 or 2, and printed text would be written into that file.

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed. The library does this when
/// it is loaded, and again at its entry points, for programs that close some of them in between.
/// Without /dev/null, the number is taken by a file that can be neither read nor written.
void open_standard_descriptors() noexcept;

/// Makes reading standard input and writing standard output fail again, if they were closed when
/// the library was loaded. For programs whose printed result must not be lost silently.
void refuse_streams_that_were_closed() noexcept;

}  // namespace atl
