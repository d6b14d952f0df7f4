// Tests how the commands report wrong results. The tested program loses edges when it builds the
// graph.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class wrong_result : public testing::TestWithParam<std::string> {
 protected:
  std::string chain() const {
    std::string text;
    for (int v = 0; v < 40; ++v) text += fmt::format("{} {}\n", v, v + 1);
    return folder_.file("chain.el", text);
  }

  /// Runs the command on the graph, with `flags`. The file of --output must remain unchanged.
  child_result run(const std::string& command, const std::string& flags) const {
    const auto output = folder_.file("out.csv", "old");
    auto result = shell(fmt::format("$(dirname $p)/app_losing_edges {} {} --verify -o {} {} {}",
                                    command, chain(), output, GetParam(), flags));
    EXPECT_EQ(content_of(output), "old") << command;
    return result;
  }

  /// Expects that the command and its benchmark report a wrong result, both in the text and in the
  /// JSON output.
  void expect_wrong(const std::string& command, const std::string& words) const {
    for (const std::string measures : {"", "bench "}) {
      const auto line = measures + command + (measures.empty() ? "" : " --trials 2");
      const auto said = run(line, "");
      EXPECT_EQ(said.status, 1) << line;
      EXPECT_THAT(said.output, HasSubstr(words)) << line;
      EXPECT_THAT(said.output, HasSubstr("WRONG RESULT: ")) << line;
      EXPECT_THAT(said.output, HasSubstr("the file of --output is not written")) << line;
      for (const char* figure : {"edges/s", "time: ", "output: "})
        EXPECT_THAT(said.output, Not(HasSubstr(figure))) << line;
      const auto written = run(line, "--json - 2>/dev/null");
      EXPECT_EQ(written.status, 1) << line;
      const auto json = nlohmann::json::parse(written.output, nullptr, false);
      ASSERT_FALSE(json.is_discarded()) << written.output;
      EXPECT_EQ(json["verified"], false) << line;
      EXPECT_TRUE(json["metrics"].empty()) << line;
      EXPECT_THAT(json["wrong"].get<std::string>(), HasSubstr(words)) << line;
    }
  }

 private:
  scratch_folder folder_;
};

TEST_P(wrong_result, of_components_names_the_labels) {
  expect_wrong("cc", ", and the smallest vertex of its component is 0; ");
}

TEST_P(wrong_result, of_a_search_names_what_the_graph_lacks) {
  expect_wrong("bfs --root 40", " has other neighbours in the graph than the edges of the input");
}

TEST_P(wrong_result, of_ranks_says_what_they_are_and_must_be) {
  expect_wrong("pagerank --undirected", ", and a serial program finds ");
}

TEST_P(wrong_result, of_paths_says_what_they_are_and_must_be) {
  expect_wrong("paths --root 0", " has distance inf and parent none, and a serial program finds ");
}

TEST_P(wrong_result, of_core_numbers_says_what_they_are_and_must_be) {
  expect_wrong("cores", " has the core number ");
}

INSTANTIATE_TEST_SUITE_P(, wrong_result,
                         testing::Values("--pes 1", "--pes 3", "--pes 2 --pe-kind thread",
                                         "--pes 5 --transport sim"),
                         [](const auto& of) { return fmt::format("way_{}", of.index); });

}  // namespace
}  // namespace atl::app
