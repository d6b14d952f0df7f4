#pragma once
// Things by their size, large ones first: what is used most often stands together then.

#include "atoll/graph/build.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::kernels::pagerank {

/// The numbers below `count`, in order. Blocks the task.
template <class Id>
task<huge_vector<Id>> numbers_below(std::uint64_t count) {
  huge_vector<Id> numbers;
  co_await graph::grow(numbers, count);
  const auto set = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) numbers[i] = static_cast<Id>(i);
  };
  co_await graph::in_stretches(0, count, set);
  co_return numbers;
}

/// Orders by `size_of(number)`, large ones first; equal ones, and those beyond a size that few
/// have, stay in the order in which they were. Blocks the task.
template <class Id, class SizeOf>
task<> order_by_size(huge_vector<Id>& numbers, SizeOf size_of) {
  constexpr std::uint64_t largest_told_apart = 4096;
  std::vector<std::uint64_t> places(largest_told_apart + 2);
  const auto class_of = [&](Id number) {
    return largest_told_apart - std::min<std::uint64_t>(size_of(number), largest_told_apart);
  };
  const auto count = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) ++places[class_of(numbers[i]) + 1];
  };
  co_await graph::in_stretches(0, numbers.size(), count);
  for (std::uint64_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  huge_vector<Id> ordered;
  co_await graph::grow(ordered, numbers.size());
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto i = begin; i < end; ++i) ordered[places[class_of(numbers[i])]++] = numbers[i];
  };
  co_await graph::in_stretches(0, numbers.size(), place);
  numbers.swap(ordered);
}

}  // namespace atl::kernels::pagerank
