#pragma once
// A bucket sort in shared memory, as the OpenMP form of NAS IS: threads count their keys by bucket,
// move them there, and count each bucket by value, which ranks its keys.

#include "atoll/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "support/huge_array.hpp"

namespace bench::sort {

using key = std::uint32_t;

/// The keys of a class and what is made of them, on the threads of OpenMP.
class bucket_sort {
 public:
  /// Makes the keys, each thread its own.
  explicit bucket_sort(const atl::nas_class& of);

  /// An iteration of the benchmark, from 1 on: two keys change, and all are ranked. How many of the
  /// tested ones have the published rank.
  std::uint64_t rank(std::uint64_t iteration);

  /// Ranks all, and writes them in order.
  void sort();

  /// Takes the changes of the iterations back.
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
  huge_array<key> moved_;  // by bucket
  huge_array<key> sorted_;
  huge_array<std::uint32_t> ranks_;    // by value
  std::vector<std::uint64_t> counts_;  // by thread and bucket; then where those keys go
  std::vector<std::uint64_t> begins_;  // by bucket, and the end
};

}  // namespace bench::sort
