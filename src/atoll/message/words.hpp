#pragma once
// The words that a buffer is made of.

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace atl::message {

inline std::uint64_t load_word(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

inline void store_word(std::byte* at, std::uint64_t word) { std::memcpy(at, &word, sizeof word); }

inline std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::size_t>(to - from);
}

}  // namespace atl::message
