#include "bench/uts_in_memory.hpp"

#include "support/run_on.hpp"
#include "tests/graph/uts_small_trees.hpp"

#include <numeric>

namespace atl::bench::uts {
namespace {

using graph::uts::counted_by_recursion;
using graph::uts::small_trees;

TEST(uts_places, are_a_bijection) {
  for (const std::uint64_t size : {1, 2, 3, 4, 5, 7, 8, 9, 100, 1023, 1024, 1025, 40000}) {
    for (const std::uint64_t key : {1, 2}) {
      const random_places places(key, size);
      std::vector<bool> taken(size);
      for (std::uint64_t i = 0; i < size; ++i) {
        ASSERT_LT(places(i), size);
        EXPECT_FALSE(taken[places(i)]) << i << " of " << size;
        taken[places(i)] = true;
      }
    }
  }
}

TEST(uts_places, are_far_from_each_other) {
  const std::uint64_t size = 1 << 16;
  const random_places places(7, size);
  int near = 0;
  for (std::uint64_t i = 0; i + 1 < size; ++i) {
    const std::uint64_t a = places(i), b = places(i + 1);
    near += std::max(a, b) - std::min(a, b) < size / 1000 ? 1 : 0;
  }
  EXPECT_LT(near, 4 * static_cast<int>(size) / 1000);
}

class uts_in_memory : public test::on_pes {
 protected:
  in_memory::outcome measured(const tree_parameters& tree, join_at join) {
    in_memory::outcome result;
    run([&]() -> task<> { result = co_await in_memory::measure({tree, join, 0}); });
    return result;
  }
};

tree_parameters with_its_size(tree_parameters tree) {
  tree.published = counted_by_recursion(tree);
  return tree;
}

TEST_P(uts_in_memory, finds_what_a_recursion_finds) {
  for (const auto& small : small_trees()) {
    const auto tree = with_its_size(small);
    for (const join_at join : {join_at::whole, join_at::vertex})
      EXPECT_EQ(measured(tree, join).complaint(tree.published), "") << small.name;
  }
}

// A task that waits for its children frees its worker, so that the worker can run the children.
TEST_P(uts_in_memory, needs_but_one_worker) {
  options.workers = 1;
  for (const auto& small : small_trees()) {
    const auto tree = with_its_size(small);
    EXPECT_EQ(measured(tree, join_at::vertex).complaint(tree.published), "") << small.name;
  }
}

TEST_P(uts_in_memory, reads_from_other_pes_as_often_as_they_own_vertices) {
  const auto tree = with_its_size({.name = "random",
                                   .shape = tree_shape::binomial,
                                   .b0 = 4000,
                                   .seed = 1,
                                   .q = 0.2375,
                                   .m = 4});
  const auto result = measured(tree, join_at::whole);
  EXPECT_EQ(result.complaint(tree.published), "");
  EXPECT_NEAR(result.share_of_remote_reads(), (size() - 1.0) / size(), 0.01);
  EXPECT_GE(result.bytes_peak, tree.published.nodes * sizeof(vertex));
}

TEST_P(uts_in_memory, writes_every_vertex_once) {
  const auto tree = with_its_size(small_trees()[0]);
  run([&]() -> task<> {
    const built_tree built = co_await build(tree, 1);
    std::vector<int> parents(tree.published.nodes);
    for (std::uint64_t i = 0; i < tree.published.nodes; ++i) {
      const vertex met = co_await read(built[i]);
      for (std::uint32_t k = 0; k < met.children; ++k) ++parents.at(met.first_child + k);
    }
    EXPECT_EQ(parents[0], 0);
    EXPECT_EQ(std::count(parents.begin() + 1, parents.end(), 1), std::ssize(parents) - 1);
    co_await built.vertices.destroy();
  });
}

ATOLL_RUN_ON(uts_in_memory, 1, 2, 3, 7);

}  // namespace
}  // namespace atl::bench::uts
