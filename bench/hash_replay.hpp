#pragma once
// Replays the operations of the hash table benchmark serially and without a table.

#include "bench/hash_load.hpp"

#include <vector>

namespace atl::bench::hash {

/// The results that hold for every interleaving of the workers' operations.
struct replay {
  std::vector<std::uint64_t> inserted;  ///< a bitmap with one bit per key
  std::uint64_t keys = 0;               ///< different keys that are inserted
  std::uint64_t lookups = 0;
  std::uint64_t least_found = 0;  ///< lookups of keys that the same worker inserted before
  std::uint64_t most_found = 0;   ///< lookups of keys that any worker ever inserts
};

inline bool has_bit(const std::vector<std::uint64_t>& bits, std::uint64_t key) {
  return (bits[key / 64] >> key % 64 & 1) != 0;
}

replay replay_of(const load& all);

/// Returns the bytes of memory that `replay_of` takes at most.
std::size_t bytes_of_replay(const load& all);

}  // namespace atl::bench::hash
