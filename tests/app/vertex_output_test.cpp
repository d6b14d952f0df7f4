// The file of --output, from before the job to after it.

#include "app/vertex_output.hpp"

#include "atoll/error.hpp"
#include "graph/scratch_file.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace atl::app {
namespace {

class output_flag : public testing::Test {
 protected:
  // A run of a command whose result is right or wrong. Returns its exit status.
  int run(bool right) {
    report result("cc", settings{});
    vertex_output output(flags_);
    const auto take = output.taker();
    take("# vertex\tlabel\n", 0);
    take("0\t0\n", 1);
    EXPECT_EQ(content_of(flags_.output), "old");
    result.verified(right);
    return publish(result, common_, output);
  }

  scratch_folder folder_;
  graph_flags flags_;
  benchmark_flags common_;
};

TEST_F(output_flag, gives_a_right_result_its_name_in_the_end) {
  flags_.output = folder_.file("a.txt", "old");
  EXPECT_EQ(run(true), 0);
  EXPECT_EQ(content_of(flags_.output), "# vertex\tlabel\n0\t0\n");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(output_flag, does_not_write_a_wrong_result) {
  flags_.output = folder_.file("a.txt", "old");
  EXPECT_EQ(run(false), 1);
  EXPECT_EQ(content_of(flags_.output), "old");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(output_flag, tells_where_the_result_cannot_get_its_name) {
  flags_.output = folder_.path("gone/a.txt");
  std::filesystem::create_directory(folder_.path("gone"));
  report result("cc", settings{});
  vertex_output output(flags_);
  std::filesystem::remove_all(folder_.path("gone"));
  try {
    publish(result, common_, output);
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.exit_status(), 2);
    EXPECT_EQ(std::string(e.what()),
              "--output: " + flags_.output + ": cannot write: No such file or directory");
  }
}

TEST_F(output_flag, leaves_the_old_file_where_the_disk_is_full) {
  flags_.output = folder_.file("a.txt", "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  report result("cc", settings{});
  std::string complaint;
  {
    vertex_output output(flags_);
    const rlimit small{10'000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    try {
      output.taker()(std::string(20'000, 'x'), 0);
    } catch (const error& e) {
      EXPECT_EQ(e.exit_status(), 2);
      complaint = e.what();
    }
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  }
  const auto expected = "--output: " + flags_.output + ": cannot write: File too large";
  EXPECT_EQ(complaint.substr(0, expected.size()), expected);
  EXPECT_EQ(content_of(flags_.output), "old");
  EXPECT_EQ(folder_.files(), 1U);
}

TEST_F(output_flag, may_be_missing) {
  report result("cc", settings{});
  vertex_output output(flags_);
  EXPECT_FALSE(output.wanted());
  EXPECT_EQ(publish(result, common_, output), 0);
}

}  // namespace
}  // namespace atl::app
