// Compares parallel loops that reduce into one value or into many values with a sequential loop.

#include "atoll/reduction.hpp"
#include "support/run_on.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace atl;

namespace {

class reductions : public test::on_pes {};

constexpr std::uint64_t k_sizes[] = {0, 1, 2, 7, 255, 256, 257, 10'007};

/// Returns a number that depends on `i` only and looks random.
std::uint64_t scattered(std::uint64_t i) { return i * 0x9e3779b97f4a7c15u >> 20; }

TEST_P(reductions, add_what_all_iterations_contribute) {
  run([]() -> task<> {
    for (const auto size : k_sizes) {
      const auto total =
          co_await parallel_for(size, sum<std::uint64_t>{}, [](auto i, auto& mine) { mine += i; });
      EXPECT_EQ(total, size == 0 ? 0 : size * (size - 1) / 2);
    }
  });
}

TEST_P(reductions, of_coroutines_fold_between_their_waits) {
  run([]() -> task<> {
    const std::uint64_t size = 1009;
    const auto values = co_await make_array<std::uint64_t>(size, 3);
    co_await for_each(values, [](std::uint64_t i, std::uint64_t& value) { value = i; });
    const auto body = [values](std::uint64_t i, std::uint64_t& mine) -> task<> {
      mine += co_await read(values[i]);
    };
    const auto total = co_await parallel_for(size, sum<std::uint64_t>{}, body);
    EXPECT_EQ(total, size * (size - 1) / 2);
  });
}

TEST_P(reductions, find_the_smallest_and_the_largest) {
  run([]() -> task<> {
    for (const auto size : k_sizes) {
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
      std::int64_t most = std::numeric_limits<std::int64_t>::lowest();
      for (std::uint64_t i = 0; i < size; ++i) {
        least = std::min(least, scattered(i + 1));
        most = std::max(most, -static_cast<std::int64_t>(scattered(i + 1)));
      }
      const min<std::uint64_t> smallest;
      const max<std::int64_t> largest;
      const auto found_least =
          co_await parallel_for(size, smallest, [smallest](auto i, auto& mine) {
            smallest.fold(mine, scattered(i + 1));
          });
      const auto found_most = co_await parallel_for(size, largest, [largest](auto i, auto& mine) {
        largest.fold(mine, -static_cast<std::int64_t>(scattered(i + 1)));
      });
      EXPECT_EQ(found_least, least);
      EXPECT_EQ(found_most, most);
    }
  });
}

/// A user-defined operation that keeps the largest value and its index. If several values are
/// equal, the operation keeps the first of them.
struct largest_at {
  struct place {
    double height = -std::numeric_limits<double>::infinity();
    std::uint64_t index = 0;
  };
  using value = place;
  using partial = place;

  place identity() const { return {}; }
  void apply(place& best, const place& other) const {
    if (other.height > best.height || (other.height == best.height && other.index < best.index))
      best = other;
  }
  void fold(place& best, const place& other) const { apply(best, other); }
};

TEST_P(reductions, may_be_of_a_program) {
  run([]() -> task<> {
    const largest_at highest;
    const auto body = [highest](std::uint64_t i, largest_at::place& mine) {
      highest.fold(mine, {static_cast<double>(scattered(i) % 100), i});
    };
    const auto best = co_await parallel_for(10'007, highest, body);
    largest_at::place expected;
    for (std::uint64_t i = 0; i < 10'007; ++i)
      highest.fold(expected, {static_cast<double>(scattered(i) % 100), i});
    EXPECT_EQ(best.index, expected.index);
    EXPECT_EQ(best.height, expected.height);
  });
}

TEST_P(reductions, fold_the_results_of_pes_in_their_order) {
  run([]() -> task<> {
    const auto tiny = [](std::uint64_t i, double& mine) { mine += i == 0 ? 1 : 0x1p-53; };
    const double once = co_await parallel_for(1 << 12, sum<double>{}, tiny);
    const double again = co_await parallel_for(1 << 12, sum<double>{}, tiny);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(once), std::bit_cast<std::uint64_t>(again));
  });
}

TEST_P(reductions, throw_what_an_iteration_throws) {
  run([]() -> task<> {
    std::string text;
    const auto body = [](std::uint64_t i, std::uint64_t& mine) {
      if (i == 70) throw std::runtime_error("the seventieth");
      ++mine;
    };
    try {
      co_await parallel_for(100, sum<std::uint64_t>{}, body);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_NE(text.find("the seventieth"), std::string::npos) << text;
  });
}

class array_reductions : public test::on_pes {};

TEST_P(array_reductions, count_what_falls_into_each_bucket) {
  run([]() -> task<> {
    for (const std::uint64_t buckets : {1, 2, 5, 1000, 40'000}) {
      const auto counts =
          co_await parallel_for(20'011, histogram(buckets),
                                [buckets](auto i, auto mine) { ++mine[scattered(i) % buckets]; });
      std::vector<std::uint64_t> expected(buckets);
      for (std::uint64_t i = 0; i < 20'011; ++i) ++expected[scattered(i) % buckets];
      EXPECT_EQ(counts, expected) << buckets;
    }
  });
}

TEST_P(array_reductions, of_nothing_are_identities) {
  run([]() -> task<> {
    const array_of<min<int>> smallest{{}, 9};
    const auto none = co_await parallel_for(0, smallest, [](auto, auto) {});
    EXPECT_EQ(none, std::vector<int>(9, std::numeric_limits<int>::max()));
    const auto empty = co_await parallel_for(10, histogram(0), [](auto, auto) {});
    EXPECT_TRUE(empty.empty());
  });
}

TEST_P(array_reductions, take_elements_of_any_size) {
  run([]() -> task<> {
    const array_of<largest_at> highest{{}, 37};
    const auto body = [](std::uint64_t i, auto mine) {
      largest_at{}.fold(mine[i % 37], {static_cast<double>(scattered(i) % 1000), i});
    };
    const auto best = co_await parallel_for(3001, highest, body);
    std::vector<largest_at::place> expected(37);
    for (std::uint64_t i = 0; i < 3001; ++i)
      largest_at{}.fold(expected[i % 37], {static_cast<double>(scattered(i) % 1000), i});
    for (std::size_t k = 0; k < 37; ++k) EXPECT_EQ(best[k].index, expected[k].index) << k;
  });
}

TEST_P(array_reductions, give_their_memory_back_also_when_they_fail) {
  run([]() -> task<> {
    const auto one_failing = []() -> task<std::string> {
      const auto body = [](std::uint64_t i, auto mine) {
        if (i == 70) throw std::runtime_error("the seventieth");
        ++mine[i];
      };
      std::string text;
      try {
        co_await parallel_for(100, histogram(1000), body);
      } catch (const std::exception& failure) {
        text = failure.what();
      }
      co_return text;
    };
    co_await one_failing();
    const auto held = this_pe().account->held();
    for (int i = 0; i < 5; ++i)
      EXPECT_NE((co_await one_failing()).find("the seventieth"), std::string::npos);
    EXPECT_EQ(this_pe().account->held(), held);
  });
}

TEST_P(array_reductions, are_refused_where_there_is_no_memory) {
  run([]() -> task<> {
    auto code = errc::input;
    try {
      co_await parallel_for(1, histogram(std::uint64_t{1} << 44), [](auto, auto) {});
    } catch (const error& failure) {
      code = failure.code();
    }
    EXPECT_EQ(code, errc::out_of_memory);
  });
}

TEST(reduction, by_atomics_loses_nothing) {
  std::uint64_t total = 0;
  double lowest = 1e300;
  for (int i = 0; i < 100; ++i) {
    apply_atomically(sum<std::uint64_t>{}, total, std::uint64_t(i));
    apply_atomically(min<double>{}, lowest, 100.0 - i);
  }
  EXPECT_EQ(total, 4950u);
  EXPECT_EQ(lowest, 1.0);
}

ATOLL_RUN_ON_ALL(reductions);
ATOLL_RUN_ON_ALL(array_reductions);

}  // namespace
