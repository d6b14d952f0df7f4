// What people read about searches.

#include "app/bfs_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace atl::app {
namespace {

using kernels::bfs::search_outcome;
using testing::HasSubstr;
using testing::Not;

search_outcome outcome_of(std::uint64_t root, std::uint64_t levels, std::uint64_t reached) {
  search_outcome outcome;
  outcome.root = root;
  outcome.seconds = 0.5;
  outcome.levels = levels;
  outcome.reached_vertices = reached;
  outcome.traversed_edges = 1000;
  return outcome;
}

bfs_findings two_searches() {
  bfs_findings found;
  found.size = {2000, 1500};
  found.pes = {{1000, 1800, 9000, 5, 100}, {1000, 1200, 8000, 6, 200}};
  found.roots = {{7, "seven"}, {9, "9"}};
  found.trials = {{outcome_of(7, 2, 1200), outcome_of(9, 3, 1100)}};
  found.levels = {{1, {"seven"}}, {1199, {"eight", "nine"}}};
  return found;
}

std::string text_about(const bfs_flags& flags, const bfs_findings& found) {
  report result("bfs", settings{});
  describe(result, flags, found);
  return result.text();
}

TEST(bfs_text, describes_the_graph_and_the_searches) {
  const auto text = text_about(bfs_flags{}, two_searches());
  EXPECT_THAT(text, HasSubstr("graph: 2,000 vertices, 1,500 edges, 3,000 arcs kept in 32 bits"));
  EXPECT_THAT(text, HasSubstr("the largest PE holds 1.20 times its share of the arcs\n"));
  EXPECT_THAT(text, HasSubstr("1,100 to 1,200 of 2,000 vertices reached in 2 to 3 levels, from 2 "
                              "random roots\n"));
  EXPECT_THAT(text, Not(HasSubstr("levels from")));
  EXPECT_THAT(text, Not(HasSubstr("rule")));
}

TEST(bfs_text, tells_each_search_from_a_root_that_was_asked_for) {
  bfs_flags flags;
  flags.chosen_roots = {"seven", "9"};
  EXPECT_THAT(text_about(flags, two_searches()),
              HasSubstr("1,200 of 2,000 vertices reached from seven in 2 levels\n"
                        "1,100 of 2,000 vertices reached from 9 in 3 levels\n"));
}

TEST(bfs_text, lists_as_many_examples_as_a_line_holds) {
  bfs_flags flags;
  flags.levels = true;
  auto found = two_searches();
  EXPECT_THAT(text_about(flags, found), HasSubstr("    0               1  seven\n"
                                                  "    1           1,199  eight, nine, ...\n"));
  found.levels[1].examples = {std::string(39, 'a'), std::string(50, 'b'), "c"};
  EXPECT_THAT(text_about(flags, found), HasSubstr("  " + std::string(39, 'a') + ", ...\n"));
  found.levels.resize(100, {5, {"x"}});
  EXPECT_THAT(text_about(flags, found), HasSubstr("  and so on to level 99\n"));
}

TEST(bfs_text, shortens_names_between_characters) {
  bfs_flags flags;
  flags.chosen_roots = {""};
  auto found = two_searches();
  found.roots[0].text.clear();
  for (int i = 0; i < 30; ++i) found.roots[0].text += "\xc3\xa4";
  std::string shortened;
  for (int i = 0; i < 18; ++i) shortened += "\xc3\xa4";
  EXPECT_THAT(text_about(flags, found), HasSubstr("from " + shortened + "... in"));
}

TEST(bfs_text, draws_a_path_as_the_edges_stand) {
  bfs_flags flags;
  flags.path_to = "ten";
  auto found = two_searches();
  EXPECT_THAT(text_about(flags, found), HasSubstr("no path leads from seven to ten\n"));
  found.path = {"seven", "eight", "ten"};
  EXPECT_THAT(text_about(flags, found),
              HasSubstr("a path of 2 edges from seven to ten\n  seven - eight - ten\n"));
  flags.arcs_are = orientation::in;
  EXPECT_THAT(text_about(flags, found), HasSubstr("  seven <- eight <- ten\n"));
  flags.arcs_are = orientation::out;
  EXPECT_THAT(text_about(flags, found), HasSubstr("  seven -> eight -> ten\n"));
  found.path.assign(1000, "x");
  EXPECT_THAT(text_about(flags, found), HasSubstr("x -> ... -> x"));
}

TEST(bfs_text, counts_violations_by_rule) {
  auto found = two_searches();
  found.trials[0][1].found.of_rule[5] = 1200;
  found.trials[0][0].found.of_rule[2] = 1;
  const auto text = text_about(bfs_flags{}, found);
  EXPECT_THAT(text, HasSubstr("rule 2 (a vertex is one level below its parent): 1 violation\n"));
  EXPECT_THAT(text, HasSubstr("rule 5 (a vertex and its parent are joined by an edge): 1,200 "
                              "violations\n"));
  EXPECT_THAT(text, Not(HasSubstr("rule 1")));
}

}  // namespace
}  // namespace atl::app
