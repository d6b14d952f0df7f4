#pragma once
// How the members of a group wait for each other: along a tree in which the parent of a member has
// its number without the lowest octal digit that is not 0, so that neighbors, who are often on one
// node, are near in it. All members call each, in the same order; each blocks. Members that meet in
// different calls, or with different numbers of elements or roots, end the job: each says in the
// counter that it adds to which call it is in.

#include "atoll/shmem/group.hpp"

#include <cstdint>

namespace atl::shmem {

/// Folds elements into as many others; both are aligned.
using fold_elements = void (*)(void* into, const void* from, std::size_t elements);

/// Returns when all have come. What they stored before is seen; what they put to far PEs, once they
/// have called `quiet` before.
void meet(const collective& of);

/// How many bytes of a value `meet_with` carries: some hundred in small groups, at least 8 in any.
std::size_t most_carried(const group& all);

/// As `meet`, and carries a little data: the values of all, folded, become that of each, with the
/// same bits.
void meet_with(const collective& of, void* value, std::size_t elements, std::size_t element_bytes,
               fold_elements fold);

/// As `meet`, but only `root` waits for the others. Between two of these there is a meeting.
void meet_at(const collective& of, int root);

/// The bits that are set on any member.
std::uint64_t bits_of_all(const collective& of, std::uint64_t bits);

}  // namespace atl::shmem
