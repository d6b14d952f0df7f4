// A file gets its name only when it is complete. The new file keeps the location and the
// permissions of the file that it replaces.

#include "atoll/output_file.hpp"

#include "atoll/error.hpp"
#include "support/captured_stderr.hpp"
#include "support/denied_call.hpp"
#include "support/file_size_limit.hpp"
#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"
#include "support/told_by_child.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <thread>

namespace {

using namespace atl;
using testing::HasSubstr;

class output_files : public testing::Test {
 protected:
  output_files() : former_mask_(::umask(022)) {}
  ~output_files() override { ::umask(former_mask_); }

  static void replace(const std::string& path, std::string_view text = "new",
                      output_to to = output_to::file) {
    output_file file(path, to);
    file.write(text);
    file.commit();
  }

  static std::string refusal_of(const std::string& path, output_to to = output_to::file) {
    return test::refusal_of([&] { const output_file file(path, to); });
  }

  static struct stat status_of(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status;
  }

  static mode_t mode_of(const std::string& path) { return status_of(path).st_mode & 07777; }

  std::string file_with_mode(std::string_view name, mode_t mode) const {
    auto path = folder_.file(name, "old");
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  std::string link_to(const std::string& target, std::string_view name) const {
    auto path = folder_.path(name);
    std::filesystem::create_symlink(target, path);
    return path;
  }

  const scratch_folder folder_;

 private:
  mode_t former_mask_;
};

TEST_F(output_files, replace_files_only) {
  const auto pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(pipe), pipe + ": cannot write: it is not a regular file");
  EXPECT_EQ(refusal_of("/dev/null"), "/dev/null: cannot write: it is not a regular file");
  std::filesystem::create_directory(folder_.path("d"));
  const auto refusal = folder_.path("d") + ": cannot write: it is a directory";
  EXPECT_EQ(refusal_of(folder_.path("d")), refusal);
  EXPECT_EQ(refusal_of(folder_.path("d"), output_to::anything), refusal);
  {
    const output_file not_committed(folder_.file("a", "old"));
  }
  EXPECT_EQ(content_of(folder_.path("a")), "old");
  EXPECT_EQ(folder_.files(), 3u);
}

TEST_F(output_files, tell_when_they_cannot_have_their_name) {
  std::filesystem::create_directory(folder_.path("d"));
  output_file file(folder_.path("d/a"));
  file.write("text");
  std::filesystem::remove_all(folder_.path("d"));
  try {
    file.commit();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::environment);
    EXPECT_EQ(e.what(), folder_.path("d/a") + ": cannot write: No such file or directory");
  }
}

TEST_F(output_files, go_where_links_lead) {
  std::filesystem::create_directory(folder_.path("d"));
  const auto target = folder_.file("d/target", "old");
  const auto relative = link_to("d/target", "relative");
  const auto chained = link_to("relative", "chained");
  const auto absolute = link_to(target, "absolute");
  const auto dangling = link_to("d/not-yet", "dangling");
  for (const auto& link : {relative, chained, absolute}) {
    replace(link, link);
    EXPECT_EQ(content_of(target), link);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
  }
  replace(dangling);
  EXPECT_TRUE(std::filesystem::is_symlink(dangling));
  EXPECT_EQ(content_of(folder_.path("d/not-yet")), "new");
  EXPECT_EQ(folder_.files(), 5u);
}

TEST_F(output_files, refuse_links_in_a_circle) {
  const auto first = link_to("second", "first");
  link_to("first", "second");
  EXPECT_THAT(refusal_of(first), HasSubstr("cannot write: Too many levels of symbolic links"));
}

TEST_F(output_files, have_the_mode_of_what_they_replace) {
  for (const mode_t mode : {0600, 0640, 0666, 0644, 0755}) {
    for (const mode_t mask : {022, 077}) {
      const auto path = file_with_mode("a", mode);
      ::umask(mask);
      replace(path);
      EXPECT_EQ(mode_of(path), mode);
      EXPECT_EQ(content_of(path), "new");
      std::filesystem::remove(path);
    }
  }
  replace(folder_.path("b"));
  EXPECT_EQ(mode_of(folder_.path("b")), 0600) << "by the umask";
}

TEST_F(output_files, have_the_owner_and_the_group_of_what_they_replace) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const auto path = file_with_mode("a", 0640);
  ASSERT_EQ(::chown(path.c_str(), 1234, 4321), 0);
  replace(path);
  EXPECT_EQ(status_of(path).st_uid, 1234u);
  EXPECT_EQ(status_of(path).st_gid, 4321u);
  EXPECT_EQ(mode_of(path), 0640);
}

TEST_F(output_files, are_not_for_a_group_that_could_not_read_what_they_replace) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const auto path = file_with_mode("a", 0660);
  ASSERT_EQ(::chown(path.c_str(), 0, 4321), 0);
  const bool denied = told_by_child([&] {
    if (!test::deny_call(SYS_fchown)) return false;
    replace(path);
    return true;
  });
  if (!denied) GTEST_SKIP() << "no system calls are denied here";
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(mode_of(path), 0600);
}

TEST_F(output_files, may_not_replace_what_may_not_be_written) {
  const auto path = file_with_mode("a", 0444);
  const auto refusal = told_by_child([&] {
    std::array<char, 200> text{};
    if (::geteuid() == 0 && ::chmod(folder_.path("").c_str(), 0777) + ::setuid(1234) != 0)
      return text;
    refusal_of(path).copy(text.data(), text.size() - 1);
    return text;
  });
  EXPECT_EQ(std::string(refusal.data()), path + ": cannot write: Permission denied");
}

TEST_F(output_files, leave_what_was_there_where_there_is_no_room) {
  const auto path = folder_.file("a", "old");
  {
    const test::file_size_limit full(100'000);
    output_file file(path);
    EXPECT_THROW(file.write(std::string(100'001, 'x')), error);
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(folder_.files(), 1u);
}

TEST_F(output_files, are_written_beside_what_a_killed_process_has_left) {
  const auto left = folder_.file("a." + std::to_string(::getpid()) + ".part", "left");
  replace(folder_.path("a"));
  EXPECT_EQ(content_of(folder_.path("a")), "new");
  EXPECT_EQ(content_of(left), "left");
}

TEST_F(output_files, may_have_the_longest_names_there_are) {
  const auto path = folder_.path(std::string(255, 'x'));
  replace(path);
  EXPECT_EQ(content_of(path), "new");
}

/// Replaces a file in a child process. `prepare` first takes permissions or resources from the
/// child.
template <class Prepare>
void replace_in_child(const scratch_folder& folder, Prepare prepare) {
  const auto path = folder.file("a", "old");
  const test::captured_stderr captured;
  const int ended = told_by_child([&] {
    if (!prepare()) return 1;
    try {
      output_file file(path);
      file.write("new");
      file.commit();
      return 0;
    } catch (const error& e) {
      fmt::print(stderr, "{}\n", e.what());
      return 2;
    }
  });
  if (ended == 1) GTEST_SKIP() << "this system does not allow it";
  EXPECT_EQ(ended, 0) << captured.text();
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(folder.files(), 1u);
}

TEST_F(output_files, need_no_links) {
  replace_in_child(folder_, [] { return test::deny_call(SYS_linkat); });
}

TEST_F(output_files, need_no_proc) {
  replace_in_child(folder_, [] {
    return ::unshare(CLONE_NEWNS) == 0 &&
           ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
  });
}

TEST_F(output_files, need_no_call_that_a_sandbox_may_deny) {
  for (const int number : {SYS_fsync, SYS_fchmod, SYS_fchown, SYS_statx, SYS_faccessat2, SYS_statfs,
                           SYS_getxattr, SYS_fremovexattr})
    replace_in_child(folder_, [number] { return test::deny_call(number); });
}

TEST_F(output_files, go_into_pipes_and_devices_where_they_may) {
  const auto pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  check_output(pipe, output_to::anything);
  EXPECT_TRUE(is_stream_output(pipe));
  std::string read;
  std::thread reader([&] { read = content_of(pipe); });
  replace(pipe, "through a pipe", output_to::anything);
  reader.join();
  EXPECT_EQ(read, "through a pipe");
  discard_output(pipe);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  replace("/dev/null", "nothing", output_to::anything);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(output_files, are_added_to_what_a_descriptor_in_proc_stands_for) {
  const auto path = folder_.file("a", "old,");
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  const auto link = link_to("/proc/self/fd/" + std::to_string(descriptor), "link");
  EXPECT_THAT(refusal_of(link), HasSubstr("it is a descriptor of a process"));
  replace(link, "new", output_to::anything);
  EXPECT_EQ(content_of(path), "old,new");
  discard_output(link);
  EXPECT_TRUE(std::filesystem::exists(path));
  ::close(descriptor);
}

TEST_F(output_files, are_removed_behind_links) {
  const auto target = folder_.file("target", "old");
  const auto link = link_to("target", "link");
  discard_output(link);
  EXPECT_FALSE(std::filesystem::exists(target));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

}  // namespace
