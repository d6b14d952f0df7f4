// Several PEs write whole lines to standard output. On request, each line begins with the number of
// its PE.

#include "job/jobs.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace atl::job {
namespace {

using output = jobs;

/// Returns the lines that a job writes to standard output, sorted.
std::vector<std::string> lines_of(const std::function<void()>& job) {
  testing::internal::CaptureStdout();
  job();
  std::fflush(stdout);
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

void talk(endpoint& wire) {
  for (int i = 0; i < 100; ++i) std::printf("line %d of %d\n", 100 + i, wire.rank());
  std::cout << "streams of " << wire.rank() << " too\n";
  std::printf("unfinished");
}

TEST_P(output, with_tags_says_whose_each_line_is) {
  options_.tag_output = true;
  const auto lines = lines_of([&] {
    run([](endpoint& wire) {
      talk(wire);
      return 0;
    });
    std::printf("untagged again");
  });
  std::vector<std::string> expected;
  for (int pe = 0; pe < pes(); ++pe) {
    const std::string tag = "[PE " + std::to_string(pe) + "] ";
    for (int i = 100; i < 200; ++i)
      expected.push_back(tag + "line " + std::to_string(i) + " of " + std::to_string(pe));
    expected.push_back(tag + "streams of " + std::to_string(pe) + " too");
    expected.push_back(tag + "unfinished");
  }
  expected.push_back("untagged again");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}

TEST_P(output, is_not_written_twice_and_not_torn) {
  const auto lines = lines_of([&] {
    std::printf("before the fork, without an end: ");
    run([](endpoint& wire) {
      std::printf("PE %d writes a line\n", wire.rank());
      return 0;
    });
  });
  EXPECT_EQ(static_cast<int>(lines.size()), pes());
  for (const std::string& line : lines) EXPECT_NE(line.find(" writes a line"), line.npos) << line;
}

/// Returns the number of bytes in the file to which standard output is redirected.
off_t written() {
  struct stat seen{};
  return fstat(STDOUT_FILENO, &seen) == 0 ? seen.st_size : -1;
}

bool is_written_at_once(const char* text) {
  const off_t before = written();
  std::printf("%s", text);
  return written() > before;
}

TEST_P(output, that_the_program_has_written_at_once_still_is) {
  const auto lines = lines_of([&] {
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    run([](endpoint& wire) {
      if (wire.rank() == wire.size() - 1)
        require(is_written_at_once("within"), "standard output has got a buffer");
      return 0;
    });
    EXPECT_TRUE(is_written_at_once(" and behind"));
    static char buffer[BUFSIZ];
    std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  });
  EXPECT_EQ(lines, std::vector<std::string>{"within and behind"});
}

TEST_P(output, that_is_written_in_blocks_still_is_behind_the_job) {
  const auto lines = lines_of([&] {
    run([](endpoint&) { return 0; });
    EXPECT_FALSE(is_written_at_once("a line\n"));
  });
  EXPECT_EQ(lines, std::vector<std::string>{"a line"});
}

ATOLL_INSTANTIATE(output, all_ways, 1, 2, 3, 7);

}  // namespace
}  // namespace atl::job
