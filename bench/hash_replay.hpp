#pragma once
// The operations of a benchmark of hash tables once more, one after the other and without a table.

#include "bench/hash_load.hpp"

#include <vector>

namespace atl::bench::hash {

/// What every order of the operations has in common that keeps the order of each worker.
struct replay {
  std::vector<std::uint64_t> inserted;  ///< a bit for each key
  std::uint64_t keys = 0;               ///< inserted at least once
  std::uint64_t lookups = 0;
  std::uint64_t least_found = 0;  ///< lookups of what the same worker had inserted before
  std::uint64_t most_found = 0;   ///< lookups of what anybody ever inserts
};

inline bool has_bit(const std::vector<std::uint64_t>& bits, std::uint64_t key) {
  return (bits[key / 64] >> key % 64 & 1) != 0;
}

replay replay_of(const load& all);

/// What making one takes, at most.
std::size_t bytes_of_replay(const load& all);

}  // namespace atl::bench::hash
