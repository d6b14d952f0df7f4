// All PEs of a job read graphs from files.

#include "atoll/graph/load.hpp"

#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <utility>

namespace {

using namespace atl;
using named_edge = std::pair<std::string, std::string>;

/// What a job finds in files. PE 0 fills in the members.
struct loaded {
  graph_size size;
  std::vector<edge> edges;  // the edges of all PEs, sorted
  std::vector<std::string> names;
  std::string error;

  std::vector<named_edge> named_edges() const {
    std::vector<named_edge> all;
    for (const edge& e : edges) all.emplace_back(names[e.from], names[e.to]);
    std::ranges::sort(all);
    return all;
  }
};

task<> all_load(const graph_files& files, per_pe<stored_edges> edges, vertex_names names,
                loaded& result) {
  graph_size size;
  std::string complaint;
  try {
    size = co_await all_load_edges(files, edges, names);
  } catch (const error& e) {
    EXPECT_EQ(e.exit_status(), 2);
    complaint = e.what();
  }
  std::vector<edge> all;
  const std::vector<edge> mine = edges->edges.all();
  for (const auto& of_pe : co_await all_gather(std::span<const edge>(mine))) {
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  }
  const std::uint64_t length = complaint.size();
  const auto equal = co_await all_gather(length);
  EXPECT_EQ(std::ranges::count(equal, length), pes()) << "errors differ";
  if (my_pe() != 0) co_return;
  std::ranges::sort(all);
  result.size = size;
  result.edges = std::move(all);
  result.error = complaint;
}

class load_files : public test::on_pes {
 protected:
  loaded load(const graph_files& files) {
    loaded result;
    run([&]() -> task<> {
      const auto names = co_await vertex_names::make();
      const auto edges = co_await per_pe<stored_edges>::make();
      const auto everywhere = [from = &files, edges, names, to = &result]() -> task<> {
        loaded scratch;
        co_await all_load(*from, edges, names, my_pe() == 0 ? *to : scratch);
      };
      co_await on_all_pes(everywhere);
      for (std::uint64_t v = 0; v < result.size.vertices; ++v) {
        result.names.push_back(co_await names.name_of(v));
      }
      co_await edges.destroy();
      co_await names.destroy();
    });
    return result;
  }

  loaded load(const std::string& edges, const std::string& names = "") {
    return load(graph_files{edges, names, {}});
  }

  scratch_folder folder_;
};

TEST_P(load_files, ids_stay_what_they_are) {
  const auto result = load(folder_.file("a.el", "0 1\n7 2\n7 2\n3 3\n"));
  EXPECT_EQ(result.size.vertices, 8u);
  EXPECT_EQ(result.size.edges, 4u);
  EXPECT_EQ(result.edges, (std::vector<edge>{{0, 1}, {3, 3}, {7, 2}, {7, 2}}));
  EXPECT_EQ(result.names, std::vector<std::string>(8));
}

TEST_P(load_files, an_empty_file_is_an_empty_graph) {
  const auto result = load(folder_.file("a.el", "# nothing\n"));
  EXPECT_EQ(result.size.vertices, 0u);
  EXPECT_EQ(result.size.edges, 0u);
}

std::string tree_of_names(int edges) {
  std::string text;
  for (int i = 1; i <= edges; ++i) {
    text += fmt::format("v{}\tv{}\n", i, i / 2);
  }
  return text;
}

TEST_P(load_files, names_are_numbered_without_gaps) {
  const auto result = load(folder_.file("a.tsv.gz", gzipped(tree_of_names(3000))));
  ASSERT_EQ(result.size.vertices, 3001u);
  ASSERT_EQ(result.size.edges, 3000u);
  std::vector<named_edge> expected;
  for (int i = 1; i <= 3000; ++i) {
    expected.emplace_back(fmt::format("v{}", i), fmt::format("v{}", i / 2));
  }
  std::ranges::sort(expected);
  EXPECT_EQ(result.named_edges(), expected);
  auto sorted = result.names;
  std::ranges::sort(sorted);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

TEST_P(load_files, numbers_of_names_do_not_depend_on_the_number_of_pes) {
  const auto path = folder_.file("a.tsv", tree_of_names(100));
  const auto here = load(path);
  const auto original = std::exchange(options, test::job_of({1, options.pe_kind}));
  EXPECT_EQ(load(path).names, here.names);
  options = original;
}

TEST_P(load_files, one_name_makes_all_ends_names) {
  const auto result = load(folder_.file("a.tsv", "1\t2\n2\t3\n3\t4\n4\t281474976710656\n4\tx\n"));
  EXPECT_EQ(result.size.vertices, 6u);
  EXPECT_EQ(result.named_edges(),
            (std::vector<named_edge>{
                {"1", "2"}, {"2", "3"}, {"3", "4"}, {"4", "281474976710656"}, {"4", "x"}}));
}

TEST_P(load_files, integers_in_a_tsv_are_ids) {
  const auto result = load(folder_.file("a.tsv", "1\t2\n2\t3\n"));
  EXPECT_EQ(result.size.vertices, 4u);
  EXPECT_EQ(result.names, std::vector<std::string>(4));
}

TEST_P(load_files, a_file_of_names_may_be_shorter_or_longer_than_the_graph) {
  const auto edges = folder_.file("a.el", "0 4\n");
  const auto shorter = load(edges, folder_.file("short", "a\n\nc\n"));
  EXPECT_EQ(shorter.size.vertices, 5u);
  EXPECT_EQ(shorter.names, (std::vector<std::string>{"a", "", "c", "", ""}));
  const auto longer = load(edges, folder_.file("long", "a\nb\nc\nd\ne\nf\ng\n"));
  EXPECT_EQ(longer.size.vertices, 7u);
  EXPECT_EQ(longer.names, (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g"}));
}

TEST_P(load_files, the_first_error_of_the_file_is_that_of_all_pes) {
  std::string text;
  for (int line = 1; line <= 2000; ++line) text += line % 700 == 0 ? "1 x\n" : "1 2\n";
  const auto path = folder_.file("a.el", text);
  const std::string complaint = ":700:3: expected an integer vertex id, found 'x'";
  EXPECT_EQ(load(path).error, path + complaint);
  const auto packed = folder_.file("a.el.zst", zstd_packed(text));
  EXPECT_EQ(load(packed).error, packed + complaint);
}

TEST_P(load_files, errors_of_all_kinds_are_the_same_everywhere) {
  const auto missing = folder_.path("missing.el");
  EXPECT_EQ(load(missing).error, missing + ": cannot open: No such file or directory");
  EXPECT_THAT(load(folder_.file("a.npy", "")).error, testing::HasSubstr("a.npy"));
  const auto large = folder_.file("a.tsv", "1\t2\n1\t281474976710656\n");
  EXPECT_THAT(load(large).error, testing::StartsWith(large + ":2:3: vertex id '281474976710656'"));
  const auto edges = folder_.file("a.el", "0 1\n");
  EXPECT_THAT(load(edges, missing).error, testing::StartsWith(missing + ": cannot open"));
  const auto named = folder_.file("b.tsv", "x\ty\n");
  EXPECT_THAT(load(named, edges).error, testing::HasSubstr("has names of its own"));
}

ATOLL_RUN_ON(load_files, 1, 2, 3, 8);

TEST(guessed_graph, is_exact_for_small_files_and_close_for_large_ones) {
  const scratch_folder folder;
  const graph_size small = guess_graph(folder.file("a.el", "0 1\n1 2\n")).size;
  EXPECT_EQ(small.edges, 2U);
  EXPECT_EQ(small.vertices, 3U);
  EXPECT_EQ(guess_graph(folder.file("empty.el", "")).size.edges, 0U);
  EXPECT_EQ(guess_graph(folder.file("named.tsv", "a\tb\n")).size.vertices, 0U);
  EXPECT_EQ(guess_graph(folder.file("w.wel", "0 1 -3\n1 2 1000\n")).weight_bits, 10U);
  EXPECT_EQ(guess_graph(folder.file("a.el", "0 1\n")).weight_bits, 0U);
  EXPECT_EQ(guess_graph(folder.file("said.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                                "70 70 1\n1 2\n"))
                .size.vertices,
            70U);
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += fmt::format("{} 7\n", i + 100'000);
  const graph_size large = guess_graph(folder.file("b.el", text)).size;
  EXPECT_NEAR(static_cast<double>(large.edges), 400'000, 10'000);
  EXPECT_GT(large.vertices, 350'000U);
  EXPECT_LE(large.vertices, 500'000U);
  const graph_size packed = guess_graph(folder.file("b.el.gz", gzipped(text))).size;
  EXPECT_NEAR(static_cast<double>(packed.edges), 400'000, 100'000);
  // This error is behind the first block of the file, and `guess_graph` reads only the first block.
  text += "x\n";
  EXPECT_GT(guess_graph(folder.file("c.el", text)).size.vertices, 350'000U);
}

}  // namespace
