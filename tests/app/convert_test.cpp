// Tests `atoll convert` as a user calls it.

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "graph/bvgraph_files.hpp"
#include "graph/csr_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace atl::app {

void add_convert(CLI::App& root, command_context& context);

namespace {

using testing::HasSubstr;

/// Runs "atoll convert ARGUMENTS..." and returns its exit status. The printed text is stored in
/// `output`.
int convert(std::vector<std::string> arguments, std::string* output = nullptr) {
  command_context context;
  const auto root = new_program("test");
  add_convert(*root, context);
  arguments.insert(arguments.begin(), {"atoll", "convert"});
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto status = guarded([&] {
    return run_command_line(*root, context, static_cast<int>(words.size()), words.data());
  });
  std::fflush(stdout);
  const auto printed = testing::internal::GetCapturedStdout();
  const auto complaint = testing::internal::GetCapturedStderr();
  if (output != nullptr) *output = printed + complaint;
  return status;
}

TEST(convert, edges_become_lists_and_edges_again) {
  const scratch_folder folder;
  const auto text = folder.file("a.txt", "# web\n3 1\n0 2\n0 1\n3 1\n5 0\n");
  std::string output;
  ASSERT_EQ(convert({text, folder.path("b.graph"), "--vertices", "9"}, &output), 0);
  EXPECT_THAT(output, HasSubstr("b.graph: 4 edges between 9 vertices"));
  EXPECT_THAT(output, HasSubstr("left out: 1 edge that stood there before"));
  EXPECT_EQ(read_edges(folder.path("b")).declared->vertices, 9u);
  ASSERT_EQ(convert({folder.path("b"), folder.path("c.el")}), 0);
  EXPECT_EQ(content_of(folder.path("c.el")), "0 1\n0 2\n3 1\n5 0\n");
}

TEST(convert, takes_every_pair_of_formats) {
  const scratch_folder folder;
  const auto edges = bvgraph_files::edges_of(bvgraph_files::random_lists(100, 1));
  bvgraph_files::write(folder.path("a"), bvgraph_files::random_lists(100, 1));
  const std::vector<std::string> files = {"a.graph",   "b.el.gz", "c.wel",   "d.tsv",
                                          "e.csv.zst", "f.txt",   "g.graph", "h.graph"};
  for (std::size_t i = 1; i < files.size(); ++i) {
    ASSERT_EQ(convert({folder.path(files[i - 1]), folder.path(files[i])}), 0) << files[i];
    EXPECT_EQ(read_edges(folder.path(files[i])).edges, edges) << files[i];
  }
}

/// Returns the sorted edges with their weights. The smaller endpoint of each edge comes first.
std::vector<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>>
weighted_edges(const edge_list& list) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::int64_t>> edges;
  for (std::size_t i = 0; i < list.edges.size(); ++i) {
    const auto [from, to] = list.edges[i];
    edges.emplace_back(std::min(from, to), std::max(from, to),
                       list.weights.empty() ? 1 : list.weights[i]);
  }
  std::ranges::sort(edges);
  return edges;
}

TEST(convert, edges_stay_the_same_through_every_pair_of_formats_with_weights) {
  const scratch_folder folder;
  const auto first = folder.file("a.wel", "0 1 7\n4 2 -3\n2 4 9\n3 3 5\n4 2 -3\n1 3 1\n1 3 2\n");
  const auto expected = weighted_edges(read_edges(first));
  const std::vector<std::string> files = {"a.wel",    "b.mtx.gz", "c.metis",
                                          "d.gr.zst", "out.e",    "f.wsg"};
  for (const auto& from : files) {
    if (from != files[0]) {
      ASSERT_EQ(convert({first, folder.path(from), "--vertices", "7"}), 0);
    }
    for (const auto& to : files) {
      const auto output = folder.path(to.starts_with("out.") ? "out.to" : "to-" + to);
      ASSERT_EQ(convert({folder.path(from), output}), 0) << from << " to " << to;
      EXPECT_EQ(weighted_edges(read_edges(output)), expected) << from << " to " << to;
    }
  }
}

TEST(convert, edges_stay_the_same_through_every_pair_of_formats_without_weights) {
  const scratch_folder folder;
  const auto first = folder.file("a.el", "0 1\n4 2\n2 4\n3 3\n4 2\n1 3\n1 3\n");
  const auto expected = weighted_edges(read_edges(first));
  const std::vector<std::string> files = {"a.el",  "b.mtx", "c.metis.gz", "d.txt",
                                          "out.e", "f.sg",  "g.tsv.zst",  "h.csv"};
  for (const auto& from : files) {
    if (from != files[0]) {
      ASSERT_EQ(convert({first, folder.path(from)}), 0);
    }
    for (const auto& to : files) {
      const auto output = folder.path(to.starts_with("out.") ? "out.to" : "to-" + to);
      for (const auto* const direction : {"", "--undirected"}) {
        std::vector<std::string> arguments = {folder.path(from), output};
        if (*direction != '\0') arguments.emplace_back(direction);
        ASSERT_EQ(convert(arguments), 0) << from << " to " << to;
        EXPECT_EQ(weighted_edges(read_edges(output)), expected) << from << " to " << to;
      }
    }
  }
}

TEST(convert, the_texts_are_those_of_the_formats) {
  const scratch_folder folder;
  const auto weighted = folder.file("a.wel", "0 1 7\n2 2 -3\n");
  const auto plain = folder.file("a.el", "0 1\n2 2\n");
  const auto text_of = [&](const std::string& input, const std::string& name,
                           std::vector<std::string> more = {}) {
    more.insert(more.begin(), {input, folder.path(name)});
    EXPECT_EQ(convert(more), 0);
    return content_of(folder.path(name));
  };
  EXPECT_EQ(text_of(plain, "b.mtx"),
            "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 3\n");
  EXPECT_EQ(text_of(weighted, "b.mtx", {"--undirected"}),
            "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 -3\n");
  EXPECT_EQ(text_of(plain, "b.gr"), "p sp 3 2\na 1 2 1\na 3 3 1\n");
  EXPECT_EQ(text_of(plain, "out.b"), "% asym unweighted\n% 2 3 3\n1 2\n3 3\n");
  EXPECT_EQ(text_of(weighted, "out.b", {"--undirected"}),
            "% sym weighted\n% 2 3 3\n1 2 7\n3 3 -3\n");
  EXPECT_EQ(text_of(plain, "b.metis"), "3 2\n2\n1\n3 3\n");
  EXPECT_EQ(text_of(weighted, "b", {"--to", "metis"}), "3 2 1\n2 7\n1 7\n3 -3 3 -3\n");
  EXPECT_EQ(text_of(plain, "b.sg", {"--undirected"}),
            csr_files::file(false, {0, 1, 2, 4}, {1, 0, 2, 2}));
  EXPECT_EQ(text_of(weighted, "b.wsg"), csr_files::head(true, 2, 3) +
                                            csr_files::rows({0, 1, 1, 2}, {1, 7, 2, -3}) +
                                            csr_files::rows({0, 0, 1, 2}, {0, 7, 2, -3}));
}

TEST(convert, real_weights_stay_exact_where_the_output_holds_them) {
  const scratch_folder folder;
  const auto real = folder.file("a.wel", "0 1 0.1\n1 2 3\n2 0 1e-300\n");
  const std::vector<std::pair<std::string, std::string>> wanted = {
      {"b.wel", "0 1 0.1\n1 2 3\n2 0 1e-300\n"},
      {"b.mtx",
       "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.1\n2 3 3\n3 1 1e-300\n"},
      {"b.e", "0 1 0.1\n1 2 3\n2 0 1e-300\n"},
      {"out.b", "% asym weighted\n% 3 3 3\n1 2 0.1\n2 3 3\n3 1 1e-300\n"}};
  for (const auto& [name, text] : wanted) {
    ASSERT_EQ(convert({real, folder.path(name)}), 0);
    EXPECT_EQ(content_of(folder.path(name)), text);
  }
  std::string output;
  ASSERT_EQ(convert({folder.path("b.mtx"), folder.path("c.wel")}, &output), 0);
  EXPECT_EQ(content_of(folder.path("c.wel")), content_of(real));
  EXPECT_EQ(output.find("left out"), std::string::npos);
}

TEST(convert, says_what_it_leaves_out) {
  const scratch_folder folder;
  const auto weighted = folder.file("a.gr", "p sp 2 1\na 1 2 5000000000\n");
  std::string output;
  ASSERT_EQ(convert({weighted, folder.path("b.sg")}, &output), 0);
  EXPECT_THAT(output, HasSubstr("left out: the weights\n"));
  ASSERT_EQ(convert({weighted, folder.path("b.metis")}, &output), 0);
  EXPECT_THAT(output, HasSubstr("left out: the directions\n"));
  const auto real =
      folder.file("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 0.5\n");
  ASSERT_EQ(convert({real, folder.path("c.metis")}, &output), 0);
  EXPECT_THAT(output, HasSubstr("left out: the weights; " + real +
                                ":3:5: weight '0.5' is no "
                                "integer\n"));
  EXPECT_EQ(output.find("directions"), std::string::npos);
  EXPECT_EQ(convert({weighted, folder.path("b.wsg")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("b.wsg: the weight 5000000000 of the edge from 0 to 1 does not "
                                "fit 32 bits"));
  EXPECT_EQ(convert({weighted, folder.path("b"), "--to", "pdf"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("--to: pdf is no format: give el, tsv, "));
  EXPECT_EQ(convert({weighted, folder.path("b.sg.gz")}, &output), 2);
}

TEST(convert, says_which_vertices_and_columns_it_leaves_out) {
  const scratch_folder folder;
  const auto isolated =
      folder.file("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 2\n2 1\n4 3\n");
  std::string output;
  for (const auto* name : {"b.el", "b.wel", "b.tsv", "b.txt", "b.csv"}) {
    ASSERT_EQ(convert({isolated, folder.path(name)}, &output), 0);
    EXPECT_THAT(output, HasSubstr("left out: 2 vertices without an edge behind the last\n"))
        << name;
  }
  ASSERT_EQ(convert({isolated, folder.path("b.gr")}, &output), 0);
  EXPECT_EQ(output.find("left out"), std::string::npos);
  EXPECT_THAT(output, HasSubstr("note: each edge weighs 1, as the input has no weights\n"));
  const auto text = folder.file("a.txt", "1 2 5 x\n2 3 7 y\n3 1 1 z\n");
  ASSERT_EQ(convert({text, folder.path("c.wel")}, &output), 0);
  EXPECT_EQ(content_of(folder.path("c.wel")), "1 2 5\n2 3 7\n3 1 1\n");
  EXPECT_THAT(output, HasSubstr("left out: 1 column of the input\n"));
  EXPECT_THAT(output, HasSubstr("note: vertex 0 has no edge, as the smallest id in"));
  const auto unusual = folder.file("a.wel", "0 1 5\n1 0 5\n2 2 -1\n");
  const auto metis = folder.path("c.metis");
  ASSERT_EQ(convert({unusual, metis}, &output), 0);
  EXPECT_THAT(output, HasSubstr("no edges from a vertex to itself, and " + metis + " has 1\n"));
  EXPECT_THAT(output, HasSubstr("no edges that stand there before, and " + metis + " has 1\n"));
  EXPECT_THAT(output, HasSubstr("no weights below 1, and " + metis + " has 1\n"));
}

TEST(convert, keeps_weights_where_it_can) {
  const scratch_folder folder;
  const auto weighted = folder.file("a.wel", "0 1 -7\n1 2 8\n");
  std::string output;
  ASSERT_EQ(convert({weighted, folder.path("b.wel.gz")}, &output), 0);
  EXPECT_EQ(read_edges(folder.path("b.wel.gz")).weights, (std::vector<std::int64_t>{-7, 8}));
  EXPECT_EQ(output.find("weights"), std::string::npos);
  ASSERT_EQ(convert({weighted, folder.path("c.graph")}, &output), 0);
  EXPECT_THAT(output, HasSubstr("left out: the weights"));
}

TEST(convert, the_flags_are_those_of_the_properties) {
  const scratch_folder folder;
  const auto text = folder.file("a.el", "0 1\n1 2\n");
  ASSERT_EQ(convert({text, folder.path("b.graph"), "--window", "2", "--max-references", "1",
                     "--min-interval", "0", "--zeta", "5"}),
            0);
  const auto properties = content_of(folder.path("b.properties"));
  for (const auto* const line : {"windowsize=2\n", "maxrefcount=1\n", "minintervallength=0\n",
                                 "zetak=5\n", "nodes=3\n", "arcs=2\n"})
    EXPECT_THAT(properties, HasSubstr(line));
}

TEST(convert, says_where_the_first_edge_reads_as_sizes) {
  const scratch_folder folder;
  const auto matrix = folder.file(
      "a.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 4\n5 4\n1 2\n2 3\n3 4\n");
  for (const auto* name : {"b.el", "b.txt", "b.csv.gz", "b.tsv"}) {
    std::string output;
    const auto list = folder.path(name);
    ASSERT_EQ(convert({matrix, list}, &output), 0);
    EXPECT_THAT(output, HasSubstr("note: the first edge of " + list +
                                  " reads as the sizes of the rest; --skip-lines 0 takes it for an "
                                  "edge\n"));
    ASSERT_EQ(convert({list, folder.path("c.el"), "--skip-lines", "0"}), 0);
    EXPECT_EQ(content_of(folder.path("c.el")), "4 3\n0 1\n1 2\n2 3\n");
  }
  std::string output;
  ASSERT_EQ(convert({matrix, folder.path("b.gr")}, &output), 0);
  EXPECT_EQ(output.find("reads as"), output.npos) << output;
}

TEST(convert, refuses_what_it_cannot_do_and_leaves_nothing_behind) {
  const scratch_folder folder;
  const auto text = folder.file("a.el", "0 1\n1 x\n");
  const auto named = folder.file("a.tsv", "x\ty\n");
  std::string output;
  EXPECT_EQ(convert({text, folder.path("b.graph")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("a.el:2:3: expected an integer vertex id"));
  EXPECT_EQ(convert({named, folder.path("b.graph")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("its vertices have names"));
  EXPECT_EQ(convert({text, "-", "--to", "mtx"}, &output), 2);
  EXPECT_THAT(output, HasSubstr("-: a graph is written to a file, not to standard output"));
  EXPECT_EQ(convert({text, text}, &output), 2);
  EXPECT_THAT(output, HasSubstr("the output is the file that is read"));
  EXPECT_EQ(convert({text, folder.path("b.npy")}), 2);
  EXPECT_EQ(convert({text, folder.path("b.graph.gz")}), 2);
  EXPECT_EQ(convert({text, folder.path("b.graph"), "--window", "70000"}), 2);
  EXPECT_EQ(convert({text}), 2);
  const auto huge = folder.file("huge.el", "0 281474976710655\n");
  for (const auto* name : {"b.graph", "b.metis", "b.metis.gz"}) {
    EXPECT_EQ(convert({huge, folder.path(name)}, &output), 2) << name;
    EXPECT_THAT(output, HasSubstr("281,474,976,710,656 vertices take")) << name;
  }
  EXPECT_EQ(folder.files(), 3u);
}

TEST(convert, a_real_web_graph_stays_as_small_as_it_was) {
  const auto path = bvgraph_files::real_graph();
  if (path.empty()) GTEST_SKIP() << "there is no cnr-2000.graph in $ATOLL_DATA";
  const scratch_folder folder;
  ASSERT_EQ(convert({path, folder.path("a.el")}), 0);
  ASSERT_EQ(convert({folder.path("a.el"), folder.path("b.graph"), "--vertices", "325557"}), 0);
  EXPECT_LE(static_cast<double>(content_of(folder.path("b.graph")).size()), 1.05 * 1'164'848);
  EXPECT_EQ(read_edges(folder.path("b")).edges, read_edges(path).edges);
}

}  // namespace
}  // namespace atl::app
