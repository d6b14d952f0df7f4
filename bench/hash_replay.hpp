#pragma once
// Replays the operations of the hash table benchmark one after another, without a table.

#include "bench/hash_load.hpp"

#include <vector>

namespace atl::bench::hash {

/// Facts that hold for every interleaving of the workers' operations.
struct replay {
  std::vector<std::uint64_t> inserted;  ///< a bitmap of the inserted keys, with one bit per key
  std::uint64_t keys = 0;               ///< number of different inserted keys
  std::uint64_t lookups = 0;
  /// Number of lookups that must find their key, because the same worker has inserted the key last.
  std::uint64_t least_found = 0;
  /// Number of lookups that may find their key, because some worker inserts the key at some time.
  std::uint64_t most_found = 0;
};

inline bool has_bit(const std::vector<std::uint64_t>& bits, std::uint64_t key) {
  return (bits[key / 64] >> key % 64 & 1) != 0;
}

replay replay_of(const load& all);

/// Returns the largest number of bytes that `replay_of` uses.
std::size_t bytes_of_replay(const load& all);

}  // namespace atl::bench::hash
