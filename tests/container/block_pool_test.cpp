#include "atoll/container/block_pool.hpp"

#include "atoll/random.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace atl::container {
namespace {

constexpr std::size_t k_unit = 192;

struct run {
  std::byte* begin;
  std::uint32_t units;
  std::byte mark;

  std::size_t bytes() const { return units * k_unit; }
  void write() const { std::memset(begin, static_cast<int>(mark), bytes()); }
  bool is_intact() const {
    return std::all_of(begin, begin + bytes(), [&](std::byte one) { return one == mark; });
  }
};

/// Allocates and frees runs of consecutive blocks at random. At most `most` runs are allocated at
/// the same time. The content of an allocated run must not change.
void churn(block_pool& pool, std::vector<run>& held, random_stream& random, std::size_t most) {
  for (int step = 0; step < 4000; ++step) {
    if (held.size() < most && random.below(2) == 0) {
      const auto units =
          static_cast<std::uint32_t>(1 + random.below(random.below(8) == 0 ? 70 : 16));
      held.push_back({pool.take(units), units, std::byte(step & 0xff)});
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.back().begin) % 64, 0u);
      held.back().write();
    } else if (!held.empty()) {
      std::swap(held[random.below(held.size())], held.back());
      EXPECT_TRUE(held.back().is_intact());
      pool.give_back(held.back().begin, held.back().units);
      held.pop_back();
    }
  }
}

TEST(block_pool, runs_do_not_overlap) {
  block_pool pool(k_unit);
  std::vector<run> held;
  random_stream random(5);
  churn(pool, held, random, 300);
  for (const auto& one : held) EXPECT_TRUE(one.is_intact());
}

TEST(block_pool, what_was_given_back_becomes_one_run_again) {
  block_pool pool(k_unit);
  std::vector<run> held;
  random_stream random(7);
  churn(pool, held, random, 300);
  for (const auto& one : held) pool.give_back(one.begin, one.units);
  const std::size_t bytes = pool.bytes();
  const std::size_t whole = bytes / (64 * k_unit);
  for (std::size_t i = 0; i < whole; ++i) pool.take(64);
  EXPECT_EQ(pool.bytes(), bytes);
  pool.take(1);
  EXPECT_GT(pool.bytes(), bytes);
}

}  // namespace
}  // namespace atl::container
