#pragma once
// A launch card holds what a program needs to join its job, if it was started separately, one
// process per PE. The launcher (program_job.cpp) passes the card in an environment variable, and
// lets the program inherit the memory of the job.

#include "atoll/job/wire.hpp"

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <sys/types.h>

namespace atl::job {

/// Identifies a file in memory, even after descriptors were closed or reused for other files.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const file_identity&) const = default;
};

/// Describes a region to a program that the launcher starts.
struct handed_region {
  pid_t launcher = 0;
  shm::region_shape shape{};
  std::array<int, 2> descriptors{-1, -1};  ///< of rings and segments, inherited
  std::array<file_identity, 2> files{};
};

std::string text_of(const handed_region& handed);

/// Reads the text made by `text_of`.
std::istream& operator>>(std::istream& words, handed_region& handed);

/// Copies of a region's descriptors for programs to inherit, made by the launcher. Their numbers
/// are ones that shells and programs do not use.
class inherited_region {
 public:
  /// Throws `error` (environment).
  explicit inherited_region(const shm::region& region);
  ~inherited_region();
  inherited_region(const inherited_region&) = delete;
  inherited_region& operator=(const inherited_region&) = delete;

  const handed_region& handed() const noexcept { return handed_; }

  /// Lets a child that is about to become a program inherit the descriptors. Returns 0 or the
  /// errno.
  int leave_to_program() const noexcept;

 private:
  handed_region handed_;
};

/// Returns the descriptors in this process; programs that it starts do not inherit them. If they
/// were closed in between, they are opened through the launcher (/proc). Throws `error`
/// (environment).
shm::region_descriptors take_descriptors(const handed_region& handed);

struct launch_card {
  static constexpr const char* variable = "OSHRUN_JOB";

  int pe = 0;
  int pes = 1;
  bool own_cores = false;  ///< every PE has a core
  int core = -1;           ///< a free core for this PE; -1: none in particular
  handed_region region{};
};

std::string text_of(const launch_card& card);

/// Parses a card. Throws `error` (environment) if the text is none.
launch_card card_in(const std::string& text);

/// Returns the card of this process once, so that programs that it starts do not join the job.
/// Throws as `card_in`.
std::optional<launch_card> take_launch_card();

/// Returns whether this process has a card that was not taken.
bool has_launch_card() noexcept;

}  // namespace atl::job
