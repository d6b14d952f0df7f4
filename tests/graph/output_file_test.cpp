#include "atoll/graph/io/output_file.hpp"

#include "atoll/base/error.hpp"
#include "graph/scratch_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace {

using namespace atl;

std::string refusal_of(const std::string& path) {
  try {
    const graph::output_file file(path);
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::input);
    return e.what();
  }
  return "";
}

TEST(output_file, replaces_files_only) {
  const scratch_folder folder;
  const auto pipe = folder.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(pipe), pipe + ": cannot write: it is not a regular file");
  EXPECT_EQ(refusal_of("/dev/null"), "/dev/null: cannot write: it is not a regular file");
  std::filesystem::create_directory(folder.path("d"));
  EXPECT_EQ(refusal_of(folder.path("d")), folder.path("d") + ": cannot write: it is a directory");
  EXPECT_EQ(refusal_of(folder.file("a", "old")), "");
  EXPECT_EQ(content_of(folder.path("a")), "old");
}

TEST(output_file, tells_when_it_cannot_have_its_name) {
  const scratch_folder folder;
  std::filesystem::create_directory(folder.path("d"));
  graph::output_file file(folder.path("d/a"));
  file.write("text");
  std::filesystem::remove_all(folder.path("d"));
  try {
    file.commit();
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::environment);
    EXPECT_EQ(e.what(), folder.path("d/a") + ": cannot write: No such file or directory");
  }
}

}  // namespace
