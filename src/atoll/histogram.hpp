#pragma once
// A histogram of values of any size in little memory. Each power of two is cut into 16 equal parts,
// so quantiles are exact within about 6 percent, for all values of 64 bits.

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace atl {

/// A histogram of values of 64 bits. Trivially copyable, and not safe to share between threads.
class log_histogram {
 public:
  /// Adds a value, `times` times.
  void add(std::uint64_t value, std::uint64_t times = 1) {
    counts_[bucket_of(value)] += times;
    count_ += times;
    sum_ += double(value) * double(times);
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
  }

  /// Adds all values of another histogram.
  void merge(const log_histogram& other);

  /// Returns the values that were added since `earlier`, a copy of this histogram, was made. The
  /// smallest and the largest value are still those of all values.
  log_histogram since(const log_histogram& earlier) const;

  /// A part of a histogram, small enough to fit into one message.
  struct portion {
    struct entry {
      std::uint64_t bucket;
      std::uint64_t count;
    };
    std::array<entry, 48> entries;
    std::size_t size;
    std::size_t next;  ///< the argument for the next portion
    bool is_last;
    double sum;  ///< of all values; like the next two, set in the first portion only
    std::uint64_t smallest;
    std::uint64_t largest;
  };

  /// Returns the portion that begins at `next`, which is 0 for the first one. `merge` adds a
  /// portion to another histogram.
  portion portion_from(std::size_t next) const;
  /// Adds a portion of another histogram, of which all portions must be added.
  void merge(const portion& part);

  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / double(count_); }

  /// Returns the exact smallest and largest value; 0 if the histogram is empty.
  std::uint64_t smallest() const { return count_ == 0 ? 0 : smallest_; }
  std::uint64_t largest() const { return largest_; }

  /// Returns the value at or below which this fraction (0 to 1) of the values lies, rounded up to
  /// the end of its bucket. The result is at most `largest()`, and 0 if the histogram is empty.
  std::uint64_t quantile(double fraction) const;

 private:
  static constexpr unsigned part_bits = 4;
  static constexpr std::size_t parts = std::size_t{1} << part_bits;
  static constexpr std::size_t buckets = (64 - part_bits + 1) * parts;

  // Values below 16 have one bucket each; above that there are 16 buckets per power of two.
  static constexpr std::size_t bucket_of(std::uint64_t value) {
    if (value < parts) return std::size_t(value);
    const unsigned shift = floor_log2(value) - part_bits;
    return (std::size_t(shift) << part_bits) + std::size_t(value >> shift);
  }

  static std::uint64_t last_value_of(std::size_t bucket);

  std::array<std::uint64_t, buckets> counts_{};
  std::uint64_t count_ = 0;
  double sum_ = 0;
  std::uint64_t smallest_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t largest_ = 0;
};

}  // namespace atl
