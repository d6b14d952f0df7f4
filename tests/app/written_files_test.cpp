// A file that the program writes must be complete afterwards, or unchanged. If the path of a file
// is a link, the program writes the target of the link. A replaced file keeps its mode.

#include "app/driver/output.hpp"
#include "atoll/error.hpp"
#include "support/scratch_folder.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

class written_files : public testing::Test {
 protected:
  struct written {
    const char* flag;
    const char* name;
  };
  static constexpr written k_files[] = {{"--output", "x.csv"},
                                        {"--json", "x.json"},
                                        {"--metrics", "x.metrics"},
                                        {"--trace", "x.trace"}};

  /// Returns the command line of a job that writes the file.
  std::string job(const written& file, const std::string& path) const {
    return fmt::format("$p cc {} --pes 3 {} {}", graph_, file.flag, path);
  }

  const scratch_folder folder_;
  const std::string graph_ = folder_.file("chain.el", "0 1\n1 2\n5 4\n");
};

TEST_F(written_files, stand_behind_links_and_have_the_mode_of_what_they_replace) {
  for (const auto& file : k_files) {
    const auto target = folder_.file("target", "old");
    const auto link = folder_.path(file.name);
    ASSERT_EQ(::chmod(target.c_str(), 0600), 0);
    std::filesystem::create_symlink("target", link);
    expect(job(file, link), 0, "3 components");
    EXPECT_TRUE(std::filesystem::is_symlink(link)) << file.flag;
    EXPECT_GT(content_of(target).size(), 20u) << file.flag;
    struct stat status{};
    ASSERT_EQ(::stat(target.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u) << file.flag;
  }
}

// The kernel cannot resolve the names of these files, because the names are too long. If the kernel
// does not resolve names, as in some sandboxes, the program must compare the paths themselves.
TEST_F(written_files, whose_places_the_kernel_does_not_tell_are_one_where_their_names_are) {
  const std::string one = folder_.path(std::string(300, 'x'));
  const std::string other = folder_.path(std::string(300, 'y'));
  EXPECT_NO_THROW(refuse_shared_files({{"edges", other}}, {{"--json", one}}));
  EXPECT_THROW(refuse_shared_files({{"edges", one}}, {{"--json", one}}), error);
}

TEST_F(written_files, are_not_each_other_in_benchmarks_either) {
  for (const std::string command : {"bench gups --log2-table 4", "bench uts --tree T3 --trials 1",
                                    "bench messages", "bench reductions"}) {
    const auto both = folder_.path("both");
    for (const std::string flag : {"--metrics", "--trace"}) {
      const auto line = fmt::format("$p {} --json {} {} {}", command, both, flag, both);
      expect_refusal(line, fmt::format("{}: {} is the file of --json, too", flag, both));
      EXPECT_FALSE(std::filesystem::exists(both)) << line;
    }
  }
}

TEST_F(written_files, are_refused_before_the_work_where_they_cannot_be) {
  for (const auto& file : k_files) {
    const auto path = folder_.path(std::string("no/") + file.name);
    const auto result = shell(job(file, path));
    EXPECT_EQ(result.status, 2) << file.flag;
    EXPECT_THAT(result.output, HasSubstr(file.flag)) << file.flag;
    EXPECT_THAT(result.output, HasSubstr("No such file or directory"));
    EXPECT_THAT(result.output, testing::Not(HasSubstr("component"))) << "the work was done";
  }
}

// The disk has 64 KiB, of which at most `free` bytes are free.
TEST_F(written_files, are_whole_or_as_they_were_where_the_disk_is_full) {
  if (shell("unshare -m mount -t tmpfs none /mnt").status != 0)
    GTEST_SKIP() << "mounting is not allowed here";
  for (const char* const free : {"0", "4096", "12288"}) {
    for (const auto& file : k_files) {
      for (const char* const before : {"", "old"}) {
        const auto disk = folder_.path("");
        const auto command =
            fmt::format("unshare -m sh -c 'mount -t tmpfs -o size=64k none {0} && cd {0} && "
                        "echo 0 1 > chain.el && if [ -n \"{3}\" ]; then echo {3} > {2}; fi && "
                        "head -c 70000 /dev/zero > fill 2>/dev/null; truncate -s -{1} fill; $1 cc "
                        "chain.el --pes 2 {4} {2} > /dev/null 2>&1; "
                        "echo status $?; cat {2} 2>/dev/null' sh $p",
                        disk, free, file.name, before, file.flag);
        const auto shown = shell_apart(command).output;
        const std::string text = shown.substr(std::min(shown.size(), shown.find('\n') + 1));
        if (shown.starts_with("status 0\n")) {
          EXPECT_TRUE(std::string_view(file.name) == "x.csv" || nlohmann::json::accept(text))
              << command << '\n'
              << shown;
          EXPECT_FALSE(text.empty()) << command;
        } else {
          EXPECT_THAT(shown, testing::StartsWith("status 2\n")) << command;
          EXPECT_TRUE(text.empty() || text == "old\n") << command << '\n' << shown;
        }
      }
    }
  }
}

}  // namespace
}  // namespace atl::app
