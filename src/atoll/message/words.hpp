#pragma once
// The words that a buffer is made of.

#include "atoll/error.hpp"

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

/// An address of a program has 48 bits at most: beside it there is room for 16 more.
inline std::uint64_t word_of_address(std::uintptr_t address, std::uint16_t beside = 0) {
  ATOLL_ASSERT(address >> 48 == 0, "an address with more than 48 bits");
  return std::uint64_t{address} << 16 | beside;
}

inline std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  return static_cast<std::size_t>(to - from);
}

}  // namespace atl::message
