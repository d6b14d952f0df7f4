#include "bucket_sort.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace bench::sort {
namespace {

using atl::nas_keys;

/// Largest number of bits of the values in a bucket. With 13 bits, two arrays stay in the cache:
/// the end positions of all buckets, and the counts of the values in one bucket.
constexpr unsigned most_value_bits = 13;
constexpr std::ptrdiff_t keys_of_line = 64 / sizeof(key);
constexpr unsigned fewest_bucket_bits = 9;

unsigned shift_for(unsigned bits) {
  return std::min(most_value_bits, bits > fewest_bucket_bits ? bits - fewest_bucket_bits : 0);
}

std::size_t threads_of_team() { return static_cast<std::size_t>(omp_get_num_threads()); }
std::size_t this_thread() { return static_cast<std::size_t>(omp_get_thread_num()); }

}  // namespace

bucket_sort::bucket_sort(const atl::nas_class& of)
    : of_(of),
      shift_(shift_for(of.bits)),
      keys_(of.keys()),
      moved_(of.keys()),
      sorted_(of.keys()),
      ranks_(of.range()),
      counts_(static_cast<std::size_t>(omp_get_max_threads()) * buckets()),
      begins_(buckets() + 1) {
#pragma omp parallel
  {
    const auto mine = keys_of(this_thread(), threads_of_team());
    const auto first = static_cast<std::size_t>(mine.data() - keys_.data());
    nas_keys from(of_, first);
    for (std::size_t i = first; i < first + mine.size(); ++i) {
      keys_[i] = static_cast<key>(from.next());
      moved_[i] = sorted_[i] = 0;  // touches each page before the measurement
    }
  }
  ranks_.touch();
}

std::span<const key> bucket_sort::keys_of(std::size_t thread, std::size_t threads) const {
  const std::size_t begin = keys_.size() * thread / threads;
  return {keys_.data() + begin, keys_.size() * (thread + 1) / threads - begin};
}

/// Counts keys by bucket. Each bucket has several counters, so that a key need not wait for the
/// increment of the previous key.
void bucket_sort::count(std::size_t thread, std::size_t threads) {
  constexpr std::size_t lanes = 4;
  std::vector<std::uint32_t> counts(lanes * buckets());
  const auto keys = keys_of(thread, threads);
  std::uint32_t* const lane[lanes] = {counts.data(), counts.data() + buckets(),
                                      counts.data() + 2 * buckets(), counts.data() + 3 * buckets()};
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) ++lane[l][keys[i + l] >> shift_];
  for (; i < keys.size(); ++i) ++lane[0][keys[i] >> shift_];
  for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
    std::uint64_t& all = counts_[thread * buckets() + bucket];
    all = 0;
    for (const std::uint32_t* each : lane) all += each[bucket];
  }
}

void bucket_sort::find_begins(std::size_t threads) {
  std::uint64_t at = 0;
  for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
    begins_[bucket] = at;
    for (std::size_t thread = 0; thread < threads; ++thread)
      at += std::exchange(counts_[thread * buckets() + bucket], at);
  }
  begins_[buckets()] = at;
}

void bucket_sort::move(std::size_t thread, std::size_t threads) const {
  std::vector<key*> next(buckets());
  for (std::size_t bucket = 0; bucket < buckets(); ++bucket)
    next[bucket] = moved_.data() + counts_[thread * buckets() + bucket];
  key** const to = next.data();
  for (const key each : keys_of(thread, threads)) {
    key*& place = to[each >> shift_];
    *place = each;
    __builtin_prefetch(place + keys_of_line, 1);
    ++place;
  }
}

void bucket_sort::rank_bucket(std::size_t bucket) const {
  const std::size_t values = std::size_t{1} << shift_;
  std::uint32_t* const ranks = ranks_.data() + bucket * values;
  std::fill(ranks, ranks + values, 0);
  const key* each = moved_.data() + begins_[bucket];
  const key* const end = moved_.data() + begins_[bucket + 1];
  for (; end - each >= keys_of_line; each += keys_of_line) {
    __builtin_prefetch(each + 32 * keys_of_line);
    for (int k = 0; k < keys_of_line; ++k) ++ranks[each[k] & (values - 1)];
  }
  for (; each != end; ++each) ++ranks[*each & (values - 1)];
  auto smaller = static_cast<std::uint32_t>(begins_[bucket]);
  for (std::size_t value = 0; value < values; ++value)
    smaller += std::exchange(ranks[value], smaller);
}

void bucket_sort::write_bucket(std::size_t bucket) const {
  const std::size_t first = bucket << shift_, values = std::size_t{1} << shift_;
  key* to = sorted_.data() + begins_[bucket];
  for (std::size_t value = first; value < first + values; ++value) {
    const std::uint64_t end = value + 1 < first + values ? ranks_[value + 1] : begins_[bucket + 1];
    for (key* const stop = sorted_.data() + end; to < stop;) *to++ = static_cast<key>(value);
  }
}

void bucket_sort::order(bool whole_keys) {
#pragma omp parallel
  {
    count(this_thread(), threads_of_team());
#pragma omp barrier
#pragma omp single
    find_begins(threads_of_team());
    move(this_thread(), threads_of_team());
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
      rank_bucket(bucket);
      if (whole_keys) write_bucket(bucket);
    }
  }
}

std::uint64_t bucket_sort::rank(std::uint64_t iteration) {
  for (const auto& [index, changed] : atl::nas_changes(of_, iteration))
    keys_[index] = static_cast<key>(changed);
  order(false);
  std::uint64_t right = 0;
  for (const auto& test : of_.tests)
    right += static_cast<std::int64_t>(ranks_[keys_[test.index]]) == test.rank_in(iteration);
  return right;
}

void bucket_sort::sort() { order(true); }

void bucket_sort::restore() {
  nas_keys from(of_, 0);
  for (std::uint64_t i = 0; i <= 2 * atl::nas_class::iterations; ++i)
    keys_[i] = static_cast<key>(from.next());
}

}  // namespace bench::sort
