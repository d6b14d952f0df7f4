#pragma once
// A bucket sort in shared memory, like the OpenMP version of NAS IS. Threads count their keys by
// bucket and move the keys to their buckets. The keys are then ranked by counting the values in
// each bucket.

#include "atoll/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "support/huge_array.hpp"

namespace bench::sort {

using key = std::uint32_t;

/// Sorts and ranks the keys of a NAS class with OpenMP.
class bucket_sort {
 public:
  /// Makes the keys; each thread makes its own part.
  explicit bucket_sort(const atl::nas_class& of);

  /// Performs iteration `iteration` (from 1) of the benchmark: changes two keys and ranks all keys.
  /// Returns the number of tested keys that have the published rank.
  std::uint64_t rank(std::uint64_t iteration);

  /// Ranks all keys and writes them in order.
  void sort();

  /// Restores the keys that the iterations have changed.
  void restore();

  std::span<const key> keys() const { return {keys_.data(), keys_.size()}; }
  std::span<const key> sorted() const { return {sorted_.data(), sorted_.size()}; }

 private:
  void order(bool whole_keys);
  void count(std::size_t thread, std::size_t threads);
  void move(std::size_t thread, std::size_t threads) const;
  void find_begins(std::size_t threads);
  void rank_bucket(std::size_t bucket) const;
  void write_bucket(std::size_t bucket) const;
  std::span<const key> keys_of(std::size_t thread, std::size_t threads) const;
  std::size_t buckets() const { return std::size_t{1} << (of_.bits - shift_); }

  const atl::nas_class of_;
  const unsigned shift_;
  huge_array<key> keys_;
  huge_array<key> moved_;  // keys, sorted by bucket
  huge_array<key> sorted_;
  huge_array<std::uint32_t> ranks_;  // rank of each value
  // For each thread and bucket, at first the number of keys, and later the target offset of the
  // first key.
  std::vector<std::uint64_t> counts_;
  // Index of the first key of each bucket, followed by the number of all keys.
  std::vector<std::uint64_t> begins_;
};

}  // namespace bench::sort
