// Each node has its own array, which the PEs of this node share.

#include "atoll/symmetric_array.hpp"

#include "support/run_on.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace {

using namespace atl;

/// The number of PEs, and the number of PEs per node.
struct nodes_of_pes {
  int pes;
  std::uint64_t node_size;
};

class node_arrays : public testing::TestWithParam<nodes_of_pes> {
 protected:
  void run(const main_function& program) const {
    settings options = test::simulated_job_of(GetParam().pes, 5);
    options.sim_node_size = GetParam().node_size;
    test::run_on(options, program);
    if (GetParam().node_size == 16) test::run_on(test::job_of(GetParam().pes), program);
  }
};

const std::vector<int>& mates_of(const std::vector<std::vector<int>>& nodes, int pe) {
  return *std::ranges::find_if(
      nodes, [pe](const auto& of_node) { return std::ranges::count(of_node, pe) != 0; });
}

TEST_P(node_arrays, have_what_the_pes_of_their_node_store) {
  run([]() -> task<> {
    const auto array = co_await node_array<int>::make(static_cast<std::uint64_t>(pes()) + 1);
    co_await on_all_pes([array]() -> task<> {
      const auto nodes = memory::pes_that_share_memory();
      const auto& mates = mates_of(nodes, my_pe());
      const auto here = array.of(mates.front());
      EXPECT_EQ(std::ranges::count(here, 0), pes() + 1);
      co_await all_barrier();
      here[static_cast<std::size_t>(my_pe())] = my_pe() + 1;
      co_await all_barrier();
      for (int pe = 0; pe < pes(); ++pe)
        EXPECT_EQ(here[static_cast<std::size_t>(pe)], std::ranges::count(mates, pe) * (pe + 1));
    });
    co_await array.destroy();
  });
}

TEST_P(node_arrays, take_what_is_put_to_their_holders) {
  run([]() -> task<> {
    const auto array = co_await node_array<int>::make(10);
    co_await on_all_pes([array]() -> task<> {
      const auto nodes = memory::pes_that_share_memory();
      if (my_pe() == pes() - 1) {
        for (const auto& of_node : nodes)
          one_sided::put(array.on(of_node.front(), 9), 100 + of_node.front());
        co_await one_sided::quiet();
      }
      co_await all_barrier();
      const int holder = mates_of(nodes, my_pe()).front();
      EXPECT_EQ(array.of(holder)[9], 100 + holder);
    });
    co_await array.destroy();
  });
}

TEST_P(node_arrays, count_once_a_node) {
  run([]() -> task<> {
    constexpr std::uint64_t bytes = 1 << 20;
    const std::uint64_t before = this_pe().account->held();
    const auto array = co_await node_array<std::byte>::make(bytes);
    std::size_t fewest = static_cast<std::size_t>(pes());
    for (const auto& of_node : memory::pes_that_share_memory())
      fewest = std::min(fewest, of_node.size());
    EXPECT_EQ(this_pe().account->held() - before, (bytes + fewest - 1) / fewest);
    co_await array.destroy();
    EXPECT_EQ(this_pe().account->held(), before);
  });
}

TEST_P(node_arrays, may_be_empty) {
  run([]() -> task<> {
    const auto array = co_await node_array<int>::make(0);
    EXPECT_TRUE(array.of(0).empty());
    co_await array.destroy();
  });
}

INSTANTIATE_TEST_SUITE_P(on, node_arrays,
                         testing::Values(nodes_of_pes{1, 16}, nodes_of_pes{3, 16},
                                         nodes_of_pes{4, 1}, nodes_of_pes{4, 2},
                                         nodes_of_pes{7, 3}),
                         [](const auto& of) {
                           return fmt::format("{}_by_{}", of.param.pes, of.param.node_size);
                         });

}  // namespace
