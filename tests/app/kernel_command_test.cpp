// The way of a command that runs a kernel, with a kernel that finds what it is told: what is said,
// and the file of --output from before the job to after it.

#include "app/driver/kernel_command.hpp"

#include "atoll/error.hpp"
#include "graph/scratch_file.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Writes four letters.
class made_kernel : public kernel_command {
 public:
  made_kernel(graph_flags& flags, bool right)
      : kernel_command("made", flags.common, one_pe()), right_(right), output_(flags) {}

  std::string before;  ///< a file that must not have changed when the row is written

 private:
  static settings one_pe() {
    settings options;
    options.set("pes", "1", "--pes");
    return options;
  }

  void check_before_start() override {}
  void add_parameters() override { result().parameter("file", "x.el"); }
  std::vector<used_file> inputs() const override { return {}; }
  std::vector<compared_program> programs() override { return {}; }
  result_output& output() override { return output_; }
  std::string_view doing() const override { return "making"; }
  bool right() const override { return right_; }
  void describe() override { result().line("made it"); }
  task<> main() override {
    while (trials().begin()) trials().end({{"rate", "rows/s", 4}, {"seconds", "s", 0.25}});
    if (output_.wanted()) output_.taker()("xxxx", 1);
    if (output_.wanted() && !before.empty()) {
      EXPECT_EQ(content_of(before), "old");
    }
    co_return;
  }

  bool right_;
  vertex_output output_;
};

class driver : public testing::Test {
 protected:
  /// The exit status; what is printed goes to `text_`.
  int run(bool right) {
    made_kernel kernel(flags_, right);
    kernel.before = flags_.output;
    testing::internal::CaptureStdout();
    const int status = kernel.run();
    text_ = testing::internal::GetCapturedStdout();
    return status;
  }

  scratch_folder folder_;
  graph_flags flags_;
  std::string text_;
};

TEST_F(driver, of_an_answer_says_what_was_found_in_which_time) {
  flags_.common.measures = false;
  EXPECT_EQ(run(true), 0);
  EXPECT_EQ(text_, "made it\ntime: making 250 ms (1 PE)\n");
  flags_.common.verify = true;
  flags_.output = folder_.file("a.txt", "old");
  EXPECT_EQ(run(true), 0);
  EXPECT_EQ(text_, "made it\ntime: making 250 ms (1 PE)\noutput: " + flags_.output +
                       "\nverified: the result is right\n");
}

TEST_F(driver, of_a_benchmark_says_how_fast_it_was) {
  EXPECT_EQ(run(true), 0);
  for (const char* part : {"made: 1 PE on ", "file x.el", "trials 3", "4 rows/s", "made it\n",
                           "not verified (--verify checks the result)\n"})
    EXPECT_THAT(text_, HasSubstr(part));
}

TEST_F(driver, gives_a_right_result_its_name_in_the_end) {
  flags_.output = folder_.file("a.txt", "old");
  for (const bool measures : {true, false}) {
    flags_.common.measures = measures;
    folder_.file("a.txt", "old");
    EXPECT_EQ(run(true), 0);
    EXPECT_EQ(content_of(flags_.output), "xxxx");
    EXPECT_EQ(folder_.files(), 1U);
  }
}

TEST_F(driver, does_not_write_a_wrong_result) {
  flags_.output = folder_.file("a.txt", "old");
  for (const bool measures : {true, false}) {
    for (const bool verify : {true, false}) {
      flags_.common.measures = measures;
      flags_.common.verify = verify;
      EXPECT_EQ(run(false), 1);
      EXPECT_EQ(content_of(flags_.output), "old");
      EXPECT_EQ(folder_.files(), 1U);
      EXPECT_THAT(text_, HasSubstr("the file of --output is not written: the result is wrong\n"));
      EXPECT_THAT(text_, HasSubstr("WRONG RESULT: "));
      for (const char* figure : {"rows/s", "time:", "250 ms"})
        EXPECT_THAT(text_, Not(HasSubstr(figure)));
    }
  }
}

TEST_F(driver, tells_where_the_result_cannot_get_its_name) {
  flags_.output = folder_.path("gone/a.txt");
  std::filesystem::create_directory(folder_.path("gone"));
  made_kernel kernel(flags_, true);
  std::filesystem::remove_all(folder_.path("gone"));
  testing::internal::CaptureStdout();
  std::string complaint;
  try {
    kernel.run();
  } catch (const error& e) {
    EXPECT_EQ(e.exit_status(), 2);
    complaint = e.what();
  }
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(complaint, "--output: " + flags_.output + ": cannot write: No such file or directory");
}

TEST_F(driver, leaves_the_old_file_where_the_disk_is_full) {
  flags_.output = folder_.file("a.txt", "old");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
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

}  // namespace
}  // namespace atl::app
