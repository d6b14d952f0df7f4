#pragma once
// Describes the machine that this process may use: processor cores, memory, and the limits that a
// user, a container or a batch system has set.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// The processor cores that this process may use.

struct topology {
  /// Number of physical cores that this process may use, at least 1. The affinity mask of the
  /// process and the processor quota of its control group limit the number. A job has one PE per
  /// such core by default.
  unsigned cores = 1;

  /// Number of physical cores in the affinity mask. The processor quota does not reduce this
  /// number.
  unsigned affinity_cores = 1;

  /// Hardware threads in the order in which PEs are pinned to them. The first thread of every core
  /// comes before the second thread of any core. The numbers are those that sched_setaffinity uses.
  std::vector<int> pin_order;

  /// Name of the processor, such as "AMD EPYC 9354", or "unknown processor" if the system does not
  /// report a name.
  std::string cpu_model;
};

/// Reads the topology. The call takes some milliseconds, so call it once. Throws `error`
/// (environment) if hwloc cannot read the processors.
topology read_topology();

// The limits set by a container or a batch system: Linux control groups, version 1 and 2.

/// One control group of this process, for one controller.
struct control_group {
  std::filesystem::path directory;
  int version = 2;

  /// Returns the number that `file` of the group contains. Returns nothing if there is no such
  /// file, or if it contains "max".
  std::optional<std::uint64_t> number(std::string_view file) const;

  /// Returns the number that stands after `key` in `file`, whose lines have the form "key number".
  /// Returns nothing if there is no such line.
  std::optional<std::uint64_t> number(std::string_view file, std::string_view key) const;

  /// Returns the first line of `file`, or "" if there is no such file.
  std::string line(std::string_view file) const;
};

/// Returns the groups of this process for a controller ("memory", "pids", "cpu"), from the
/// innermost to the root of the mount. The limits of all returned groups apply. Groups of version 1
/// are returned if the controller is mounted in version 1. The result is empty if there are no
/// control groups. Tests pass another `root` of the file system.
std::vector<control_group> control_groups(std::string_view controller,
                                          const std::filesystem::path& root = "/");

// The memory that this job may still use before the kernel kills it.

/// The memory of the machine and of the control group at one moment, in bytes. If control groups
/// are nested, the group is the one with the least memory left.
struct memory_status {
  std::uint64_t machine_total = 0;  ///< MemTotal of /proc/meminfo
  /// MemAvailable of /proc/meminfo: free, or reclaimable without swapping.
  std::uint64_t machine_available = 0;
  std::optional<std::uint64_t> group_limit;  ///< limit of the control group, if it has one
  /// Bytes that the group uses, without reclaimable file pages.
  std::uint64_t group_used = 0;
  std::string group;  ///< path of the file that states the limit

  /// Returns the bytes that this job may still use. The result is the smaller of the available
  /// memory of the machine and the unused part of the control group's limit.
  std::uint64_t free() const;

  /// Returns the bytes that a job could use if nothing else ran. The result is the smaller of the
  /// total memory of the machine and the limit of the control group.
  std::uint64_t usable() const;
};

/// Reads the present status in well under a millisecond. If the system does not report its memory,
/// the function assumes 1 GiB and prints a warning. Tests pass another `root` of the file system.
memory_status read_memory_status(const std::filesystem::path& root = "/");

// Limits of this process (ulimit) and of its control group. The text of an error names the limits
// that may have caused it.

/// The kind of resource that the kernel refused. Several limits may cause the same errno. The kind
/// of resource shows which limits to report.
enum class refused : std::uint8_t {
  memory,  ///< address space, or a mapped file
  process,
  thread,
  timer,
  file
};

/// Returns the text of the errno `error`, followed by the limits that are set and may be the cause.
/// Example: "Cannot allocate memory; is there room below the limit of address space (ulimit -v, now
/// 300 MiB)?". Leaves errno at `error`.
std::string refusal_text(int error, refused what);

/// Returns a question about the memory limits of this process, for the end of an error's text.
/// Returns an empty text if no memory limit is set.
std::string memory_limits_text();

/// Returns a question about the limit of file sizes, for the end of an error's text. Returns an
/// empty text if the limit of file sizes is not set.
std::string file_limit_text();

/// Returns a question about all limits that may prevent the start of a PE, for the end of an
/// error's text. Returns an empty text if no such limit is set.
std::string limits_of_start_text();

// The address space that the PEs of one process may use.

/// The most address space, in bytes, that the symmetric segments of all PEs of a process take
/// together. The private memory of all PEs of a process takes at most a quarter of this amount. A
/// process has 128 TiB of address space, but a thread sanitizer leaves only about 1.5 TiB.
#ifdef ATOLL_SANITIZED
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 40;
#else
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 46;
#endif

/// The address space that the limits of this process still leave at one moment, in bytes. A value
/// is UINT64_MAX if there is no such limit.
struct address_space_left {
  std::uint64_t all = UINT64_MAX;  ///< bytes left below RLIMIT_AS (ulimit -v), for any mapping
  /// Bytes left below RLIMIT_DATA (ulimit -d), for private writable memory.
  std::uint64_t writable = UINT64_MAX;
};

/// Reads the address space that is left now. If /proc does not report the space in use, the
/// function assumes that none is in use. Tests pass another `root` of the file system.
address_space_left read_address_space_left(const std::filesystem::path& root = "/");

// A process may start with closed standard streams. The next file that it opens would get
// descriptor 0, 1 or 2, and printed text would be written into that file. The functions below keep
// printed text out of files that the program opens.

/// Opens /dev/null as each of the descriptors 0, 1 and 2 that is closed. The library calls this
/// function when it is loaded and again at its entry points, because a program may close a stream
/// in between. If there is no /dev/null, a file that can be neither read nor written takes the
/// descriptor.
void open_standard_descriptors() noexcept;

/// Makes reading standard input and writing standard output fail if they were closed when the
/// library was loaded. A program calls this function if its printed result must not be lost
/// silently.
void refuse_streams_that_were_closed() noexcept;

}  // namespace atl
