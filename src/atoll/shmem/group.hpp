#pragma once
// Who takes part in a collective, be it a team or an active set, and the words by which they meet.

#include "atoll/shmem/include/shmem/collectives.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace atl::shmem {

/// What each member has of them: an array as programs hand it over (pSync) for active sets. All
/// zero before a collective, and behind it, so that it can be used again at once.
struct sync_words {
  long entered;   ///< children in the tree that have come to a meeting
  long left;      ///< children that need nothing more of the others
  long released;  ///< 1: all have come
  long told;      ///< 1, at the root of a broadcast: all have left
  long bytes;     ///< what this member contributes to a collection
  // The call that this member waits in, for others that wait in another one.
  long call;      ///< its name, a constant of this library, counted from `k_calls_begin`; 0: none
  long elements;  ///< of the call, if it has any
  long root;      ///< and its root
  std::byte data[448];  ///< of children, in places of equal size; or of all, from the parent
};
static_assert(sizeof(sync_words) == SHMEM_SYNC_SIZE * sizeof(long));

/// PEs of the job: every `stride`th from `start` on, or those of a list.
struct group {
  int start = 0;
  int stride = 1;
  int size = 0;
  std::span<const int> listed{};  ///< where they are no such progression
  int me = 0;                     ///< the number of this PE among them
  sync_words* words = nullptr;

  int pe_of(int number) const {
    return listed.empty() ? start + number * stride : listed[static_cast<std::size_t>(number)];
  }
  /// -1: it is none of them.
  int number_of(int pe) const;
};

/// Some members of a group: every `stride`th from `start` on. The stride is not 0.
struct part {
  int start;
  int stride;
  int size;
};

/// A part of a group as a number, never 0, that stands for the elements of the call that makes a
/// team of it; and back.
constexpr std::size_t number_of(const part& one) {
  return static_cast<std::size_t>(static_cast<std::uint16_t>(one.start)) |
         static_cast<std::size_t>(static_cast<std::uint16_t>(one.size)) << 16 |
         static_cast<std::size_t>(one.stride + (1 << 16)) << 32;
}
constexpr part part_of(std::size_t number) {
  return {static_cast<std::uint16_t>(number), static_cast<int>(number >> 32) - (1 << 16),
          static_cast<std::uint16_t>(number >> 16)};
}

/// Whose target gets the result of a collective, where it is not one member.
inline constexpr int k_everyone = -1;

/// A call in which all members of a group take part.
struct collective {
  const char* call;  ///< its name, for what is said about it
  const group& all;
  std::size_t elements = 0;  ///< where all members give as many; of a split, `number_of` its part
  int root = k_everyone;

  collective with(std::size_t count, int of_root = k_everyone) const {
    return {call, all, count, of_root};
  }
};

}  // namespace atl::shmem
