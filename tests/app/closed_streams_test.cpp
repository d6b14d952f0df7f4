// Tests programs that begin with closed standard descriptors, like programs that a daemon starts.
// Printed text must never end up in a file that the program opens.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace atl::app {
namespace {

const std::string only_labels = "vertex,label\n0,0\n1,0\n2,0\n";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class closed_streams : public testing::Test {
 protected:
  /// Runs the program after the descriptors in `closed` were closed. Returns the content of the
  /// output file.
  std::string written_with(const std::string& closed, int pes, const std::string& more = "") {
    const std::string file = folder_.path("out.csv");
    std::filesystem::remove(file);
    status_ = shell_apart(fmt::format("$p cc {} --pes {} --verify -o {} {} {}", graph_, pes, file,
                                      more, closed))
                  .status;
    return content_of(file);
  }

  const scratch_folder folder_;
  const std::string graph_ = folder_.file("chain.el", "0 1\n1 2\n");
  int status_ = 0;
};

TEST_F(closed_streams, leave_the_result_as_it_is) {
  for (const int pes : {1, 2, 3})
    for (const std::string closed : {"<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
      EXPECT_EQ(written_with(closed, pes), only_labels) << closed << " " << pes;
      const bool output_is_lost = closed.find(" >&-") != closed.npos || closed.starts_with(">&-");
      EXPECT_EQ(status_, output_is_lost ? 2 : 0) << closed << " " << pes;
    }
}

TEST_F(closed_streams, do_so_however_pes_are_started) {
  for (const std::string how : {"--pe-kind thread", "--transport sim"})
    EXPECT_EQ(written_with("<&- >&- 2>&-", 3, how), only_labels) << how;
}

TEST_F(closed_streams, leave_the_files_of_counters_and_events_as_they_are) {
  const std::string metrics = folder_.path("metrics.json"), trace = folder_.path("trace.json");
  const auto more = fmt::format("--metrics {} --trace {}", metrics, trace);
  EXPECT_EQ(written_with("<&- >&- 2>&-", 2, more), only_labels);
  EXPECT_TRUE(nlohmann::json::accept(content_of(metrics)));
  EXPECT_TRUE(nlohmann::json::accept(content_of(trace)));
}

// The result of this command goes to standard output, so a closed standard output is an error.
TEST_F(closed_streams, are_an_error_where_the_result_would_be_lost) {
  for (const auto& command : {"info " + graph_, "cc " + graph_ + " --pes 2"}) {
    const auto result = shell_apart("exec 3>&1 >&- 2>&3; $p " + command);
    EXPECT_EQ(result.status, 2) << command;
  }
}

TEST_F(closed_streams, are_said_where_standard_error_is_open) {
  const auto result = shell_apart(fmt::format("$p info {} 2>&1 >&-", graph_));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("standard output could not be written"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace atl::app
