// Tests the bit vectors in which PEs mark the frontier of a breadth-first search. Every node must
// get the whole frontier, even if several PEs share a word of bits.

#include "atoll/kernels/bfs/bits.hpp"

#include "support/run_on.hpp"

#include <fmt/format.h>

namespace {

using namespace atl;
namespace bfs = kernels::bfs;

/// Returns ranges of vertices of different sizes. Some ranges end within a word and some at the end
/// of a word; some ranges share a word, and some are empty.
partition uneven_partition(int pes) {
  constexpr std::uint64_t lengths[] = {100, 3, 0, 5, 200, 20, 0, 312};
  partition shape;
  shape.boundaries = {0};
  for (int pe = 0; pe < pes; ++pe) {
    shape.vertices += lengths[pe % 8];
    shape.boundaries.push_back(shape.vertices);
  }
  return shape;
}

/// Returns true for about a third of the vertices, which differ from round to round.
bool is_in(std::uint64_t round, std::uint64_t vertex) {
  return hash(1000 * round + vertex) % 3 == 0;
}

std::vector<std::uint32_t> own_rows(const partition& shape, std::uint64_t round) {
  std::vector<std::uint32_t> rows;
  for (std::uint64_t v = shape.begin(my_pe()); v < shape.end(my_pe()); ++v)
    if (is_in(round, v)) rows.push_back(static_cast<std::uint32_t>(v - shape.begin(my_pe())));
  return rows;
}

/// The number of PEs, and the number of PEs per node.
using bits_of = std::tuple<int, std::uint64_t>;

class bfs_bits : public testing::TestWithParam<bits_of> {
 protected:
  void run(const main_function& program) const {
    const auto [pes, node_size] = GetParam();
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      settings options = test::simulated_job_of(pes, seed);
      options.sim_node_size = node_size;
      test::run_on(options, program);
    }
    if (node_size < 16) return;
    test::run_on(test::job_of(pes), program);
    test::run_on(test::job_of(pes, pe_kind::thread), program);
  }
};

task<> all_search_once(bfs::shared_bits all, const partition& shape, std::uint64_t first_round) {
  bfs::node_bits bits(all, shape);
  bits.start();
  co_await all_barrier();
  std::vector<bool> told(shape.vertices);
  for (std::uint64_t round = first_round; round < first_round + 6; ++round) {
    co_await bits.mark(own_rows(shape, round));
    co_await all_barrier();
    if (round % 4 == 3) {  // In this round, no PE sends or reads bits.
      co_await all_barrier();
      continue;
    }
    co_await bits.all_tell();
    for (std::uint64_t v = 0; v < shape.vertices; ++v) {
      EXPECT_EQ(bits.in_frontier(v), is_in(round, v)) << v << " in round " << round;
      if (is_in(round, v)) told[v] = true;
    }
  }
  co_await all_barrier();
  for (std::uint64_t v = 0; v < shape.vertices; ++v) EXPECT_TRUE(!told[v] || bits.is_known(v)) << v;
  co_await all_barrier();
}

/// Runs the coroutine `search(bits, shape)` on every PE.
template <class Search>
task<> on_all(const Search& search) {
  const auto all = co_await bfs::shared_bits::make(uneven_partition(pes()).vertices);
  co_await on_all_pes([all, search]() -> task<> {
    const partition shape = uneven_partition(pes());
    co_await search(all, shape);
  });
  co_await all.destroy();
}

TEST_P(bfs_bits, are_what_all_pes_marked) {
  run([]() -> task<> {
    co_await on_all([](bfs::shared_bits all, const partition& shape) -> task<> {
      co_await all_search_once(all, shape, 0);
      co_await all_search_once(all, shape, 100);
    });
  });
}

TEST_P(bfs_bits, are_unknown_until_somebody_asks_in_each_search) {
  run([]() -> task<> {
    co_await on_all([](bfs::shared_bits all, const partition& shape) -> task<> {
      for (int search = 0; search < 2; ++search) {
        bfs::node_bits bits(all, shape);
        bits.start();
        co_await all_barrier();
        // The check covers only words that no other PE reads.
        const std::uint64_t first = round_up(shape.begin(my_pe()), std::uint64_t{64});
        for (std::uint64_t v = first; v + 64 <= shape.end(my_pe()); v += 64) {
          EXPECT_FALSE(bits.is_known(v)) << v;
          EXPECT_TRUE(bits.is_known(v)) << v;
        }
        co_await all_barrier();
      }
    });
  });
}

INSTANTIATE_TEST_SUITE_P(
    on, bfs_bits, testing::Combine(testing::Values(1, 2, 3, 4, 7, 8), testing::Values(1, 2, 3, 16)),
    [](const auto& of) {
      return fmt::format("{}_by_{}", std::get<0>(of.param), std::get<1>(of.param));
    });

}  // namespace
