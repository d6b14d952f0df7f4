// Tests the program `atoll-papers` as a user starts it.

#include "tests/app/shell.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <sstream>

namespace atl::reproduction {
namespace {

using namespace app;
using testing::HasSubstr;

/// Returns the names of the commands, in the order of --help.
std::vector<std::string> commands() {
  const std::string help = shell("$papers --help").output;
  const std::string title = "Subcommands:\n";
  const auto list = help.find(title);
  EXPECT_NE(list, std::string::npos) << help;
  std::istringstream lines(help.substr(std::min(list, help.size() - title.size()) + title.size()));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line) && line.starts_with("  ");)
    names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

TEST(papers, teach_their_commands) {
  EXPECT_THAT(commands(), testing::IsSupersetOf(
                              {"bfs", "cc", "pagerank", "mst", "sort", "concurrency", "model"}));
  for (const auto& command : commands()) {
    const auto help = shell("$papers " + command + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.output, HasSubstr("atoll-papers " + command)) << command;
    EXPECT_LE(std::ranges::count(help.output, '\n'), 45) << command << "\n" << help.output;
  }
}

TEST(papers, refuse_what_they_do_not_know) {
  expect("$papers", 2, "atoll-papers");
  expect("$papers modell", 2, "did you mean model?");
  expect("$papers concurrency --wokers 3", 2, "unknown flag --wokers, did you mean --workers?");
  expect("$papers gups", 2, "unknown command gups, see atoll-papers --help");
}

TEST(papers, are_no_part_of_the_product) {
  for (const std::string name : {"concurrency", "model"}) {
    const auto gone = shell("$p bench " + name);
    EXPECT_EQ(gone.status, 2) << name;
    EXPECT_THAT(gone.output, HasSubstr("unknown command " + name)) << name;
  }
}

}  // namespace
}  // namespace atl::reproduction
