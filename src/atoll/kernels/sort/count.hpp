#pragma once
// Counting keys: by bucket, and by piece where buckets are cut.

#include "atoll/kernels/sort/part.hpp"

namespace atl::kernels::sort {

/// Adds how many keys are in each bucket. Several counts of each, so that one key need not wait for
/// the count of the one before.
template <class Key>
[[gnu::noinline]] void count_buckets(std::span<const Key> keys, unsigned shift,
                                     std::span<std::uint64_t> into) {
  constexpr std::size_t lanes = 4;
  const std::size_t buckets = into.size();
  std::vector<std::uint32_t> counts(lanes * buckets);
  std::uint32_t* const lane[lanes] = {counts.data(), counts.data() + buckets,
                                      counts.data() + 2 * buckets, counts.data() + 3 * buckets};
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) ++lane[l][keys[i + l] >> shift];
  for (; i < keys.size(); ++i) ++lane[0][keys[i] >> shift];
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    for (const std::uint32_t* each : lane) into[bucket] += each[bucket];
}

/// Divides the keys of all PEs by their buckets, and counts those of this PE by piece. `told`: a
/// few numbers, whose sums over all PEs replace them. Every PE calls it.
template <class Key>
task<> all_divide(key_part<Key>& mine, std::span<std::uint64_t> told = {}) {
  const std::span<const Key> keys(mine.keys);
  mine.counts.assign(mine.shape.buckets(), 0);
  const auto count = [&](std::span<const Key> some) {
    count_buckets(some, mine.shape.shift(), std::span(mine.counts));
  };
  co_await in_stretches(keys, count);
  atl::charge(work::key_counted, keys.size());
  auto of_all = mine.counts;
  of_all.insert(of_all.end(), told.begin(), told.end());
  of_all = co_await all_reduce(std::move(of_all), std::plus<>());
  const auto buckets = static_cast<std::ptrdiff_t>(mine.shape.buckets());
  std::copy(of_all.begin() + buckets, of_all.end(), told.begin());
  of_all.resize(mine.shape.buckets());
  mine.parts = division(of_all, pes());
  mine.cuts.reset();
  if (!mine.parts.has_cuts()) co_return;
  co_await all_find_cuts(mine.parts, keys, mine.shape.shift());
  mine.cuts.emplace(co_await all_deal_copies(mine.parts, keys, mine.shape));
  mine.counts.assign(mine.parts.pieces(), 0);
  mine.cuts->begin();
  const auto count_pieces = [&](std::span<const Key> some) {
    for (const Key each : some) ++mine.counts[(*mine.cuts)(each)];
  };
  co_await in_stretches(keys, count_pieces);
  atl::charge(work::key_counted, keys.size());
}

}  // namespace atl::kernels::sort
