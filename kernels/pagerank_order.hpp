#pragma once
// Things by their size, large ones first: what is used most often stands together then.

#include "atoll/base/huge_vector.hpp"
#include "atoll/graph/stretches.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::kernels::pagerank {

/// The numbers below `count` by `size_of(number)`, large ones first; equal ones, and those beyond
/// a size that few have, in ascending order. Blocks the task.
template <class Id, class SizeOf>
task<huge_vector<Id>> by_descending_size(std::uint64_t count, SizeOf size_of) {
  constexpr std::uint64_t largest_told_apart = 4096;
  std::vector<std::uint64_t> places(largest_told_apart + 2);
  const auto rank_of = [&](std::uint64_t number) {
    return largest_told_apart - std::min<std::uint64_t>(size_of(number), largest_told_apart);
  };
  const auto count_sizes = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto number = begin; number < end; ++number) ++places[rank_of(number) + 1];
  };
  co_await graph::in_stretches(0, count, count_sizes);
  for (std::uint64_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  huge_vector<Id> ordered(count);
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto number = begin; number < end; ++number)
      ordered[places[rank_of(number)]++] = static_cast<Id>(number);
  };
  co_await graph::in_stretches(0, count, place);
  co_return ordered;
}

}  // namespace atl::kernels::pagerank
