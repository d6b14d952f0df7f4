// Tests the public header for graph files. Before reading edges, the tests read the sizes that a
// file states. The tests also read edges on one PE or on all PEs, and write files.

#include "atoll/graph_files.hpp"

#include "atoll/random_graph.hpp"
#include "graph/scratch_file.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <gmock/gmock.h>

namespace {

using namespace atl;

/// Returns all edges of all PEs, sorted.
task<std::vector<edge>> gathered(global_edges edges) {
  const auto gather = [edges]() -> task<std::vector<edge>> {
    std::vector<edge> mine, all;
    edges.for_each_local([&mine](const edge& e) { mine.push_back(e); });
    EXPECT_EQ(mine.size(), edges.local_size());
    for (const auto& of_pe : co_await all_gather(std::span<const edge>(mine)))
      all.insert(all.end(), of_pe.begin(), of_pe.end());
    std::ranges::sort(all);
    co_return all;
  };
  co_return co_await from_all_pes(gather);
}

class files_of_all : public test::on_pes {
 protected:
  scratch_folder folder_;
};

TEST_P(files_of_all, each_edge_is_on_one_pe) {
  const generator_parameters random{.scale = 8, .edge_factor = 7, .kind = graph_kind::uniform};
  const random_graph_generator make(random);
  const std::string path = folder_.path("random.el.zst");
  write_edges(path, random.edges(), make);
  std::vector<edge> expected;
  for (std::uint64_t i = 0; i < random.edges(); ++i) expected.push_back(make(i));
  std::ranges::sort(expected);
  run([&]() -> task<> {
    const auto edges = co_await global_edges::make();
    const graph_files files{.edges = path};
    const graph_size size = co_await edges.read(files);
    EXPECT_EQ(size.edges, expected.size());
    EXPECT_EQ(size.vertices, vertices_of(expected));
    const auto found = co_await gathered(edges);
    EXPECT_EQ(found, expected);
    co_await edges.destroy();
  });
}

TEST_P(files_of_all, others_are_read_after_clear) {
  const graph_files named{.edges = folder_.file("a.tsv", "a\tb\nb\tc\nc\tc\n")};
  const graph_files numbered{.edges = folder_.file("b.el", "0 5\n1 2\n")};
  run([&]() -> task<> {
    const auto edges = co_await global_edges::make();
    for (int round = 0; round < 2; ++round) {
      const graph_size of_named = co_await edges.read(named);
      EXPECT_EQ(of_named.vertices, 3U);
      EXPECT_EQ(of_named.edges, 3U);
      co_await edges.clear();
      const auto none = co_await gathered(edges);
      EXPECT_TRUE(none.empty());
      // The vertices of the file `numbered` have no names. Vertices must not keep names from a file
      // that was read earlier.
      const graph_size of_numbered = co_await edges.read(numbered);
      EXPECT_EQ(of_numbered.vertices, 6U);
      const auto found = co_await gathered(edges);
      EXPECT_EQ(found, (std::vector<edge>{{0, 5}, {1, 2}}));
      co_await edges.clear();
    }
    co_await edges.destroy();
  });
}

TEST_P(files_of_all, an_error_names_its_place) {
  const graph_files files{.edges = folder_.file("a.el", "0 1\n0 x\n")};
  run([&]() -> task<> {
    const auto edges = co_await global_edges::make();
    std::string text;
    try {
      co_await edges.read(files);
    } catch (const error& refused) {
      text = refused.what();
    }
    EXPECT_THAT(text, testing::HasSubstr("a.el:2:3: "));
    co_await edges.destroy();
  });
}

ATOLL_RUN_ON(files_of_all, 1, 2, 3, 5);

TEST(file_on_one_pe, has_all_that_the_file_says) {
  const scratch_folder folder;
  const auto matrix = folder.file("m.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n"
                                           "9 9 2\n2 1 -5\n4 3 7\n");
  const auto found = read_all_edges({.edges = matrix});
  EXPECT_EQ(found.edges.size(), 2U);
  EXPECT_EQ(found.weights, (std::vector<std::int64_t>{-5, 7}));
  EXPECT_EQ(found.declared_vertices, 9U);
  EXPECT_TRUE(found.undirected);
  const auto named = read_all_edges({.edges = folder.file("n.tsv", "x\ty\ny\tz\n")});
  EXPECT_TRUE(named.uses_names);
  EXPECT_EQ(named.names, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(named.declared_vertices, std::nullopt);
  const auto times = read_all_edges({.edges = folder.file("t.csv", "0,1,a,9\n1,2,3,4\n")});
  EXPECT_TRUE(times.weights.empty());
  EXPECT_EQ(times.columns_left_out, 2U);
}

TEST(file_on_one_pe, shows_how_far_reading_is) {
  const scratch_folder folder;
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += fmt::format("{} 7\n", i);
  std::vector<double> shown;
  graph_files files{.edges = folder.file("a.el", text)};
  files.show_progress = [&shown](double done) { shown.push_back(done); };
  EXPECT_EQ(read_all_edges(files).edges.size(), 400'000U);
  EXPECT_GE(shown.size(), 2U);
  EXPECT_TRUE(std::ranges::is_sorted(shown));
}

TEST(file_before_reading, is_known_by_content_and_size) {
  const scratch_folder folder;
  const auto matrix = gzipped("%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n");
  const graph_files nameless{.edges = folder.file("matrix", matrix)};
  EXPECT_EQ(recognised_format(nameless).edges, edge_format::mtx);
  EXPECT_EQ(recognised_format(nameless).packing, compression::gzip);
  EXPECT_EQ(bytes_of_file(nameless, edge_format::mtx), matrix.size());
  graph_files told = nameless;
  told.form.format = format_as_packed(nameless, edge_format::el);
  EXPECT_EQ(recognised_format(told).edges, edge_format::el);
  EXPECT_EQ(recognised_format(told).packing, compression::gzip);
  EXPECT_EQ(guess_graph({.edges = folder.file("b.el", "0 1\n1 8\n")}).size.vertices, 9U);
}

/// Returns the content of the files NAME.graph, NAME.properties and NAME.offsets.
std::vector<std::string> bytes_of_bvgraph(const std::string& name) {
  std::vector<std::string> all;
  for (const auto& path : files_of(name, edge_format::bvgraph)) all.push_back(content_of(path));
  return all;
}

using successors = std::vector<std::uint64_t>;

TEST(bvgraph_writer, writes_list_by_list_what_write_graph_writes) {
  const scratch_folder folder;
  const std::vector<successors> lists = {
      {1, 2, 3, 4, 9}, {}, {1, 2, 3, 4, 8}, {0}, {1, 2, 3, 4, 9}, {}, {}, {}, {}, {9}};
  const bvgraph_lists how{.window = 3, .max_references = 1, .min_interval = 2, .zeta = 5};
  graph_to_write whole;
  whole.path = folder.path("whole.graph");
  whole.format.edges = edge_format::bvgraph;
  whole.vertices = lists.size();
  whole.lists = how;
  bvgraph_writer writer(folder.path("lists.graph"), how);
  for (std::uint64_t node = 0; node < lists.size(); ++node) {
    EXPECT_EQ(writer.nodes(), node);
    for (const auto to : lists[node]) whole.edges.push_back({node, to});
    writer.write(lists[node]);
    EXPECT_EQ(writer.arcs(), whole.edges.size());
  }
  EXPECT_EQ(folder.files(), 0U);
  writer.commit();
  write_graph(std::move(whole));
  EXPECT_EQ(bytes_of_bvgraph(folder.path("lists")), bytes_of_bvgraph(folder.path("whole")));
  EXPECT_EQ(read_all_edges({.edges = folder.path("lists.graph")}).edges.size(), 17U);
}

TEST(bvgraph_writer, refuses_lists_that_are_none) {
  const scratch_folder folder;
  const std::string path = folder.path("a.graph");
  {
    bvgraph_writer writer(path);
    const auto refused = [&](const successors& list) {
      return test::refusal_of([&] { writer.write(list); });
    };
    writer.write(successors{0, 1});
    EXPECT_EQ(refused({0, 3, 3}), path + ": the successors 3 and 3 of node 1 do not increase");
    EXPECT_EQ(refused({4, 2}), path + ": the successors 4 and 2 of node 1 do not increase");
    EXPECT_EQ(refused({largest_vertex + 1}),
              path + ": the successor 281474976710656 of node 1 is above 281474976710655");
    writer.write(successors{2});
    EXPECT_EQ(test::refusal_of([&] { writer.commit(); }),
              path + ": node 2 is a successor, and there are 2 nodes");
  }
  EXPECT_EQ(folder.files(), 0U);
}

TEST(bvgraph_writer, refuses_numbers_that_no_reader_takes) {
  const scratch_folder folder;
  const auto refused = [&](const bvgraph_lists& how) {
    const auto write = [&] {
      graph_to_write one;
      one.path = folder.path("a.graph");
      one.format.edges = edge_format::bvgraph;
      one.vertices = 1;
      one.lists = how;
      write_graph(std::move(one));
    };
    const auto text = test::refusal_of([&] { bvgraph_writer(folder.path("a.graph"), how); });
    EXPECT_EQ(test::refusal_of(write), text);
    return text;
  };
  EXPECT_EQ(refused({.zeta = 0}), "zeta: 0 is out of range (1 to 15)");
  EXPECT_EQ(refused({.zeta = 16}), "zeta: 16 is out of range (1 to 15)");
  EXPECT_EQ(refused({.window = 65536}), "window: 65536 is out of range (0 to 65535)");
  EXPECT_EQ(refused({.min_interval = 1ull << 31}),
            "min_interval: 2147483648 is out of range (0 to 2147483647)");
  EXPECT_EQ(refused({.max_references = 1ull << 31}),
            "max_references: 2147483648 is out of range (0 to 2147483647)");
}

}  // namespace
