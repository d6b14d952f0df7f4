#pragma once
// The bytes that PEs write, and their comparison with the bytes that other PEs read.

#include "atoll/atoll.hpp"

#include <span>
#include <vector>

namespace atl::bench::one_sided {

inline std::byte content(int writer, std::uint64_t i) {
  return static_cast<std::byte>(hash(i + 1'000'003 * static_cast<std::uint64_t>(writer)));
}

inline std::vector<std::byte> contents(int writer, std::uint64_t count) {
  std::vector<std::byte> all(count);
  for (std::uint64_t i = 0; i < count; ++i) all[i] = content(writer, i);
  return all;
}

/// Returns the number of bytes that differ from `expected`.
inline std::uint64_t differing(std::span<const std::byte> found,
                               std::span<const std::byte> expected) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += found[i] != expected[i];
  return wrong;
}

}  // namespace atl::bench::one_sided
