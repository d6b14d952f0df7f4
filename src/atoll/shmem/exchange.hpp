#pragma once
// Collectives that move bytes of the members of a group, straight between the arrays of the
// program: each member takes what it needs. All members call each, with the same sizes; each
// blocks, until the target is complete here and nobody needs the source any more.

#include "atoll/shmem/group.hpp"

namespace atl::shmem {

/// The source of `root` becomes the target of all, or, where `but_root`, of all others.
void broadcast_bytes(const collective& of, void* dest, const void* source, std::size_t bytes,
                     int root, bool but_root);

/// The sources of all, one behind the other, become the target of member `to`, or of all.
void gather_bytes(const collective& of, void* dest, const void* source, std::size_t bytes, int to);

/// The same, of sources that differ in size.
void gather_differing(const collective& of, void* dest, const void* source, std::size_t bytes,
                      int to);

/// Equal blocks of an array, of which the members have one each: elements of some bytes, so many
/// elements apart.
struct blocks {
  std::size_t elements;
  std::size_t element_bytes;
  std::ptrdiff_t dest_stride = 1;
  std::ptrdiff_t source_stride = 1;
};

/// Block b of the source of member a becomes block a of the target of member b.
void exchange_blocks(const collective& of, void* dest, const void* source, const blocks& each);

}  // namespace atl::shmem
