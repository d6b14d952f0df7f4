// Sorted keys are those of the input in order, on any number of PEs, however they repeat, and no PE
// gets much more than its share.

#include "atoll/kernels/sort/input.hpp"
#include "atoll/kernels/sort/run.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <functional>
#include <gmock/gmock.h>

namespace {

using namespace atl;
namespace sorting = kernels::sort;
using sorting::exchange;

/// The second puts each piece for itself, also between nodes.
struct way {
  exchange how = exchange::collective;
  std::uint64_t fewest_put = 1024;
};

constexpr way k_ways[] = {{}, {exchange::collective, 0}, {exchange::delegates}};

/// Key i of so many.
using key_rule = std::function<std::uint64_t(std::uint64_t i)>;

struct input {
  const char* name;
  std::uint64_t keys;
  unsigned bits;
  key_rule key;
};

std::uint64_t random_bits(std::uint64_t i, unsigned bits) {
  return random_at(random_key(7), i) >> (64 - bits);
}

constexpr std::uint64_t k_some = 5000;

/// Made before PEs are, so that all see them.
const input k_inputs[] = {
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
    // Pieces of more keys than are made narrow, or whole, at once.
    {"long pieces", 40'000, 24, [](std::uint64_t i) { return 0x700000 + random_bits(i, 13); }},
    {"falling", k_some, 13, [](std::uint64_t i) { return k_some - i; }}};

const input k_wide_inputs[] = {
    {"wide", 6000, 64, [](std::uint64_t i) { return random_bits(i, 64); }},
    {"heavy", 6000, 64, [](std::uint64_t i) { return i % 4 == 0 ? random_bits(i, 64) : ~1ul; }}};

/// Sorts an input, and compares it with the standard library. One task calls it.
template <class Key>
task<> compare(const input& of, way chosen) {
  const auto all = co_await sorting::keys_of_all<Key>::make(of.keys);
  const auto on_each = [all, chosen, given = &of]() -> task<> {
    auto& mine = all.parts.local();
    mine.shape = sorting::shape_for(given->bits, pes());
    mine.fewest_put = chosen.fewest_put;
    for (std::uint64_t i = 0; i < given->keys; ++i)  // dealt, so that order is not by chance kept
      if (i % static_cast<std::uint64_t>(pes()) == static_cast<std::uint64_t>(my_pe()))
        mine.keys.push_back(static_cast<Key>(given->key(i)));
    const auto outcome = co_await sorting::all_run(all, chosen.how);
    EXPECT_EQ(outcome.keys, given->keys) << given->name;
    const std::uint64_t mean = given->keys / static_cast<std::uint64_t>(pes());
    EXPECT_LE(outcome.most_of_pe, mean + mean / 10 + 1) << given->name;
    std::vector<Key> found, expected;
    const std::span<const Key> sorted(mine.sorted.data(), mine.size());
    for (const auto& of_pe : co_await all_gather(sorted))
      found.insert(found.end(), of_pe.begin(), of_pe.end());
    for (std::uint64_t i = 0; i < given->keys; ++i)
      expected.push_back(static_cast<Key>(given->key(i)));
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected) << given->name;
  };
  co_await on_all_pes(on_each);
  co_await all.destroy();
}

class key_sort : public test::on_pes {};

TEST_P(key_sort, orders_keys_of_32_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_inputs)
      for (const way chosen : k_ways) co_await compare<std::uint32_t>(each, chosen);
  });
}

TEST_P(key_sort, orders_keys_of_64_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_wide_inputs)
      for (const way chosen : k_ways) co_await compare<std::uint64_t>(each, chosen);
  });
}

TEST_P(key_sort, is_right_without_aggregation_where_room_is_scarce) {
  options.aggregation = false;
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run([]() -> task<> { co_await compare<std::uint32_t>(k_inputs[4], way{exchange::delegates}); });
}

/// Runs a class; `spoil` is called on each PE before its keys are checked.
template <class Spoil>
task<sorting::sort_check> run_class(char name, exchange how, std::uint64_t* passed, Spoil spoil) {
  const auto of = *sorting::nas_class_of(name);
  const auto all = co_await sorting::keys_of_all<std::uint32_t>::make(of.keys());
  sorting::sort_check found;
  const auto on_each = [=, to = &found]() -> task<> {
    auto& mine = all.parts.local();
    co_await sorting::take_nas_keys(mine, of);
    auto outcome = co_await sorting::all_run_nas(all, how, of);
    outcome = co_await sorting::all_run_nas(all, how, of);  // begins with the same keys
    spoil(mine);
    const std::span<const std::uint32_t> sorted(mine.sorted.data(), mine.size());
    const auto account = co_await sorting::account_of_nas_keys(of);
    const auto check = co_await sorting::all_check(sorted, account);
    if (my_pe() != 0) co_return;
    *to = check;
    *passed = outcome.tests_passed;
  };
  co_await on_all_pes(on_each);
  co_await all.destroy();
  co_return found;
}

TEST_P(key_sort, passes_both_verifications_of_nas) {
  run([]() -> task<> {
    for (const exchange how : {exchange::collective, exchange::delegates}) {
      std::uint64_t passed = 0;
      const auto check = co_await run_class('S', how, &passed, [](auto&) {});
      EXPECT_EQ(passed, 50u);
      EXPECT_EQ(check.complaint(), "");
      EXPECT_EQ(check.output.keys, 65536u);
    }
  });
}

TEST_P(key_sort, finds_another_key_and_two_that_changed_places) {
  run([]() -> task<> {
    std::uint64_t passed = 0;
    const auto other = [](auto& mine) {
      mine.sorted[mine.size() - 1] += my_pe() == pes() - 1 ? 1 : 0;
    };
    const auto check = co_await run_class('S', exchange::collective, &passed, other);
    EXPECT_EQ(check.complaint(), "other keys than those of the input");
    const auto swapped = [](auto& mine) {
      if (my_pe() == pes() - 1) std::swap(mine.sorted[0], mine.sorted[mine.size() - 1]);
    };
    const auto disorder = co_await run_class('S', exchange::collective, &passed, swapped);
    EXPECT_GE(disorder.misplaced, 1u);
    EXPECT_TRUE(disorder.input == disorder.output);
  });
}

TEST(sort_nas, tests_of_classes_are_within_them) {
  for (const auto& each : sorting::k_nas_classes)
    for (const auto& test : each.tests) {
      EXPECT_LT(test.index, each.keys());
      EXPECT_LT(test.rank_in(1), static_cast<std::int64_t>(each.keys()));
      EXPECT_GE(test.rank_in(1), 0);
    }
}

TEST(sort_nas, both_forms_of_the_generator_agree) {
  sorting::nas_keys from(*sorting::nas_class_of('B'), 123456);
  sorting::nas_reals reals;
  reals.skip(4 * 123456);
  for (int i = 0; i < 1000; ++i) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += reals.next();
    EXPECT_EQ(from.next(), static_cast<std::uint64_t>(sum * 524288));
  }
}

ATOLL_RUN_ON_ALL(key_sort);

// A PE with so many keys of one bucket would take 16 GiB.
TEST(sort_counts, are_refused_where_they_do_not_fit_as_they_travel) {
  test::run_alone([]() -> task<> {
    constexpr std::uint64_t most = 0xffff'ffff;
    const std::vector<std::uint64_t> fit = {0, most, 7}, beyond = {1, most + 1};
    EXPECT_EQ(kernels::sort::narrow_counts(fit), (std::vector<std::uint32_t>{0, most, 7}));
    EXPECT_THAT(test::refusal_of([&] { kernels::sort::narrow_counts(beyond); }),
                testing::HasSubstr("PE 0 has 4294967296 keys of one bucket"));
    co_return;
  });
}

}  // namespace
