// Tests that each PE can find vertices by name, and the names of vertices.

#include "atoll/graph/load.hpp"

#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <fmt/core.h>

namespace {

using namespace atl;
using found = std::optional<std::uint64_t>;

class names_of_file : public test::on_pes {
 protected:
  /// Runs the coroutine `look` on every PE of a job. In the job, the vertices have the names in
  /// `files`.
  void with_names(const graph_files& files,
                  const std::function<task<>(const vertex_names&)>& look) const {
    run([&]() -> task<> {
      const auto names = co_await vertex_names::make();
      const auto edges = co_await per_pe<stored_edges>::make();
      const auto everywhere = [from = &files, then = &look, edges, names]() -> task<> {
        co_await all_load_edges(*from, edges, names);
        co_await (*then)(names);
      };
      co_await on_all_pes(everywhere);
      co_await edges.destroy();
      co_await names.destroy();
    });
  }

  scratch_folder folder_;
};

TEST_P(names_of_file, are_found_and_told) {
  const graph_files files{
      folder_.file("a.el", "0 9\n"), folder_.file("n", "zero\none\n\ntwo words\nzero\n"), {}};
  with_names(files, [](const vertex_names& names) -> task<> {
    EXPECT_TRUE(names.any());
    EXPECT_EQ(co_await names.find("one"), found(1));
    EXPECT_EQ(co_await names.find("two words"), found(3));
    EXPECT_EQ(co_await names.find("zero"), found(0));  // the first of two vertices with this name
    EXPECT_EQ(co_await names.find("three"), found());
    EXPECT_EQ(co_await names.find(""), found());
    EXPECT_EQ(co_await names.name_of(4), "zero");
    EXPECT_EQ(co_await names.name_of(2), "");
    EXPECT_EQ(co_await names.name_of(9), "");
    EXPECT_EQ(co_await names.name_of(1'000'000), "");
  });
}

TEST_P(names_of_file, may_be_long) {
  const std::string name(60'000, 'x');
  const graph_files files{folder_.file("a.tsv", name + "\ty\n" + name + "z\ty\n"), "", {}};
  with_names(files, [&](const vertex_names& names) -> task<> {
    const auto vertex = co_await names.find(name);
    const auto longer = co_await names.find(name + "z");
    EXPECT_TRUE(vertex && longer && vertex != longer);
    EXPECT_EQ(co_await names.name_of(vertex.value_or(99)), name);
  });
}

TEST_P(names_of_file, that_are_near_are_suggested) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += fmt::format("package{}\tlibc6\n", i);
  const graph_files files{folder_.file("a.tsv", text), "", {}};
  with_names(files, [](const vertex_names& names) -> task<> {
    EXPECT_EQ(co_await names.nearest("libc5"), "libc6");
    EXPECT_EQ(co_await names.nearest("pakcage17"), "package17");
    EXPECT_EQ(co_await names.nearest("something else"), "");
    EXPECT_EQ(co_await names.nearest(std::string(1000, 'x')), "");
  });
}

TEST_P(names_of_file, may_be_missing) {
  const graph_files files{folder_.file("a.el", "0 1\n"), "", {}};
  with_names(files, [](const vertex_names& names) -> task<> {
    EXPECT_FALSE(names.any());
    EXPECT_EQ(co_await names.find("0"), found());
    EXPECT_EQ(co_await names.name_of(0), "");
    EXPECT_EQ(co_await names.nearest("0"), "");
  });
}

ATOLL_RUN_ON(names_of_file, 1, 2, 3, 8);

}  // namespace
