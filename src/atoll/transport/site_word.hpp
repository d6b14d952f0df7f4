#pragma once
// A site as one word of shared memory, for the report of a PE that died.
//
// The word is the distance of the site's constant from an anchor in the executable, so that it
// means the same in every PE of one binary, whether it was started by a fork or by an exec at
// another address. Encoding is one subtraction: it happens whenever a task starts.

#include "atoll/base/site.hpp"

#include <cstdint>

namespace atoll::transport {

inline constexpr char site_anchor = 0;

inline std::uint64_t site_word(site where) noexcept {
  return where.word() - reinterpret_cast<std::uintptr_t>(&site_anchor);
}

/// The site behind a word that another PE has written; an unknown one when the word is 0 or does
/// not point into the program (the PE may have died because it wrote where it should not).
site site_of_word(std::uint64_t word) noexcept;

}  // namespace atoll::transport
