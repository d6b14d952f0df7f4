// Tests the sequential replay of the operations that a benchmark of hash tables makes. The replay
// computes which keys must be in the table afterwards, and the range of the number of successful
// lookups. A set of the standard library computes the expected values.

#include "bench/hash_replay.hpp"

#include <gtest/gtest.h>
#include <set>

namespace atl::app {
namespace {

namespace hash = bench::hash;

/// Returns how many lookups succeed if the workers run one after another. The replay must allow the
/// result of workers that run one after another, because a parallel run can have this order.
std::uint64_t found_one_after_the_other(const hash::load& all, std::set<std::uint64_t>& keys) {
  std::uint64_t found = 0;
  for (std::uint64_t worker = 0; worker < all.workers; ++worker) {
    const hash::steps of_worker(all, worker);
    for (std::uint64_t i = 0; i < all.share_of(worker); ++i) {
      const auto [inserts, key] = of_worker[i];
      if (inserts)
        keys.insert(key);
      else
        found += keys.contains(key) ? 1 : 0;
    }
  }
  return found;
}

TEST(hash_replay, knows_the_keys_and_bounds_what_is_found) {
  for (const std::uint64_t key_range : {1, 63, 64, 1000}) {
    for (const double mix : {0.0, 0.5, 1.0}) {
      const hash::load all = {2001, key_range, mix, 7, 3};
      std::set<std::uint64_t> keys;
      const std::uint64_t found = found_one_after_the_other(all, keys);
      const auto replay = hash::replay_of(all);
      EXPECT_EQ(replay.keys, keys.size());
      for (std::uint64_t key = 0; key < key_range; ++key)
        EXPECT_EQ(hash::has_bit(replay.inserted, key), keys.contains(key));
      EXPECT_LE(replay.least_found, found);
      EXPECT_GE(replay.most_found, found);
      EXPECT_LE(replay.most_found, replay.lookups);
    }
  }
}

TEST(hash_replay, leaves_one_worker_no_choice_in_the_end) {
  const hash::load alone = {5000, 40, 0.5, 1, 11};
  std::set<std::uint64_t> keys;
  const auto replay = hash::replay_of(alone);
  EXPECT_EQ(replay.least_found, found_one_after_the_other(alone, keys));
}

TEST(hash_replay, all_operations_have_a_worker) {
  const hash::load all = {1003, 10, 1, 100, 0};
  std::uint64_t sum = 0;
  for (std::uint64_t worker = 0; worker < all.workers; ++worker) sum += all.share_of(worker);
  EXPECT_EQ(sum, all.operations);
}

}  // namespace
}  // namespace atl::app
