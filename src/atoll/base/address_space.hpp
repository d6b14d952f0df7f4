#pragma once
// How much address space one process may fill.

#include <cstdint>
#include <filesystem>

namespace atl {

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

}  // namespace atl
