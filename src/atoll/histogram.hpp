#pragma once
// A histogram of values of 64 bits, which always needs 8 KiB. The range between two powers of two
// is cut into 16 equal parts, so a quantile is wrong by at most about 6 percent.

#include "atoll/base/bits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace atl {

/// A histogram of values of 64 bits. The object is trivially copyable. Threads must not share a
/// histogram without a lock.
class log_histogram {
 public:
  /// Adds `value` as if it had occurred `times` times.
  void add(std::uint64_t value, std::uint64_t times = 1) {
    counts_[bucket_of(value)] += times;
    count_ += times;
    sum_ += double(value) * double(times);
    smallest_ = std::min(smallest_, value);
    largest_ = std::max(largest_, value);
  }

  /// Adds all values of `other` to this histogram.
  void merge(const log_histogram& other);

  /// Returns a histogram of the values that were added after `earlier`, which must be an older copy
  /// of this histogram. The smallest and the largest value of the result are those of this
  /// histogram, including the earlier values.
  log_histogram since(const log_histogram& earlier) const;

  /// A part of a histogram, small enough to fit into one message.
  struct portion {
    struct entry {
      std::uint64_t bucket;
      std::uint64_t count;
    };
    std::array<entry, 48> entries;
    std::size_t size;
    std::size_t next;  ///< argument of `portion_from` for the next portion
    bool is_last;
    double sum;  ///< sum of all values of the histogram, in the first portion; 0 in the others
    std::uint64_t smallest;
    std::uint64_t largest;
  };

  /// Returns the portion that begins at bucket `next`, which is 0 for the first portion. The
  /// receiver of a portion adds it to another histogram by `merge`.
  portion portion_from(std::size_t next) const;
  /// Adds one portion of another histogram. This histogram is valid only after all portions of the
  /// other histogram have been added.
  void merge(const portion& part);

  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / double(count_); }

  /// `smallest` and `largest` return the exact smallest and largest value, or 0 if the histogram is
  /// empty.
  std::uint64_t smallest() const { return count_ == 0 ? 0 : smallest_; }
  std::uint64_t largest() const { return largest_; }

  /// Returns a value such that `fraction` (0 to 1) of all values are at most as large. The exact
  /// quantile is rounded up to the end of its bucket, but not above `largest()`. The result is 0 if
  /// the histogram is empty.
  std::uint64_t quantile(double fraction) const;

 private:
  static constexpr unsigned part_bits = 4;
  static constexpr std::size_t parts = std::size_t{1} << part_bits;
  static constexpr std::size_t buckets = (64 - part_bits + 1) * parts;

  // Each value below 16 has a bucket of its own. Larger values share 16 buckets per power of two.
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
