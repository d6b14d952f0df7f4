// Compares each collective with its definition.

#include "atoll/memory/collective_tree.hpp"
#include "support/own_state.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

using namespace atl;
using testing::ElementsAreArray;

namespace {

std::uint64_t me() { return static_cast<std::uint64_t>(my_pe()); }
std::uint64_t all() { return static_cast<std::uint64_t>(pes()); }

class collectives : public test::on_pes {};

TEST_P(collectives, reduce_a_value_on_every_pe) {
  run_spmd([]() -> task<> {
    const auto sum = co_await all_reduce(me() + 1, std::plus<>{});
    EXPECT_EQ(sum, all() * (all() + 1) / 2);
    const auto most =
        co_await all_reduce(hash(me()), [](auto a, auto b) { return std::max(a, b); });
    std::uint64_t expected = 0;
    for (std::uint64_t pe = 0; pe < all(); ++pe) expected = std::max(expected, hash(pe));
    EXPECT_EQ(most, expected);
    const double mean = co_await all_reduce(0.5 * my_pe(), std::plus<>{}) / pes();
    EXPECT_DOUBLE_EQ(mean, 0.25 * (pes() - 1));
  });
}

TEST_P(collectives, reduce_vectors_element_by_element) {
  run_spmd([]() -> task<> {
    for (const std::size_t size : {0, 1, 1000, 131'072}) {
      std::vector<std::uint64_t> values(size);
      std::iota(values.begin(), values.end(), 1000 * me());
      const auto sums = co_await all_reduce(values, std::plus<>{});
      EXPECT_EQ(sums.size(), size);
      std::uint64_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) {
        wrong += sums[i] != all() * i + 1000 * (all() * (all() - 1) / 2);
      }
      EXPECT_EQ(wrong, 0u);
    }
  });
}

TEST_P(collectives, reduce_elements_that_do_not_divide_a_buffer) {
  options.buffer_size = 1 << 10;
  run_spmd([]() -> task<> {
    using odd = std::array<unsigned char, 13>;
    std::vector<odd> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i].fill(static_cast<unsigned char>(i));
    const auto longest = co_await all_reduce(values, [](const odd& a, const odd& b) {
      odd sum{};
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = static_cast<unsigned char>(a[k] + b[k]);
      return sum;
    });
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      wrong += longest[i][12] != static_cast<unsigned char>(i * all());
    }
    EXPECT_EQ(wrong, 0u);
  });
}

/// A short text. The operation that combines texts is concatenation, which is associative but not
/// commutative.
struct word {
  std::array<char, 16> letters{};

  explicit word(char letter) { letters[0] = letter; }
  std::string text() const { return letters.data(); }
};

word joined(const word& a, const word& b) {
  word result = a;
  const std::size_t length = a.text().size();
  std::copy_n(b.letters.begin(), b.text().size(),
              result.letters.begin() + static_cast<std::ptrdiff_t>(length));
  return result;
}

/// Returns the order in which a reduction must combine values: first the value of a PE, then the
/// values of its children in the tree.
std::string tree_order(int pe) {
  std::vector<int> node_of(static_cast<std::size_t>(pes()));
  std::ranges::copy(this_pe().transport->nodes(), node_of.begin());
  std::string order(1, static_cast<char>('a' + pe));
  for (const int child : memory::place_in_tree(pe, node_of).children) order += tree_order(child);
  return order;
}

TEST_P(collectives, reduce_in_the_order_of_the_tree_whatever_comes_first) {
  run_spmd([]() -> task<> {
    for (int round = 0; round < 20; ++round) {
      const auto delay = hash(static_cast<std::uint64_t>(round) + 100 * me()) % 100'000;
      co_await sleep_for(static_cast<std::int64_t>(delay));
      const word result = co_await all_reduce(word(static_cast<char>('a' + my_pe())), joined);
      EXPECT_EQ(result.text(), tree_order(0));
    }
  });
}

TEST_P(collectives, reduce_to_one_pe) {
  run_spmd([]() -> task<> {
    for (int root = 0; root < pes(); ++root) {
      const auto sum = co_await all_reduce_to(root, me() + 1, std::plus<>{});
      EXPECT_EQ(sum, my_pe() == root ? all() * (all() + 1) / 2 : me() + 1);
    }
  });
}

TEST_P(collectives, gather_on_one_pe) {
  run_spmd([]() -> task<> {
    for (int root = 0; root < pes(); ++root) {
      const std::vector<std::uint64_t> mine(1000 * me() + static_cast<std::size_t>(root), me());
      const auto found = co_await all_gather_to(root, std::span<const std::uint64_t>(mine));
      EXPECT_EQ(found.size(), my_pe() == root ? all() : 0);
      for (std::uint64_t pe = 0; pe < found.size(); ++pe) {
        EXPECT_THAT(found[pe], ElementsAreArray(std::vector<std::uint64_t>(
                                   1000 * pe + static_cast<std::size_t>(root), pe)));
      }
    }
  });
}

TEST_P(collectives, broadcast_from_every_pe) {
  run_spmd([]() -> task<> {
    for (int root = 0; root < pes(); ++root) {
      const auto value = co_await all_broadcast(100 * my_pe() + 7, root);
      EXPECT_EQ(value, 100 * root + 7);
      const auto large = co_await all_broadcast(std::array<int, 100>{my_pe()}, root);
      EXPECT_EQ(large[0], root);
    }
  });
}

TEST_P(collectives, gather_one_value_of_each) {
  run_spmd([]() -> task<> {
    const auto values = co_await all_gather(hash(me()));
    EXPECT_EQ(values.size(), all());
    for (std::uint64_t pe = 0; pe < all(); ++pe) EXPECT_EQ(values[pe], hash(pe));
  });
}

/// Returns the data that `from` sends to `to`. The length depends on both PEs, and is 0 for some
/// pairs.
std::vector<std::uint32_t> part(std::uint64_t from, std::uint64_t to, std::uint64_t scale) {
  std::vector<std::uint32_t> values(hash(from * 64 + to) % 3 * (from + 2 * to + 1) * scale);
  std::iota(values.begin(), values.end(), static_cast<std::uint32_t>(1000 * from + to));
  return values;
}

task<> exchange_parts(std::uint64_t scale) {
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::uint64_t pe = 0; pe < all(); ++pe) parts.push_back(part(me(), pe, scale));
  const auto received = co_await all_to_all(parts);
  EXPECT_EQ(received.size(), all());
  for (std::uint64_t pe = 0; pe < all(); ++pe)
    EXPECT_THAT(received[pe], ElementsAreArray(part(pe, me(), scale)));
}

TEST_P(collectives, exchange_parts_of_unequal_length) {
  run_spmd([]() -> task<> {
    for (const std::uint64_t scale : {0, 1, 10, 3000}) co_await exchange_parts(scale);
  });
}

/// The data is longer than the buffer of one step of an exchange. The test keeps the data of
/// earlier exchanges while later exchanges run.
TEST_P(collectives, keep_what_was_exchanged_until_it_ends) {
  run_spmd([]() -> task<> {
    const auto length = [](std::uint64_t pe) { return 20'000 + 2'200'000 * (pe % 2); };
    std::vector<received_parts<std::uint32_t>> kept;
    for (std::uint32_t round = 0; round < 3; ++round) {
      const std::vector<std::uint32_t> mine(length(me()), 10 * my_pe() + round);
      std::vector<std::span<const std::uint32_t>> parts(all());
      parts[(me() + 1) % all()] = mine;
      kept.push_back(co_await all_to_all(std::move(parts)));
      if (round == 1) kept.erase(kept.begin());
    }
    const std::uint64_t before = (me() + all() - 1) % all();
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
      const auto found = kept[i][before];
      EXPECT_EQ(found.size(), length(before));
      EXPECT_EQ(std::ranges::count(found, 10 * before + i + 1), std::ssize(found));
    }
  });
}

TEST_P(collectives, exchange_parts_through_little_room) {
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  run_spmd([] { return exchange_parts(500); });
}

TEST_P(collectives, gather_vectors_of_unequal_length) {
  run_spmd([]() -> task<> {
    for (const std::uint64_t scale : {0, 1, 2000}) {
      const auto mine = part(me(), 1, scale);
      const auto received = co_await all_gather(std::span<const std::uint32_t>(mine));
      EXPECT_EQ(received.size(), all());
      for (std::uint64_t pe = 0; pe < all(); ++pe)
        EXPECT_THAT(received[pe], ElementsAreArray(part(pe, 1, scale)));
    }
  });
}

TEST_P(collectives, let_nobody_pass_a_barrier_early) {
  run_spmd([]() -> task<> {
    static thread_local test::own_state<std::uint64_t> arrived;
    arrived() = 0;
    co_await all_barrier();
    for (std::uint64_t round = 1; round <= 20; ++round) {
      const auto tell = [] {
        for (int pe = 0; pe < pes(); ++pe) async_call(pe, [] { ++arrived(); });
      };
      co_await sleep_for(static_cast<std::int64_t>(hash(me() + 100 * round) % 50'000));
      co_await finish(tell);
      co_await all_barrier();
      EXPECT_EQ(arrived(), round * all());
      co_await all_barrier();
    }
  });
}

TEST_P(collectives, follow_each_other_a_thousand_times) {
  run_spmd([]() -> task<> {
    const std::uint64_t rounds = test::sanitized ? 200 : 1000;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      const auto sum = co_await all_reduce(me() * i, std::plus<>{});
      if (sum != i * all() * (all() - 1) / 2) ADD_FAILURE() << "round " << i;
      if (i % 10 == 0) co_await all_barrier();
      if (i % 50 == 0) {
        const auto values = co_await all_gather(me() + i);
        if (values.back() != all() - 1 + i) ADD_FAILURE() << "round " << i;
      }
    }
  });
}

/// The lengths are close to the limit of 64 KiB. Shorter parts are sent as messages, and longer
/// parts are stored directly into memory of the receiver.
TEST_P(collectives, exchange_parts_about_the_length_that_is_stored) {
  run_spmd([]() -> task<> {
    for (const std::size_t bytes : {65'535, 65'536, 65'537}) {
      const std::vector<char> mine(bytes, static_cast<char>('a' + my_pe()));
      const auto received = co_await all_gather(std::span<const char>(mine));
      for (int pe = 0; pe < pes(); ++pe) {
        const auto found = received[static_cast<std::size_t>(pe)];
        EXPECT_EQ(found.size(), bytes);
        EXPECT_EQ(std::ranges::count(found, static_cast<char>('a' + pe)), std::ssize(found));
      }
    }
  });
}

TEST_P(collectives, gather_long_parts_on_one_pe) {
  run_spmd([]() -> task<> {
    for (int root = 0; root < pes(); ++root) {
      const std::vector<std::uint64_t> mine(20'000 + me(), me());
      const auto found = co_await all_gather_to(root, std::span<const std::uint64_t>(mine));
      EXPECT_EQ(found.size(), my_pe() == root ? all() : 0);
      for (std::uint64_t pe = 0; pe < found.size(); ++pe) {
        EXPECT_EQ(found[pe].size(), 20'000 + pe);
        EXPECT_EQ(std::ranges::count(found[pe], pe), std::ssize(found[pe]));
      }
    }
  });
}

/// A block of memory shares its first and last page with neighbouring blocks. The test frees one
/// block, and the content of the neighbouring blocks must survive.
TEST_P(collectives, end_what_was_exchanged_without_harm_to_what_is_beside_it) {
  run_spmd([]() -> task<> {
    constexpr std::size_t words = 300'001;
    std::vector<received_parts<std::uint32_t>> kept;
    for (std::uint32_t round = 1; round <= 5; ++round) {
      const std::vector<std::uint32_t> mine(words, 10 * my_pe() + round);
      std::vector<std::span<const std::uint32_t>> parts(all());
      parts[(me() + 1) % all()] = mine;
      kept.push_back(co_await all_to_all(std::move(parts)));
    }
    kept.erase(kept.begin() + 3);
    kept.erase(kept.begin() + 1);
    const std::uint64_t before = (me() + all() - 1) % all();
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
      const auto found = kept[i][before];
      EXPECT_EQ(std::ranges::count(found, 10 * before + 2 * i + 1), std::ssize(found));
      EXPECT_EQ(found.size(), words);
    }
  });
}

TEST_P(collectives, leave_symmetric_arrays_as_they_are) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(300'000);
    co_await on_all_pes([array]() -> task<> {
      std::ranges::fill(array.local(), me() + 1);
      co_await all_barrier();
      const std::vector<char> mine(3'000'000, 'x');
      const auto received = co_await all_gather(std::span<const char>(mine));
      EXPECT_EQ(std::ranges::count(array.local(), me() + 1), 300'000);
      std::ranges::fill(array.local(), 0u);
      for (const auto part : received) EXPECT_EQ(std::ranges::count(part, 'x'), 3'000'000);
    });
    co_await array.destroy();
  });
}

/// Returns the number of bytes of memory that this process shares with other processes.
std::uint64_t shared_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssShmem:")) return std::stoull(line.substr(9)) << 10;
  return 0;
}

TEST(exchanges, give_their_memory_back_to_the_system) {
  test::run_alone([]() -> task<> {
    // The library keeps some memory for the next exchange. The exchanged data must be larger than
    // the memory that the library keeps.
    constexpr std::size_t much = 160 << 20;
    const std::vector<char> mine(much, 'a');
    const std::uint64_t before = shared_bytes();
    {
      const auto received = co_await all_gather(std::span<const char>(mine));
      EXPECT_GT(shared_bytes(), before + much / 2);
    }
    EXPECT_LT(shared_bytes(), before + much / 8);
  });
}

TEST(exchanges, let_other_tasks_run_while_much_is_stored) {
  test::run_alone([]() -> task<> {
    const std::vector<char> mine(std::size_t{64} << 20, 'a');
    bool is_over = false;
    int turns = 0;
    const auto both = [&] {
      spawn([&]() -> task<> {
        while (!is_over) {
          ++turns;
          co_await yield();
        }
      });
      spawn([&]() -> task<> {
        co_await all_gather(std::span<const char>(mine));
        is_over = true;
      });
    };
    co_await finish(both);
    EXPECT_GE(turns, 7);
  });
}

ATOLL_RUN_ON_ALL(collectives);

}  // namespace
