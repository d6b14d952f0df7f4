// Sorted global arrays against the standard library, whatever their blocks.

#include "atoll/sort.hpp"

#include "support/run_on.hpp"

#include <functional>

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

/// Keys by a rule of the index; the number is the index.
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

/// One task calls it.
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
