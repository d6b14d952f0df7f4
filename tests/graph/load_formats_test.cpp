// All PEs of a job read graph files that declare sizes and have weights.

#include "atoll/graph/load.hpp"

#include "graph/csr_files.hpp"
#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using namespace atl;

/// What a job finds in a file. PE 0 fills in the members.
struct loaded_file {
  graph_size size;
  std::vector<edge> edges;  // the edges of all PEs, sorted
  std::uint64_t weights = 0;
  std::string error, weights_fault;
  bool undirected = false;
  std::vector<std::string> remarks;
  std::uint64_t columns_left_out = 0;
  bool real_weights = false;
  std::vector<double> reals;  // the weights of all PEs, sorted
  std::string negative_weight;
};

task<std::vector<double>> all_sorted_weights(const stored_edges& edges) {
  std::vector<double> mine, all;
  for (std::uint64_t i = 0; edges.weighted() && i < edges.size(); ++i)
    mine.push_back(edges.real_weight(i, edges(i)));
  for (const auto& of_pe : co_await all_gather(std::span<const double>(mine)))
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(all);
  co_return all;
}

task<> all_load_file(const std::string& path, bool real_weights, per_pe<stored_edges> edges,
                     vertex_names names, loaded_file& result) {
  loaded_file mine;
  graph_files files;
  files.edges = path;
  files.form.real_weights = real_weights;
  try {
    mine.size = co_await all_load_edges(files, edges, names);
  } catch (const error& e) {
    mine.error = e.what();
  }
  const std::vector<edge> here = edges->edges.all();
  for (const auto& of_pe : co_await all_gather(std::span<const edge>(here)))
    mine.edges.insert(mine.edges.end(), of_pe.begin(), of_pe.end());
  const std::uint64_t weights = edges->edges.weighted() ? edges->edges.size() : 0;
  mine.weights = co_await all_reduce(weights, [](auto a, auto b) { return a + b; });
  if (edges->weights_fault) mine.weights_fault = edges->weights_fault->what();
  mine.real_weights = edges->has_real_weights();
  mine.reals = co_await all_sorted_weights(edges.local());
  if (edges->negative_weight) mine.negative_weight = edges->negative_weight->what();
  mine.undirected = edges->undirected;
  mine.remarks = edges->remarks;
  mine.columns_left_out = edges->columns_left_out;
  std::ranges::sort(mine.edges);
  if (my_pe() == 0) result = mine;
}

class load_formats : public test::on_pes {
 protected:
  loaded_file load(const std::string& name, std::string_view content, bool real_weights = false) {
    const auto path = folder_.file(name, content);
    loaded_file result;
    run([&]() -> task<> {
      const auto names = co_await vertex_names::make();
      const auto edges = co_await per_pe<stored_edges>::make();
      const auto everywhere = [from = &path, real_weights, edges, names, to = &result]() -> task<> {
        loaded_file scratch;
        co_await all_load_file(*from, real_weights, edges, names, my_pe() == 0 ? *to : scratch);
      };
      co_await on_all_pes(everywhere);
      co_await edges.destroy();
      co_await names.destroy();
    });
    return result;
  }

  scratch_folder folder_;
};

TEST_P(load_formats, matrix_market) {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n9 9 3\n";
  const auto whole = load("a.mtx", head + "2 1 3\n3 2 4.0\n3 3 1e2\n");
  EXPECT_EQ(whole.edges, (std::vector<edge>{{1, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(whole.size.vertices, 9u);
  EXPECT_EQ(whole.weights, 3u);
  EXPECT_TRUE(whole.undirected);
  const auto real = load("a.txt", head + "2 1 3\n3 2 0.5\n3 3 0.25\n");
  EXPECT_EQ(real.edges, whole.edges);
  EXPECT_EQ(real.weights, 0u);
  EXPECT_EQ(real.weights_fault, folder_.path("a.txt") + ":4:5: weight '0.5' is no integer");
  EXPECT_EQ(load("b.mtx", head + "2 1 3\n").error,
            folder_.path("b.mtx") + ":2:5: it has 1 entries, and this line says 3");
}

TEST_P(load_formats, lines_of_neighbours) {
  std::string text = "300 300\n";
  std::vector<edge> expected = {{0, 299}};
  for (std::uint64_t i = 0; i < 300; ++i) {
    text += std::to_string((i + 299) % 300 + 1) + ' ' + std::to_string((i + 1) % 300 + 1) + '\n';
    if (i > 0) expected.push_back({i - 1, i});
  }
  std::ranges::sort(expected);
  EXPECT_EQ(load("a.graph", text).edges, expected);
  EXPECT_EQ(load("a.metis.gz", gzipped(text)).edges, expected);
  EXPECT_EQ(load("b.graph", "2 1\n2\n\n").error,
            folder_.path("b.graph") +
                ":2:1: vertex 1 has the neighbour 2, which has not 1 with the same weight");
}

TEST_P(load_formats, rows_in_binary) {
  const auto bytes = csr_files::file(false, {0, 1, 3, 4}, {1, 0, 2, 1});
  const auto found = load("a.sg", bytes);
  EXPECT_EQ(found.edges, (std::vector<edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(found.size.vertices, 3u);
}

TEST_P(load_formats, arcs_and_sets) {
  EXPECT_EQ(load("a.gr", "p sp 9 2\na 1 2 3\na 3 1 4\n").size.vertices, 9u);
  const auto sets = load("out.a", "% bip unweighted\n1 1\n3 2\n");
  EXPECT_EQ(sets.edges, (std::vector<edge>{{0, 3}, {2, 4}}));
  EXPECT_EQ(sets.size.vertices, 5u);
}

TEST_P(load_formats, lists_with_sizes_titles_and_weights) {
  std::string text = "300 299\n";
  for (int i = 1; i < 300; ++i) text += std::to_string(i / 2) + ' ' + std::to_string(i) + "\r";
  const auto sizes = load("a.txt", text);
  EXPECT_EQ(sizes.size.vertices, 300U);
  EXPECT_EQ(sizes.size.edges, 299U);
  ASSERT_EQ(sizes.remarks.size(), 1U);
  EXPECT_TRUE(
      sizes.remarks[0].starts_with(folder_.path("a.txt") + ":1:1: this line gives the sizes"));
  const auto titles = load("a.tsv", "from\tto\tweight\n1\t2\t5\n2\t3\t7\t9\n3\t1\t1\n");
  EXPECT_EQ(titles.edges, (std::vector<edge>{{1, 2}, {2, 3}, {3, 1}}));
  EXPECT_EQ(titles.weights, 3U);
  EXPECT_EQ(titles.columns_left_out, 1U);
  ASSERT_EQ(titles.remarks.size(), 2U);
  EXPECT_EQ(titles.remarks[0], folder_.path("a.tsv") +
                                   ":3:1: the line has 4 columns, and the first line with an edge "
                                   "3; 1 of 3 lines differ from that one");
  EXPECT_TRUE(titles.remarks[1].starts_with("vertex 0 has no edge, as the smallest id"));
  const auto without = load("b.txt", "0 1 5\n1 2 7\n2 3 x\n3 4 1\n");
  EXPECT_EQ(without.weights, 0U);
  EXPECT_TRUE(without.weights_fault.starts_with(folder_.path("b.txt") + ":3:5: "));
}

/// Returns lines with the edges of a path. The weights are 1, 2, 3 and so on, except for the weight
/// of the edge `changed`.
std::string weighted_lines(std::uint64_t count, std::uint64_t changed, std::string_view weight) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) {
    text += std::to_string(i) + ' ' + std::to_string(i + 1) + ' ';
    text += (i == changed ? std::string(weight) : std::to_string(i + 1)) + '\n';
  }
  return text;
}

TEST_P(load_formats, weights_that_are_real_are_doubles_on_all_pes) {
  for (const std::string name : {"a.wel", "a.txt", "a.wel.gz"}) {
    // The lines fill several blocks of packed edges, and most weights are integers.
    const std::uint64_t lines = 9000;
    const auto text = weighted_lines(lines, 7000, "-0.1");
    const auto found = load(name, name.ends_with("gz") ? gzipped(text) : text, true);
    EXPECT_EQ(found.error, "");
    EXPECT_TRUE(found.real_weights);
    ASSERT_EQ(found.reals.size(), lines);
    EXPECT_EQ(found.reals[0], -0.1);
    EXPECT_EQ(found.reals[1], 1);
    EXPECT_EQ(found.reals.back(), 9000);
    const auto place = folder_.path(name) + ":7001:11: weight '-0.1' is ";
    EXPECT_EQ(found.weights_fault, place + "no integer");
    EXPECT_EQ(found.negative_weight, place + "below 0");
  }
  EXPECT_EQ(load("a.csv", "from,to,weight\n1,2,.5\n2,3,1e30\n", true).reals,
            (std::vector{0.5, 1e30}));
  EXPECT_EQ(load("a.gr", "p sp 9 2\na 1 2 2.5\na 3 1 4\n", true).reals, (std::vector{2.5, 4.0}));
  const std::string head = "%%MatrixMarket matrix coordinate real general\n9 9 2\n";
  EXPECT_EQ(load("a.mtx", head + "2 1 3.d-1\n3 2 +4\n", true).reals, (std::vector{0.3, 4.0}));
  const auto integers = load("b.wel", "0 1 5\n1 2 7.0\n", true);
  EXPECT_FALSE(integers.real_weights);
  EXPECT_EQ(integers.reals, (std::vector{5.0, 7.0}));
}

TEST_P(load_formats, weights_that_are_not_finite_are_all_left_out) {
  for (const std::string weight : {"nan", "inf", "1e999", "0,5"}) {
    const auto text = weighted_lines(500, 400, weight) + "501 502 0.5\n";
    const auto found = load("a.wel", text, true);
    EXPECT_FALSE(found.real_weights) << weight;
    EXPECT_EQ(found.weights, 0U) << weight;
    EXPECT_TRUE(found.weights_fault.starts_with(folder_.path("a.wel") + ":401:9: weight "))
        << weight;
  }
}

ATOLL_RUN_ON(load_formats, 1, 2, 3, 4, 7, 8);

}  // namespace
