#pragma once
// How much address space one process may fill.

#include <cstdint>

namespace atl {

/// The symmetric segments of all its PEs take this at most, their private memory a quarter of it. A
/// thread sanitizer leaves about 1.5 times this; without one there are 128 TiB.
#ifdef ATOLL_SANITIZED
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 40;
#else
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 46;
#endif

}  // namespace atl
