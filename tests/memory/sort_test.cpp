// Compares sorted global arrays with the standard library, for several sizes of blocks.

#include "atoll/sort.hpp"

#include "support/run_on.hpp"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <limits>

using namespace atl;

namespace {

struct entry {
  std::uint32_t key = 0;
  std::uint32_t number = 0;

  friend bool operator==(const entry&, const entry&) = default;
};

struct by_key {
  bool operator()(const entry& a, const entry& b) const { return a.key < b.key; }
};

/// A rule computes the key of each element from the element's index.
struct rule {
  const char* name;
  std::uint32_t (*key)(std::uint64_t index);
};

constexpr rule k_rules[] = {
    {"random", [](std::uint64_t i) { return static_cast<std::uint32_t>(hash(i + 1)); }},
    {"few", [](std::uint64_t i) { return static_cast<std::uint32_t>(hash(i + 1) % 3); }},
    {"the same", [](std::uint64_t) { return 5u; }},
    {"rising", [](std::uint64_t i) { return static_cast<std::uint32_t>(i); }},
    {"falling", [](std::uint64_t i) { return static_cast<std::uint32_t>(100'000 - i); }},
    {"mostly one",
     [](std::uint64_t i) { return i % 50 == 0 ? static_cast<std::uint32_t>(i) : 7u; }}};

std::vector<entry> entries(std::uint64_t size, const rule& keys) {
  std::vector<entry> all;
  for (std::uint64_t i = 0; i < size; ++i)
    all.push_back({keys.key(i), static_cast<std::uint32_t>(i)});
  return all;
}

/// Sorts an array on all PEs and compares it with a sorted vector. One task calls this function.
task<> compare(std::uint64_t size, array_options shape, const rule& keys, bool stable) {
  auto expected = entries(size, keys);
  const auto array = co_await make_array<entry>(size, shape);
  co_await put(array, 0, std::span<const entry>(expected));
  co_await atl::sort(array, by_key{}, {.stable = stable});
  std::vector<entry> found(size);
  co_await get(array, 0, std::span(found));
  std::ranges::stable_sort(expected, by_key{});
  if (stable) {
    EXPECT_EQ(found, expected) << keys.name << ", " << size << ", " << shape.block_size;
  } else {
    EXPECT_TRUE(std::ranges::is_sorted(found, by_key{})) << keys.name << ", " << size;
    const auto whole = [](const entry& a, const entry& b) {
      return std::pair(a.key, a.number) < std::pair(b.key, b.number);
    };
    std::ranges::sort(found, whole);
    EXPECT_EQ(found, expected) << keys.name << ", " << size << ", " << shape.block_size;
  }
  co_await array.destroy();
}

class global_sort : public test::on_pes {};

TEST_P(global_sort, orders_arrays_of_all_shapes) {
  run([]() -> task<> {
    for (const rule& keys : k_rules)
      for (const std::uint64_t size : {0, 1, 5, 700})
        for (const std::uint64_t block : {0, 1, 16})
          for (const bool stable : {false, true}) co_await compare(size, {block}, keys, stable);
  });
}

TEST_P(global_sort, orders_more_than_is_sorted_at_once) {
  run([]() -> task<> {
    co_await compare(300'000, {}, k_rules[0], false);
    co_await compare(300'000, {}, k_rules[1], true);
    co_await compare(300'000, {std::uint64_t{1000}, placement::symmetric}, k_rules[1], true);
  });
}

TEST_P(global_sort, takes_the_order_of_the_element_by_itself) {
  run([]() -> task<> {
    const auto array = co_await make_array<double>(1001);
    std::vector<double> values;
    for (int i = 0; i < 1001; ++i) values.push_back(i * 37 % 1001 - 500.5);
    co_await put(array, 0, std::span<const double>(values));
    co_await atl::sort(array);
    co_await get(array, 0, std::span(values));
    EXPECT_TRUE(std::ranges::is_sorted(values));
    co_await atl::sort(array, std::greater<>());
    co_await get(array, 0, std::span(values));
    EXPECT_TRUE(std::ranges::is_sorted(values, std::greater<>()));
    EXPECT_EQ(values.front(), 499.5);
    EXPECT_EQ(values.back(), -500.5);
  });
}

TEST_P(global_sort, puts_what_is_no_number_last) {
  run([]() -> task<> {
    const double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> values;
    for (int i = 0; i < 500; ++i) values.push_back(i % 7 == 3 ? none : i * 37 % 500 - 250.0);
    const auto numbers = std::ranges::count_if(values, [](double x) { return !std::isnan(x); });
    const auto array = co_await make_array<double>(values.size());
    for (const bool stable : {false, true}) {
      co_await put(array, 0, std::span<const double>(values));
      co_await atl::sort(array, std::less<>(), {.stable = stable});
      std::vector<double> found(values.size());
      co_await get(array, 0, std::span(found));
      EXPECT_TRUE(std::is_sorted(found.begin(), found.begin() + numbers));
      EXPECT_TRUE(std::all_of(found.begin() + numbers, found.end(),
                              [](double x) { return std::isnan(x); }));
      co_await atl::sort(array, std::greater<>(), {.stable = stable});
      co_await get(array, 0, std::span(found));
      EXPECT_TRUE(std::is_sorted(found.begin(), found.begin() + numbers, std::greater<>()));
      EXPECT_TRUE(std::isnan(found.back()));
    }
  });
}

/// All PEs sort an array together by `compare`. The result must equal a sequential stable sort of
/// the same elements.
template <class T, class Make, class Compare>
task<> all_compare(std::uint64_t size, const Make& element, Compare compare) {
  global_array<T> array;
  if (my_pe() == 0) array = co_await make_array<T>(size, {std::uint64_t{7}});
  array = co_await all_broadcast(array);
  const auto mine = array.local();
  for (std::uint64_t k = 0; k < mine.size(); ++k) mine[k] = element(array.index_of_local(k));
  co_await all_sort(array, compare, {.stable = true});
  std::vector<T> expected, found(size);
  for (std::uint64_t i = 0; i < size; ++i) expected.push_back(element(i));
  std::ranges::stable_sort(expected, compare);
  co_await get(array, 0, std::span(found));
  EXPECT_EQ(found, expected);
}

TEST_P(global_sort, orders_keys_numbers_and_structures_for_programs_on_every_pe) {
  run_spmd([]() -> task<> {
    for (const std::uint64_t size : {0, 3, 1000}) {
      const auto key = [](std::uint64_t i) { return hash(i); };
      co_await all_compare<std::uint64_t>(size, key, std::less<>());
      const auto real = [](std::uint64_t i) { return static_cast<float>(hash(i) % 100) - 50.5f; };
      co_await all_compare<float>(size, real, std::less<>());
      const auto both = [](std::uint64_t i) {
        return entry{static_cast<std::uint32_t>(hash(i) % 9), static_cast<std::uint32_t>(i)};
      };
      co_await all_compare<entry>(size, both, by_key());
    }
  });
}

TEST_P(global_sort, refuses_an_array_that_was_destroyed) {
  run([]() -> task<> {
    const auto array = co_await make_array<std::uint64_t>(50);
    co_await array.destroy();
    std::string text;
    try {
      co_await atl::sort(array);
    } catch (const error& refused) {
      text = refused.what();
    }
    EXPECT_THAT(text, testing::HasSubstr("sort_test.cpp:" + std::to_string(__LINE__ - 4)));
  });
}

TEST_P(global_sort, what_the_order_throws_ends_the_job) {
  const auto refuse = []() -> task<> {
    const auto array = co_await make_array<int>(100);
    const auto order = [](int a, int b) {
      if (a == 0 && b == 0) fail(errc::input, "no order between them");
      return a < b;
    };
    co_await atl::sort(array, order);
  };
  EXPECT_EQ(test::status_of(options, refuse), 2);
}

ATOLL_RUN_ON_ALL(global_sort);

}  // namespace
