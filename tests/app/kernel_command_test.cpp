// Tests the steps of a command that runs a kernel. Instead of a real kernel, a stub runs. The tests
// decide what the stub writes, and whether its result counts as right. The tests then check the
// printed text and the file of --output.

#include "app/driver/kernel_command.hpp"

#include "app/driver/guarded.hpp"
#include "atoll/error.hpp"
#include "atoll/output_file.hpp"
#include "graph/scratch_file.hpp"
#include "support/file_size_limit.hpp"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A result that writes its text to a file.
struct made_result {
  std::string text = "xxxx";

  task<> write(std::string path) const {
    output_file file(path);
    file.write(text);
    file.commit();
    co_return;
  }
};

class made_kernel : public kernel_command {
 public:
  made_kernel(graph_flags& flags, bool right)
      : kernel_command("made", flags.common, one_pe()), right_(right), output_(flags) {}

  made_result made;
  std::function<void()> in_the_end = [] {};

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
  const result_output& output() const override { return output_; }
  std::string_view doing() const override { return "making"; }
  bool right() const override { return right_; }
  void describe() override { result().line("made it"); }
  task<> main() override {
    while (trials().begin()) trials().end({{"rate", "rows/s", 4}, {"seconds", "s", 0.25}});
    co_await write(made);
    in_the_end();
  }

  bool right_;
  vertex_output output_;
};

class driver : public testing::Test {
 protected:
  /// Runs the command and returns its exit status. The printed text is stored in `text_`.
  int run(bool right) {
    made_kernel kernel(flags_, right);
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

TEST_F(driver, keeps_the_result_where_the_json_cannot_be_written) {
  flags_.output = folder_.file("a.txt", "old");
  std::filesystem::create_directory(folder_.path("gone"));
  flags_.common.json = folder_.path("gone/a.json");
  made_kernel kernel(flags_, true);
  kernel.in_the_end = [this] { std::filesystem::remove_all(folder_.path("gone")); };
  testing::internal::CaptureStdout();
  EXPECT_THROW(kernel.run(), error);
  testing::internal::GetCapturedStdout();
  EXPECT_EQ(content_of(flags_.output), "xxxx");
}

/// Runs a kernel whose result cannot be written, and returns the printed error.
std::string complaint_of(made_kernel& kernel) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  int status = 0;
  try {
    kernel.run();
  } catch (const ended& e) {
    status = e.status;
  }
  EXPECT_EQ(status, 2);
  testing::internal::GetCapturedStdout();
  return testing::internal::GetCapturedStderr();
}

TEST_F(driver, tells_where_the_result_cannot_be_written) {
  flags_.output = folder_.path("gone/a.txt");
  std::filesystem::create_directory(folder_.path("gone"));
  made_kernel kernel(flags_, true);
  std::filesystem::remove_all(folder_.path("gone"));
  EXPECT_THAT(complaint_of(kernel), HasSubstr("--output: " + flags_.output +
                                              ": cannot write: No such file or directory"));
}

TEST_F(driver, leaves_the_old_file_where_the_disk_is_full) {
  flags_.output = folder_.file("a.txt", "old");
  made_kernel kernel(flags_, true);
  kernel.made.text = std::string(101'000'000, 'x');
  // This limit on the size of files is large enough for the file that holds the job's shared
  // memory.
  const test::file_size_limit full(100'000'000);
  const std::string complaint = complaint_of(kernel);
  EXPECT_THAT(complaint,
              HasSubstr("--output: " + flags_.output + ": cannot write: File too large"));
  EXPECT_EQ(content_of(flags_.output), "old");
  EXPECT_EQ(folder_.files(), 1U);
}

}  // namespace
}  // namespace atl::app
