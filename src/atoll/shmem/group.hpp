#pragma once
// Who takes part in a collective, be it a team or an active set, and the words by which they meet.

#include "atoll/shmem/include/shmem/collectives.h"

#include <cstddef>
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
  long unused[3];
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

/// A call in which all members of a group take part.
struct collective {
  const char* call;  ///< its name, for what is said about it
  const group& all;
};

/// Whose target gets the result of a collective, where it is not one member.
inline constexpr int k_everyone = -1;

}  // namespace atl::shmem
