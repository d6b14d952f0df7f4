#pragma once
// Reductions of the arrays of the members of a group, element by element.

#include "atoll/shmem/meeting.hpp"

namespace atl::shmem {

/// What is folded, and how.
struct folding {
  std::size_t elements;
  std::size_t element_bytes;
  fold_elements fold;
};

/// The sources of all, folded, become the target of member `to`, or of all, which get the same
/// bits: each element is folded on one PE, in an order that the size of the group decides. Target
/// and source may be one. All members call it, with the same sizes; it blocks.
void reduce_elements(const collective& of, void* dest, const void* source, const folding& what,
                     int to);

}  // namespace atl::shmem
