// Compares the file of `atoll bfs --output` with the distances of a plain sequential search.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace atl::app {
namespace {

using namespace std::literals;

constexpr std::uint64_t in_ladder = 20'000;

using edge_set = std::set<std::pair<std::uint64_t, std::uint64_t>>;

// Returns a ladder with a few shortcuts, and some vertices that are not connected to it.
edge_set ladder_edges() {
  edge_set edges;
  for (std::uint64_t v = 0; v + 3 < in_ladder; v += 2) {
    edges.emplace(v, v + 2);
    if (v % 14 == 0) edges.emplace(v, v + 3);
    if (v % 100 == 0) edges.emplace(v, v * 7919 % in_ladder);
  }
  edges.emplace(in_ladder - 1, in_ladder - 1);
  return edges;
}

// Returns the distances from `root` along directed edges, and -1 for each unreachable vertex.
std::vector<std::int64_t> plain_distances(const edge_set& edges, std::uint64_t root) {
  std::vector<std::vector<std::uint64_t>> targets(in_ladder);
  for (const auto& [from, to] : edges) targets[from].push_back(to);
  std::vector<std::int64_t> distances(in_ladder, -1);
  std::vector<std::uint64_t> queue = {root};
  distances[root] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const auto to : targets[queue[i]]) {
      if (distances[to] >= 0) continue;
      distances[to] = distances[queue[i]] + 1;
      queue.push_back(to);
    }
  }
  return distances;
}

class bfs_output : public testing::Test {
 protected:
  static std::string text_of(const edge_set& edges) {
    std::string text;
    for (const auto& [from, to] : edges) text += fmt::format("{} {}\n", from, to);
    return text;
  }

  // Runs the command, which must succeed, and returns the content of the file.
  std::string written(const std::string& graph, const std::string& name, int pes) const {
    const auto path = folder_.path(name);
    expect(fmt::format("$p bfs {} --verify --pes {} --output {}", graph, pes, path), 0, "verified");
    return content_of(path);
  }

  scratch_folder folder_;
};

// Expects the distances that a sequential search finds. Each reached vertex must have a parent that
// is one step nearer to the root and has an edge to the vertex.
void expect_tree(const vertex_table& rows, const edge_set& edges, std::uint64_t root) {
  const auto distances = plain_distances(edges, root);
  for (std::uint64_t v = 0; v < in_ladder; ++v) {
    const auto found = rows.find(std::to_string(v));
    ASSERT_EQ(found != rows.end(), distances[v] >= 0) << v;
    if (distances[v] < 0) continue;
    ASSERT_EQ(found->second.size(), 2U);
    const auto parent = std::stoull(found->second[0]);
    ASSERT_EQ(found->second[1], std::to_string(distances[v])) << v;
    if (v == root) {
      ASSERT_EQ(parent, root);
      continue;
    }
    ASSERT_EQ(distances.at(parent) + 1, distances[v]) << v;
    ASSERT_TRUE(edges.contains({parent, v})) << v;
  }
  ASSERT_EQ(rows.size(), in_ladder - static_cast<std::size_t>(std::ranges::count(distances, -1)));
}

TEST_F(bfs_output, is_a_tree_with_the_distances_on_any_number_of_pes) {
  auto edges = ladder_edges();
  const auto file = folder_.file("a.el", text_of(edges));
  const auto graph = file + " --directed out --root 14";
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    const auto text = written(graph, "a.txt", pes);
    expect_tree(rows_of(text, "# vertex\tparent\tdistance", '\t'), edges, 14);
  }
  for (const auto& [from, to] : ladder_edges()) edges.emplace(to, from);
  for (const int pes : {1, 3, 8}) {
    const auto packed = written(file + " --root 6", "a.csv.zst", pes);
    const auto text = unpacked(packed, compression::zstd);
    expect_tree(rows_of(text, "vertex,parent,distance", ','), edges, 6);
  }
}

TEST_F(bfs_output, is_an_array_of_numpy) {
  const auto edges = ladder_edges();
  const auto graph = folder_.file("a.el", text_of(edges)) + " --directed out --root 14";
  const auto distances = plain_distances(edges, 14);
  std::string head =
      "\x93NUMPY\x01\0\x76\0"s + "{'descr': '<i8', 'fortran_order': False, 'shape': (20000, 2), }";
  head.resize(127, ' ');
  head += '\n';
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    const auto bytes = written(graph, "a.npy", pes);
    ASSERT_EQ(bytes.size(), head.size() + in_ladder * 16);
    EXPECT_EQ(bytes.substr(0, head.size()), head);
    std::vector<std::int64_t> numbers(2 * in_ladder);
    std::memcpy(numbers.data(), bytes.data() + head.size(), in_ladder * 16);
    for (std::uint64_t v = 0; v < in_ladder; ++v) {
      ASSERT_EQ(numbers[2 * v + 1], distances[v]) << v;
      ASSERT_EQ(numbers[2 * v] == -1, distances[v] == -1) << v;
      if (distances[v] < 1) continue;
      const auto parent = static_cast<std::uint64_t>(numbers[2 * v]);
      ASSERT_TRUE(edges.contains({parent, v}) && distances[parent] + 1 == distances[v]) << v;
    }
  }
}

TEST_F(bfs_output, names_vertices_as_the_input_does) {
  const auto named = folder_.file("a.tsv", "B\tA\nC\tB\nF\tE\n");
  for (const int pes : {1, 2, 3, 8}) {
    const auto rows =
        rows_of(written(named + " --root A", "t.tsv", pes), "vertex\tparent\tdistance", '\t');
    EXPECT_EQ(rows, (vertex_table{{"A", {"A", "0"}}, {"B", {"A", "1"}}, {"C", {"B", "2"}}}));
  }
}

TEST_F(bfs_output, is_refused_before_the_work) {
  const auto input = folder_.file("a.tsv", "0\t1\n");
  expect("$p bfs --root 0 --pes 2 --output tree.el " + input, 2,
         "atoll: error: --output: tree.el: the name does not say how to write: ");
  expect("$p bfs --root 0 " + input + " --output " + input, 2,
         "--output: " + input + " is the file of edges that is read");
  EXPECT_EQ(content_of(input), "0\t1\n");
}

}  // namespace
}  // namespace atl::app
