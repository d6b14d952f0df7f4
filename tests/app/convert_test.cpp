// `atoll convert`, as a user calls it.

#include "app/command.hpp"
#include "app/guarded.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "graph/bvgraph_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace atl::app {

void add_convert(CLI::App& root, command_context& context);

namespace {

using testing::HasSubstr;

/// Runs "atoll convert ARGUMENTS..." and returns its exit status; what it prints goes to `output`.
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

TEST(convert, refuses_what_it_cannot_do_and_leaves_nothing_behind) {
  const scratch_folder folder;
  const auto text = folder.file("a.el", "0 1\n1 x\n");
  const auto named = folder.file("a.tsv", "x\ty\n");
  std::string output;
  EXPECT_EQ(convert({text, folder.path("b.graph")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("a.el:2:3: expected an integer vertex id"));
  EXPECT_EQ(convert({named, folder.path("b.graph")}, &output), 2);
  EXPECT_THAT(output, HasSubstr("its vertices have names"));
  EXPECT_EQ(convert({text, text}, &output), 2);
  EXPECT_THAT(output, HasSubstr("the output is the file that is read"));
  EXPECT_EQ(convert({text, folder.path("b.npy")}), 2);
  EXPECT_EQ(convert({text, folder.path("b.graph.gz")}), 2);
  EXPECT_EQ(convert({text, folder.path("b.graph"), "--window", "70000"}), 2);
  EXPECT_EQ(convert({text}), 2);
  EXPECT_EQ(folder.files(), 2u);
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
