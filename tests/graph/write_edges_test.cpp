#include "atoll/graph/io/write_edges.hpp"

#include "atoll/error.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/kronecker.hpp"
#include "graph/scratch_file.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

namespace {

using namespace atl;

TEST(write_edges, writes_what_read_edges_reads) {
  const scratch_folder folder;
  const kronecker_generator generator({14, 16, 2});
  const std::uint64_t count = 100'000;
  for (const auto* name : {"a.el", "a.wel", "a.tsv", "a.txt", "a.csv", "a.el.gz", "a.wel.gz",
                           "a.tsv.zst", "a.el.zst"}) {
    const auto path = folder.path(name);
    const auto bytes = write_edges(path, count, generator);
    EXPECT_EQ(bytes, std::filesystem::file_size(path));
    const auto list = read_edges(path);
    ASSERT_EQ(list.edges.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(list.edges[i], generator(i));
  }
}

TEST(write_edges, the_text_is_plain) {
  const scratch_folder folder;
  const auto written = [&](const std::string& name) {
    edge_writer writer(folder.path(name));
    writer.write({0, largest_vertex}, -5);
    writer.write({7, 8}, 9);
    writer.commit();
    return content_of(folder.path(name));
  };
  EXPECT_EQ(written("a.el"), "0 281474976710655\n7 8\n");
  EXPECT_EQ(written("a.wel"), "0 281474976710655 -5\n7 8 9\n");
  EXPECT_EQ(written("a.tsv"), "0\t281474976710655\n7\t8\n");
  EXPECT_EQ(written("a.txt"), "0\t281474976710655\n7\t8\n");
  EXPECT_EQ(written("a.csv"), "0,281474976710655\n7,8\n");
}

TEST(write_edges, an_empty_graph_is_an_empty_file) {
  const scratch_folder folder;
  for (const auto* name : {"a.el", "a.el.gz", "a.el.zst"}) {
    write_edges(folder.path(name), 0, [](std::uint64_t) { return edge{0, 0}; });
    EXPECT_EQ(read_edges(folder.path(name)).edges.size(), 0u) << name;
  }
}

TEST(write_edges, the_file_appears_only_when_it_is_complete) {
  const scratch_folder folder;
  const auto path = folder.file("a.el", "1 2\n");
  {
    edge_writer writer(path);
    for (std::uint64_t i = 0; i < 100'000; ++i) writer.write({i, i});
    EXPECT_EQ(content_of(path), "1 2\n");
  }
  EXPECT_EQ(content_of(path), "1 2\n");
  EXPECT_EQ(folder.files(), 1u);
  write_edges(path, 1, [](std::uint64_t) { return edge{3, 4}; });
  EXPECT_EQ(content_of(path), "3 4\n");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(write_edges, an_error_while_making_edges_leaves_nothing_behind) {
  const scratch_folder folder;
  const auto broken = [](std::uint64_t i) {
    if (i == 70'000) throw std::runtime_error("enough");
    return edge{i, i};
  };
  EXPECT_THROW(write_edges(folder.path("a.el"), 100'000, broken), std::runtime_error);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(write_edges, others_may_read_the_file_as_the_umask_says) {
  const scratch_folder folder;
  const auto before = ::umask(027);
  write_edges(folder.path("a.el"), 0, [](std::uint64_t) { return edge{0, 0}; });
  ::umask(before);
  struct stat status{};
  ASSERT_EQ(::stat(folder.path("a.el").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

std::string error_of(const std::string& path, std::uint64_t count, errc code) {
  try {
    write_edges(path, count, [](std::uint64_t i) { return edge{i, i}; });
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code);
    EXPECT_EQ(e.exit_status(), 2);
    return e.what();
  }
  return "";
}

TEST(write_edges, errors_name_the_file_and_the_reason) {
  const scratch_folder folder;
  const auto path = folder.path("missing/a.el");
  EXPECT_EQ(error_of(path, 1, errc::input), path + ": cannot write: No such file or directory");
  std::filesystem::create_directory(folder.path("d.el"));
  EXPECT_EQ(error_of(folder.path("d.el"), 1, errc::input),
            folder.path("d.el") + ": cannot write: it is a directory");
  EXPECT_NE(error_of(folder.path("a.npy"), 1, errc::input), "");
}

TEST(write_edges, a_disk_that_is_full_leaves_nothing_behind) {
  const scratch_folder folder;
  const auto path = folder.path("a.el");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_EQ(error_of(path, 1'000'000, errc::environment),
            path + ": cannot write: File too large; is there room below the limit of the size of "
                   "files (ulimit -f, now 97.7 KiB)?");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
