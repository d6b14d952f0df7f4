#pragma once
// How much address space one process may fill.

#include <cstdint>

namespace atl {

/// For mappings of any kind. A thread sanitizer leaves little more than this; without one there is
/// 128 TiB.
#ifdef ATOLL_SANITIZED
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 40;
#else
inline constexpr std::uint64_t usable_address_space = std::uint64_t{1} << 46;
#endif

}  // namespace atl
