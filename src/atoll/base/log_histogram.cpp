#include "atoll/histogram.hpp"

#include <cmath>

namespace atl {

void log_histogram::merge(const log_histogram& other) {
  for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  smallest_ = std::min(smallest_, other.smallest_);
  largest_ = std::max(largest_, other.largest_);
}

log_histogram log_histogram::since(const log_histogram& earlier) const {
  log_histogram result = *this;
  for (std::size_t i = 0; i < buckets; ++i) result.counts_[i] -= earlier.counts_[i];
  result.count_ -= earlier.count_;
  result.sum_ -= earlier.sum_;
  return result;
}

log_histogram::portion log_histogram::portion_from(std::size_t next) const {
  portion part{};
  if (next == 0) {
    part.sum = sum_;
    part.smallest = smallest_;
    part.largest = largest_;
  } else {
    part.smallest = log_histogram().smallest_;
  }
  for (; next < buckets && part.size < part.entries.size(); ++next) {
    if (counts_[next] != 0) part.entries[part.size++] = {next, counts_[next]};
  }
  part.next = next;
  part.is_last = next == buckets;
  return part;
}

void log_histogram::merge(const portion& part) {
  for (std::size_t i = 0; i < part.size; ++i) {
    counts_[part.entries[i].bucket] += part.entries[i].count;
    count_ += part.entries[i].count;
  }
  sum_ += part.sum;
  smallest_ = std::min(smallest_, part.smallest);
  largest_ = std::max(largest_, part.largest);
}

std::uint64_t log_histogram::last_value_of(std::size_t bucket) {
  if (bucket < parts) return bucket;
  const auto shift = unsigned(bucket >> part_bits) - 1;
  const std::uint64_t first = (parts + (bucket & (parts - 1))) << shift;
  return first + ((std::uint64_t{1} << shift) - 1);
}

std::uint64_t log_histogram::quantile(double fraction) const {
  const double wanted = std::ceil(std::clamp(fraction, 0.0, 1.0) * double(count_));
  const std::uint64_t rank = std::clamp<std::uint64_t>(std::uint64_t(wanted), 1, count_ | 1);
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    seen += counts_[bucket];
    if (seen >= rank) return std::clamp(last_value_of(bucket), smallest_, largest_);
  }
  return largest_;
}

}  // namespace atl
