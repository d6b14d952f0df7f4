// Compares puts and gets of many elements with a local model. The transferred ranges cross borders
// of blocks, of PEs and of network buffers.

#include "support/run_on.hpp"

#include <numeric>
#include <random>
#include <vector>

using namespace atl;

namespace {

class bulk : public test::on_pes {};

struct three_bytes {
  three_bytes() = default;
  explicit three_bytes(std::uint64_t i)
      : content{static_cast<unsigned char>(i), static_cast<unsigned char>(i >> 8),
                static_cast<unsigned char>(i >> 16)} {}

  friend bool operator==(const three_bytes&, const three_bytes&) = default;

  unsigned char content[3] = {};
};

/// Makes random puts and gets in one task. After every step, the array must equal the model.
template <class T>
task<> random_transfers(global_array<T> array, std::uint64_t seed, int steps) {
  std::mt19937_64 random(seed);
  std::vector<T> model(array.size());
  std::uint64_t next = 1;
  for (int step = 0; step < steps; ++step) {
    const std::uint64_t first = random() % (array.size() + 1);
    const std::uint64_t count = random() % (array.size() - first + 1);
    if (random() % 2 == 0) {
      for (std::uint64_t i = 0; i < count; ++i) model[first + i] = T(next++);
      co_await put(array, first, std::span(model).subspan(first, count));
    } else {
      std::vector<T> seen(count);
      co_await get(array, first, std::span(seen));
      const auto from = model.begin() + static_cast<std::ptrdiff_t>(first);
      EXPECT_TRUE(std::equal(seen.begin(), seen.end(), from)) << first << " + " << count;
    }
  }
}

template <class T>
task<> check_ranges(std::uint64_t size, int steps) {
  for (const std::uint64_t block : {0, 1, 3, 64}) {
    const auto array = co_await make_array<T>(size, block);
    co_await random_transfers(array, block + size, steps);
    co_await array.destroy();
  }
}

TEST_P(bulk, transfers_of_random_ranges_agree_with_a_model) {
  run([]() -> task<> {
    co_await check_ranges<std::uint64_t>(1, 6);
    co_await check_ranges<std::uint64_t>(997, 20);
    co_await check_ranges<three_bytes>(1009, 20);
  });
}

TEST_P(bulk, transfers_larger_than_a_network_buffer) {
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run([]() -> task<> {
    co_await check_ranges<std::uint64_t>(4001, 10);
    co_await check_ranges<three_bytes>(10'007, 10);
  });
}

/// The last piece of a transfer may have any length. Memory after the end of the transfer must not
/// change.
TEST_P(bulk, transfers_of_every_length_around_a_network_buffer) {
  options.buffer_size = 1 << 10;
  run([]() -> task<> {
    constexpr std::uint64_t k_words = 300;
    const auto array = co_await make_array<std::uint64_t>(k_words * static_cast<unsigned>(pes()));
    const auto first = array[array.size() - k_words];
    for (std::uint64_t length = 1; length < k_words; ++length) {
      const std::vector<std::uint64_t> sent(length, length);
      co_await put(first, sent);
      std::vector<std::uint64_t> there(length + 1);
      co_await get(first, there);
      EXPECT_EQ(there.back(), 0u) << length;
      there.pop_back();
      EXPECT_EQ(there, sent);
    }
    co_await array.destroy();
  });
}

TEST_P(bulk, transfers_without_aggregation) {
  options.aggregation = false;
  run([] { return check_ranges<std::uint64_t>(500, 5); });
}

TEST_P(bulk, transfers_between_two_addresses) {
  run([]() -> task<> {
    const auto array = co_await make_array<std::uint32_t>(static_cast<std::uint64_t>(5000 * pes()));
    for (int pe = 0; pe < pes(); ++pe) {
      std::vector<std::uint32_t> values(4000);
      std::iota(values.begin(), values.end(), static_cast<std::uint32_t>(1000 * pe));
      const auto at = array[static_cast<std::uint64_t>(5000 * pe)] + 500;
      co_await put(at, values);
      std::vector<std::uint32_t> seen(4002, 1);
      co_await get(at + -1, seen);
      EXPECT_EQ(seen.front(), 0u);
      EXPECT_EQ(seen.back(), 0u);
      EXPECT_TRUE(std::equal(values.begin(), values.end(), seen.begin() + 1));
    }
  });
}

TEST_P(bulk, transfers_of_nothing_change_nothing) {
  run([]() -> task<> {
    const auto array = co_await make_array<std::uint64_t>(10);
    std::vector<std::uint64_t> nothing;
    co_await put(array, 10, nothing);
    co_await get(array, 10, std::span(nothing));
    co_await put(array[9], nothing);
    co_await get(array[9], std::span(nothing));
    const auto last = co_await read(array[9]);
    EXPECT_EQ(last, 0u);
  });
}

TEST_P(bulk, transfers_of_all_pes_at_once) {
  options.buffer_size = 2 << 10;
  run([]() -> task<> {
    const auto all = static_cast<std::uint64_t>(pes());
    const std::uint64_t part = 3000;
    const auto array = co_await make_array<std::uint64_t>(part * all, 17);
    const auto write_own = [array]() -> task<> {
      std::vector<std::uint64_t> values(part);
      std::iota(values.begin(), values.end(), part * static_cast<std::uint64_t>(my_pe()));
      co_await put(array, values.front(), values);
    };
    co_await on_all_pes(write_own);
    const auto read_all = [array]() -> task<> {
      std::vector<std::uint64_t> seen(array.size());
      co_await get(array, 0, std::span(seen));
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < seen.size(); ++i) wrong += seen[i] != i;
      EXPECT_EQ(wrong, 0u);
    };
    co_await on_all_pes(read_all);
  });
}

ATOLL_RUN_ON_ALL(bulk);

}  // namespace
