#pragma once
// The machine as this process may use it: its processor, its memory, and the limits that a user, a
// container or a batch system has set.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// The processor as far as this process may use it.

struct topology {
  /// Physical cores this process may run on: those of its affinity mask, not more than a processor
  /// quota of the control group allows, at least 1. The default number of PEs.
  unsigned cores = 1;

  /// Physical cores of its affinity mask, whatever the quota.
  unsigned affinity_cores = 1;

  /// Hardware threads in the order to pin PEs to them: the first of every core, then the second of
  /// every core. Numbers as in sched_setaffinity.
  std::vector<int> pin_order;

  /// "AMD EPYC 9354"; "unknown processor" where the system does not say.
  std::string cpu_model;
};

/// Looks it up; takes some milliseconds, so do it once. Throws `error` (environment).
topology read_topology();

// The limits a container or a batch system sets: Linux control groups, version 1 and 2.

/// One level of the group hierarchy this process is in, for one controller.
struct control_group {
  std::filesystem::path directory;
  int version = 2;

  /// The number in a file of the group; nothing when there is no such file, or it says "max".
  std::optional<std::uint64_t> number(std::string_view file) const;

  /// The number behind a key in a file of lines "key number".
  std::optional<std::uint64_t> number(std::string_view file, std::string_view key) const;

  /// The first line of the file; "" when there is none.
  std::string line(std::string_view file) const;
};

/// The groups of this process for a controller ("memory", "pids", "cpu"), the innermost first, up
/// to the root of what is mounted: the limits of all bind. Version 1 is taken where the
/// controller is mounted as such. Empty where there are no control groups. `root` is the root of
/// the file system, for tests.
std::vector<control_group> control_groups(std::string_view controller,
                                          const std::filesystem::path& root = "/");

// How much memory this job may still take before the kernel kills it.

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

// The limits of this process (ulimit), and of its control group, that may be behind a refusal of
// the kernel.

/// What was refused, where the errno alone does not tell the limit.
enum class refused : std::uint8_t {
  memory,  ///< address space, or a file that is mapped
  process,
  thread,
  timer,
  file
};

/// The text of the errno and, for an error, the limits that are set and may be behind it: "Cannot
/// allocate memory; is there room below the limit of address space (ulimit -v, now 300 MiB)?".
/// Leaves errno at `error`.
std::string refusal_text(int error, refused what);

/// The limits of memory that are set, as the end of such a sentence; empty when none is.
std::string memory_limits_text();

/// Likewise of the size of files.
std::string file_limit_text();

/// The limits that are set among those that any start needs room below.
std::string limits_of_start_text();

// How much address space one process may fill.

/// The symmetric segments of all its PEs take this at most, their private memory a quarter of it. A
/// thread sanitizer leaves about 1.5 times this; without one there are 128 TiB.
#ifdef ATOLL_SANITIZED
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 40;
#else
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 46;
#endif

/// What the limits of this process leave at one moment, in bytes; UINT64_MAX where there is none.
struct address_space_left {
  std::uint64_t all = UINT64_MAX;       ///< of RLIMIT_AS (ulimit -v)
  std::uint64_t writable = UINT64_MAX;  ///< of RLIMIT_DATA (ulimit -d): private memory, writable
};

/// Looks it up now. Where /proc does not say what the process has, it counts as nothing. `root` is
/// the root of the file system, for tests.
address_space_left read_address_space_left(const std::filesystem::path& root = "/");

// Descriptors 0, 1 and 2 of a process that was started with some of them closed. The next file
// would get such a number, and whatever is printed would be written into that file.

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed. The library does so when
/// it is loaded; its entries do so again, for programs that have closed some since. Where there is
/// no /dev/null, the number stands for a file that can neither be read nor written.
void open_standard_descriptors() noexcept;

/// Makes reading standard input and writing standard output an error again where they were closed
/// when the library was loaded. For programs whose result is what they print: it must not be lost
/// without a word.
void refuse_streams_that_were_closed() noexcept;

}  // namespace atl
