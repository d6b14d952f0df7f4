#pragma once
// The sizes of pages of x86-64.

#include <cstdint>

namespace atl {

inline constexpr std::uint64_t k_page = 4096;
inline constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

}  // namespace atl
