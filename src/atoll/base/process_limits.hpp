#pragma once
// The limits of this process (ulimit), and of its control group, that may be behind a refusal of
// the kernel.

#include <cstdint>
#include <string>

namespace atl {

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

}  // namespace atl
