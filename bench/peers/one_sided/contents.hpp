#pragma once
// Contents that are written before an operation, so that moved data can be recognised afterwards.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bench::one_sided {

inline std::byte content(std::size_t i, std::size_t stamp) {
  return static_cast<std::byte>(i * 3 + (i >> 8) + stamp * 17 + 1);
}

inline void fill(std::byte* data, std::size_t bytes, std::size_t stamp) {
  for (std::size_t i = 0; i < bytes; ++i) data[i] = content(i, stamp);
}

inline void clear(std::byte* data, std::size_t bytes) { std::fill_n(data, bytes, std::byte{0}); }

inline bool holds(const std::byte* data, std::size_t bytes, std::size_t stamp) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (data[i] != content(i, stamp)) return false;
  }
  return true;
}

/// Returns the distance between blocks of `bytes` bytes. Two blocks share no cache line.
inline std::size_t stride(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace bench::one_sided
