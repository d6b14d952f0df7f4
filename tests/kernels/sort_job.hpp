#pragma once
// Inputs of many kinds of keys, and functions that sort them and compare the result with the
// standard library.

#include "atoll/kernels/sort/run.hpp"
#include "support/run_on.hpp"

#include <functional>

namespace sort_job {

using namespace atl;
namespace sorting = kernels::sort;

/// A function that returns key i of an input.
using key_rule = std::function<std::uint64_t(std::uint64_t i)>;

struct input {
  const char* name;
  std::uint64_t keys;
  unsigned bits;
  key_rule key;
};

inline std::uint64_t random_bits(std::uint64_t i, unsigned bits) {
  return random_at(random_key(7), i) >> (64 - bits);
}

inline constexpr std::uint64_t k_some = 5000;

/// The inputs are made before the PEs start, so that all PEs share the inputs.
inline const input k_inputs[] = {
    {"none", 0, 20, [](std::uint64_t) { return 0; }},
    {"one", 1, 1, [](std::uint64_t) { return 1; }},
    {"few", 5, 17, [](std::uint64_t i) { return random_bits(i, 17); }},
    {"bits", k_some, 1, [](std::uint64_t i) { return random_bits(i, 1); }},
    {"dense", k_some, 11, [](std::uint64_t i) { return random_bits(i, 11); }},
    {"sparse", k_some, 32, [](std::uint64_t i) { return random_bits(i, 32); }},
    {"all the same", k_some, 32, [](std::uint64_t) { return 0xfffffffe; }},
    {"two", k_some, 24, [](std::uint64_t i) { return i % 3 == 0 ? 77u : 0xfffffe; }},
    {"mostly one", k_some, 24, [](std::uint64_t i) { return i % 9 == 0 ? i * 1000 : 654321; }},
    {"one bucket", k_some, 30, [](std::uint64_t i) { return 0x3ff00000 + i * 31 % 4096; }},
    {"hardly narrow", k_some, 27, [](std::uint64_t i) { return random_bits(i, 27); }},
    {"hardly wide", k_some, 28, [](std::uint64_t i) { return random_bits(i, 28); }},
    // In this input, a PE's part of a bucket has more keys than are converted to 16 bits at once.
    {"long pieces", 40'000, 24, [](std::uint64_t i) { return 0x700000 + random_bits(i, 13); }},
    {"falling", k_some, 13, [](std::uint64_t i) { return k_some - i; }}};

inline const input k_wide_inputs[] = {
    {"wide", 6000, 64, [](std::uint64_t i) { return random_bits(i, 64); }},
    {"heavy", 6000, 64, [](std::uint64_t i) { return i % 4 == 0 ? random_bits(i, 64) : ~1ul; }}};

/// Sorts an input by the coroutine `all_sort(all)`, which every PE calls, and compares the result
/// with the standard library. A piece is one PE's part of a bucket. Between nodes, each piece is
/// sent by a put of its own if pieces have at least `fewest_put` keys on average. One task calls
/// this function.
template <class Key, class Sort>
task<> compare(const input& of, Sort all_sort, std::uint64_t fewest_put = 1024) {
  const auto all = co_await sorting::keys_of_all<Key>::make(of.keys, of.bits);
  const auto on_each = [all, all_sort, fewest_put, given = &of]() -> task<> {
    auto& mine = all.parts.local();
    mine.fewest_put = fewest_put;
    // Each PE gets every k-th key, so that the list of all PEs' keys is in another order.
    for (std::uint64_t i = 0; i < given->keys; ++i)
      if (i % static_cast<std::uint64_t>(pes()) == static_cast<std::uint64_t>(my_pe()))
        mine.keys.push_back(static_cast<Key>(given->key(i)));
    co_await all_sort(all);
    EXPECT_EQ(mine.parts.keys(), given->keys) << given->name;
    const std::uint64_t mean = given->keys / static_cast<std::uint64_t>(pes());
    EXPECT_LE(mine.size(), mean + mean / 10 + 1) << given->name;
    std::vector<Key> found, expected;
    for (const auto& of_pe : co_await all_gather(mine.in_order()))
      found.insert(found.end(), of_pe.begin(), of_pe.end());
    for (std::uint64_t i = 0; i < given->keys; ++i)
      expected.push_back(static_cast<Key>(given->key(i)));
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected) << given->name;
  };
  co_await on_all_pes(on_each);
  co_await all.destroy();
}

}  // namespace sort_job
