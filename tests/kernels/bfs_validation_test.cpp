// Each rule of the validation must detect a tree that breaks the rule.

#include "kernels/bfs_job.hpp"

namespace {

using namespace bfs_job;

using part = bfs::search_part<std::uint32_t>;
constexpr auto k_none = bfs::k_no_parent<std::uint32_t>;

/// A function that damages one vertex of a tree. `tree` is the part of the PE that stores the
/// vertex, and `row` is the row of the vertex in `tree`.
using damage = void (*)(part& tree, std::uint32_t row);

class bfs_validation : public test::on_pes {
 protected:
  static constexpr std::uint64_t k_width = 8;
  static constexpr std::uint64_t k_root = 0;

  /// Searches a grid from a corner, damages the tree at `vertex`, and returns the violations that
  /// the validation finds.
  bfs::violations after(std::uint64_t vertex, damage harm) const {
    static const auto grid = bfs_graphs::grid(k_width, k_width);
    return after(vertex, harm, grid, orientation::undirected);
  }

  /// Searches `graph`, damages the tree at `vertex`, and returns the violations that the validation
  /// finds.
  bfs::violations after(std::uint64_t vertex, damage harm, const bfs_graphs::graph& graph,
                        orientation arcs_are) const {
    bfs::violations found;
    run([&]() -> task<> {
      const auto made = co_await build<std::uint32_t>(graph, arcs_are);
      const auto before = co_await search(made.on, k_root);
      EXPECT_EQ(before.found.total(), 0u);
      const int owner = made.graph->shape.owner(vertex);
      const auto row = static_cast<std::uint32_t>(vertex - made.graph->shape.begin(owner));
      co_await call(owner, [parts = made.on.parts, row, harm] { harm(parts.local(), row); });
      const auto verify = [on = made.on] { return bfs::all_verify(on, k_root); };
      found = co_await from_all_pes(verify);
      const auto verify_few = [on = made.on, few = std::uint64_t{5}] {
        return bfs::all_verify(on, k_root, few);
      };
      const bfs::violations again = co_await from_all_pes(verify_few);
      EXPECT_TRUE(std::ranges::equal(again.of_rule, found.of_rule)) << "with few levels at a time";
      co_await made.destroy();
    });
    return found;
  }

  static std::uint64_t at(std::uint64_t x, std::uint64_t y) { return y * k_width + x; }
};

/// Removes the vertex from the list of reached vertices.
void forget(part& tree, std::uint32_t row) {
  const auto place = std::ranges::find(tree.reached, row);
  const auto index = static_cast<std::uint64_t>(place - tree.reached.begin());
  tree.reached.erase(place);
  for (auto& begin : tree.levels) begin -= begin > index ? 1 : 0;
}

TEST_P(bfs_validation, finds_nothing_in_a_right_tree) {
  EXPECT_EQ(after(at(3, 3), [](part&, std::uint32_t) {}).total(), 0u);
}

TEST_P(bfs_validation, finds_a_cycle) {
  // The vertices (1, 1) and (2, 1) become the parents of each other.
  const auto found = after(at(1, 1), [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(at(2, 1));
  });
  EXPECT_GT(found.of_rule[2], 0u);
}

TEST_P(bfs_validation, finds_a_vertex_that_is_its_own_parent) {
  const auto found = after(at(4, 4), [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(at(4, 4));
  });
  EXPECT_GT(found.of_rule[2], 0u);
}

TEST_P(bfs_validation, finds_a_root_with_a_parent) {
  const auto found = after(k_root, [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(at(1, 0));
  });
  EXPECT_EQ(found.of_rule[1], 1u);
}

TEST_P(bfs_validation, finds_a_parent_two_levels_above) {
  const auto found = after(at(1, 1), [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(k_root);
  });
  EXPECT_EQ(found.of_rule[2], 1u);
  EXPECT_EQ(found.of_rule[5], 1u);
}

TEST_P(bfs_validation, finds_a_parent_two_levels_above_the_last_vertex) {
  const auto found = after(at(7, 7), [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(at(7, 5));
  });
  EXPECT_EQ(found.of_rule[2], 1u);
  EXPECT_EQ(found.of_rule[5], 1u);
}

TEST_P(bfs_validation, finds_a_parent_that_is_no_vertex) {
  const auto found =
      after(at(5, 0), [](part& tree, std::uint32_t row) { tree.parents[row] = 1'000'000; });
  EXPECT_EQ(found.of_rule[2], 1u);
}

TEST_P(bfs_validation, finds_a_wrong_level) {
  // The search reached the vertex at level 2. The damage moves the vertex to the last level in the
  // list of reached vertices.
  const auto found = after(at(2, 0), [](part& tree, std::uint32_t row) {
    forget(tree, row);
    tree.reached.push_back(row);
  });
  EXPECT_GT(found.of_rule[2], 0u);
  EXPECT_GT(found.of_rule[3], 0u);
}

TEST_P(bfs_validation, finds_an_arc_two_levels_down_in_a_directed_graph) {
  bfs_graphs::graph ways;
  ways.vertices = 4;
  ways.edges = {{0, 1}, {1, 3}, {0, 2}, {1, 2}};
  // The search reached vertex 2 from vertex 0. The damage makes vertex 1 the parent of vertex 2,
  // and moves vertex 2 to the last level.
  const auto listed_late = [](part& tree, std::uint32_t row) {
    forget(tree, row);
    tree.reached.push_back(row);
    tree.parents[row] = 1;
  };
  const auto found = after(2, listed_late, ways, orientation::out);
  EXPECT_EQ(found.of_rule[3], 1u);
  EXPECT_EQ(found.total(), 1u);
}

TEST_P(bfs_validation, finds_a_vertex_reached_twice) {
  const auto found =
      after(at(7, 7), [](part& tree, std::uint32_t row) { tree.reached.push_back(row); });
  EXPECT_EQ(found.of_rule[1], 1u);
  EXPECT_EQ(found.total(), 1u);
}

TEST_P(bfs_validation, finds_a_vertex_without_a_parent) {
  const auto found =
      after(at(7, 7), [](part& tree, std::uint32_t row) { tree.parents[row] = k_none; });
  EXPECT_GT(found.of_rule[1], 0u);
}

TEST_P(bfs_validation, finds_a_vertex_that_was_forgotten) {
  const auto found = after(at(7, 7), [](part& tree, std::uint32_t row) {
    forget(tree, row);
    tree.parents[row] = k_none;
  });
  // Each of the two edges of the vertex is counted from both endpoints.
  EXPECT_EQ(found.of_rule[4], 4u);
  EXPECT_EQ(found.total(), 4u);
}

TEST_P(bfs_validation, finds_a_parent_that_is_no_neighbour) {
  const auto found = after(at(0, 2), [](part& tree, std::uint32_t row) {
    tree.parents[row] = static_cast<std::uint32_t>(at(1, 0));
  });
  EXPECT_EQ(found.of_rule[5], 1u);
  EXPECT_EQ(found.total(), 1u);
}

ATOLL_RUN_ON(bfs_validation, 1, 2, 3, 8);

TEST(bfs_violations, add_up_by_rule) {
  bfs::violations a, b;
  a.of_rule[1] = 1;
  a.of_rule[5] = 2;
  b.of_rule[5] = 3;
  EXPECT_EQ((a + b).of_rule[5], 5u);
  EXPECT_EQ((a + b).total(), 6u);
}

}  // namespace
