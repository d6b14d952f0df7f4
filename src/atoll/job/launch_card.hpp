#pragma once
// A program that was started by itself, one process a PE, must know some things to join its job.
// The launcher (program_job.cpp) says them in a variable of the environment, and lets the program
// inherit the memory of the job.

#include "atoll/job/wire.hpp"

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <sys/types.h>

namespace atl::job {

/// A file in memory by what stays when descriptors are closed, or become those of other files.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  bool operator==(const file_identity&) const = default;
};

/// What the launcher says of a region to a program that it starts.
struct handed_region {
  pid_t launcher = 0;
  shm::region_shape shape{};
  std::array<int, 2> descriptors{-1, -1};  ///< of the rings and of the segments, inherited
  std::array<file_identity, 2> files{};
};

std::string text_of(const handed_region& handed);

/// The inverse.
std::istream& operator>>(std::istream& words, handed_region& handed);

/// Copies of a region's descriptors with numbers that shells and programs do not use, for programs
/// to inherit. Of the launcher.
class inherited_region {
 public:
  /// Throws `error` (environment).
  explicit inherited_region(const shm::region& region);
  ~inherited_region();
  inherited_region(const inherited_region&) = delete;
  inherited_region& operator=(const inherited_region&) = delete;

  const handed_region& handed() const noexcept { return handed_; }

  /// In a child that is about to become a program: lets it inherit them. Returns 0 or the errno.
  int leave_to_program() const noexcept;

 private:
  handed_region handed_;
};

/// The descriptors in this process, which what it starts does not inherit from now on. Where
/// somebody between has closed them, they are opened by way of the launcher (/proc). Throws `error`
/// (environment).
shm::region_descriptors take_descriptors(const handed_region& handed);

struct launch_card {
  static constexpr const char* variable = "OSHRUN_JOB";

  int pe = 0;
  int pes = 1;
  bool own_cores = false;  ///< every PE has one
  int core = -1;           ///< that is free for this one; -1: none in particular
  handed_region region{};
};

std::string text_of(const launch_card& card);

/// Throws `error` (environment) where the text is no card.
launch_card card_in(const std::string& text);

/// The card of this process, once: programs that it starts do not join the job. Throws as
/// `card_in`.
std::optional<launch_card> take_launch_card();

/// This process has a card that was not taken.
bool has_launch_card() noexcept;

}  // namespace atl::job
