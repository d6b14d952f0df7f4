#include "bench/uts.hpp"

#include "support/run_on.hpp"
#include "tests/graph/uts_small_trees.hpp"

#include <iterator>

namespace atl::bench::uts {
namespace {

using graph::uts::counted_by_recursion;
using graph::uts::small_trees;

class uts_search : public test::on_pes {
 protected:
  outcome measured(const tree_parameters& tree, join_at join, double seconds = 0) {
    outcome result;
    run([&]() -> task<> { result = co_await measure({tree, join, seconds}); });
    return result;
  }
};

TEST_P(uts_search, finds_what_a_recursion_finds) {
  for (const auto& small : small_trees()) {
    const tree_totals right = counted_by_recursion(small);
    for (const join_at join : {join_at::whole, join_at::vertex}) {
      const outcome result = measured(small, join);
      EXPECT_EQ(result.complaint(right), "") << small.name;
      EXPECT_EQ(result.traversals, 1U);
      EXPECT_GT(result.seconds, 0);
    }
  }
}

// A task that waits for its children frees its worker, so that the worker can run the children.
TEST_P(uts_search, needs_but_one_worker) {
  options.workers = 1;
  for (const auto& small : small_trees())
    EXPECT_EQ(measured(small, join_at::vertex).complaint(counted_by_recursion(small)), "");
}

TEST_P(uts_search, repeats_the_traversal_until_time_has_passed) {
  const outcome result = measured(small_trees()[0], join_at::whole, 0.01);
  EXPECT_GE(result.traversals, 1U);
  EXPECT_GE(result.seconds, 0.01);  // A single search takes much less than 0.01 seconds.
  EXPECT_EQ(result.found, counted_by_recursion(small_trees()[0]));
}

/// Returns the number of PEs that have visited at least one vertex.
task<int> pes_that_searched(searchers all) {
  int searched = 0;
  for (int pe = 0; pe < pes(); ++pe)
    searched += co_await call(pe, [=] { return all->found.nodes > 1000 ? 1 : 0; });
  co_return searched;
}

// The test searches repeatedly, because a PE can be without a processor during a whole search. If a
// PE never takes part, the test does not end.
TEST_P(uts_search, lets_every_pe_take_part) {
  run([]() -> task<> {
    const searchers all = co_await searchers::make();
    const auto prepare = [=] { all->whole.emplace(*find_tree("T3")); };
    co_await on_all_pes(prepare);
    const auto start = [=] { spawn_stealable(search_task{all, all->whole->children_of_root()}); };
    do {
      co_await finish(start);
    } while (co_await pes_that_searched(all) < std::min(pes(), 2));
    co_await all.destroy();
  });
}

// Each kind of job searches two of the five trees. Processes, threads and simulated PEs together
// search all of the trees. In uts_long_test.cpp, each kind of job searches all of the trees.
TEST_P(uts_search, finds_the_published_tree) {
  constexpr const char* names[] = {"T1", "T2", "T3", "T4", "T5"};
  const std::uint64_t first = static_cast<std::uint64_t>(size()) + GetParam().sim_seed;
  for (const std::uint64_t chosen : {first, first + 2}) {
    const auto* name = test::sanitized ? "T3" : names[chosen % std::size(names)];
    const auto& tree = *find_tree(name);
    EXPECT_EQ(measured(tree, join_at::whole).complaint(tree.published), "") << name;
    if (test::sanitized) break;
  }
}

TEST(uts_outcome, says_what_is_wrong) {
  const tree_totals published{4130071, 3305118, 10};
  EXPECT_EQ((outcome{1, 1, published}.complaint(published)), "");
  EXPECT_EQ((outcome{1, 1, {4130070, 3305117, 10}}.complaint(published)),
            "nodes: 4130070 instead of 4130071; leaves: 3305117 instead of 3305118");
  EXPECT_EQ((outcome{1, 1, {4130071, 3305118, 9}}.complaint(published)), "depth: 9 instead of 10");
}

ATOLL_RUN_ON(uts_search, 1, 2, 3, 7);

}  // namespace
}  // namespace atl::bench::uts
