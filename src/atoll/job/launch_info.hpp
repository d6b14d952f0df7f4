#pragma once
// The struct `launch_info` (the launch card) contains the data that a program needs to join its
// job. The launcher oshrun (program_job.cpp) starts one process per PE and passes a `launch_info`
// to each process in an environment variable. Each process also inherits descriptors of the job's
// shared memory.

#include "atoll/job/wire.hpp"

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <sys/types.h>

namespace atl::job {

/// Identifies a file in memory by its device and inode. With the identity of a file, a process can
/// check that a descriptor still refers to the file, and not to another file that was opened later.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const file_identity&) const = default;
};

/// Describes the shared memory of the job for a program that the launcher starts.
struct handed_region {
  pid_t launcher = 0;
  shm::region_shape shape{};
  /// Inherited descriptors of the region's memory and of its symmetric segments.
  std::array<int, 2> descriptors{-1, -1};
  std::array<file_identity, 2> files{};
};

std::string text_of(const handed_region& handed);

/// Reads a text that `text_of` has written.
std::istream& operator>>(std::istream& words, handed_region& handed);

/// Holds copies of a region's descriptors. The programs that the launcher starts inherit the
/// copies. The copies have high numbers that shells and programs do not use.
class inherited_region {
 public:
  /// Copies the descriptors of `region`. Throws `error` (environment) if the kernel refuses to copy
  /// a descriptor.
  explicit inherited_region(const shm::region& region);
  ~inherited_region();
  inherited_region(const inherited_region&) = delete;
  inherited_region& operator=(const inherited_region&) = delete;

  const handed_region& handed() const noexcept { return handed_; }

  /// Keeps the descriptors open when this process executes a program (by `execv`), so that the
  /// program inherits them. Returns 0, or the errno of the failure.
  int leave_to_program() const noexcept;

 private:
  handed_region handed_;
};

/// Returns the inherited descriptors of the region. Programs that this process starts do not
/// inherit the descriptors. If another program, such as a shell, has closed the descriptors, the
/// function opens the files again by the launcher's links in /proc. If the files cannot be opened,
/// throws `error` (environment).
shm::region_descriptors take_descriptors(const handed_region& handed);

struct launch_info {
  static constexpr const char* variable = "OSHRUN_JOB";

  int pe = 0;
  int pes = 1;
  bool own_cores = false;  ///< whether every PE has a core of its own
  int core = -1;           ///< core to which this PE is pinned; -1 if it is not pinned
  handed_region region{};
};

std::string text_of(const launch_info& card);

/// Parses the text of a launch card. Throws `error` (environment) if the text is invalid.
launch_info card_in(const std::string& text);

/// Returns the launch card of this process. If the environment of the process has no launch card
/// (the variable OSHRUN_JOB), returns nothing. Removes the launch card from the environment, so
/// that programs that this process starts do not join the job. Throws `error` (environment) if the
/// launch card is invalid.
std::optional<launch_info> take_launch_info();

/// Returns whether the environment of this process contains a launch card.
bool has_launch_info() noexcept;

}  // namespace atl::job
