// All PEs of a job read a BVGraph together.

#include "atoll/graph/load.hpp"

#include "graph/bvgraph_files.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <numeric>

namespace {

using namespace atl;
using namespace bvgraph_files;

struct loaded_lists {
  graph_size size;
  std::vector<edge> edges;  // The edges of all PEs, in the order of the PEs.
  std::string error;
};

task<> all_load_lists(const std::string& path, per_pe<stored_edges> edges, vertex_names names,
                      loaded_lists& result) {
  graph_files files;
  files.edges = path;
  try {
    result.size = co_await all_load_edges(files, edges, names);
  } catch (const error& e) {
    result.error = e.what();
  }
}

task<> all_gather_lists(per_pe<stored_edges> edges, loaded_lists& result) {
  const std::vector<edge> mine = edges->edges.all();
  for (const auto& of_pe : co_await all_gather(std::span<const edge>(mine)))
    result.edges.insert(result.edges.end(), of_pe.begin(), of_pe.end());
}

class load_bvgraph : public test::on_pes {
 protected:
  loaded_lists load(const std::string& path, bool gathers = true) {
    loaded_lists result;
    run([&]() -> task<> {
      result = {};
      const auto names = co_await vertex_names::make();
      const auto edges = co_await per_pe<stored_edges>::make();
      const auto everywhere = [from = &path, edges, names, gathers, to = &result]() -> task<> {
        loaded_lists scratch;
        auto& found = my_pe() == 0 ? *to : scratch;
        co_await all_load_lists(*from, edges, names, found);
        if (gathers) co_await all_gather_lists(edges, found);
      };
      co_await on_all_pes(everywhere);
      co_await edges.destroy();
      co_await names.destroy();
    });
    return result;
  }

  scratch_folder folder_;
};

TEST_P(load_bvgraph, the_pes_have_its_lists_in_order) {
  const auto all = random_lists(2000, 2);
  write(folder_.path("a"), all);
  const auto result = load(folder_.path("a"));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.size.vertices, all.size());
  EXPECT_EQ(result.size.edges, edges_of(all).size());
  EXPECT_EQ(result.edges, edges_of(all));
  std::filesystem::remove(folder_.path("a.offsets"));
  EXPECT_EQ(load(folder_.path("a.graph")).edges, edges_of(all));
}

TEST_P(load_bvgraph, vertices_without_arcs_are_there) {
  write(folder_.path("a"), lists(10));
  const auto result = load(folder_.path("a"));
  EXPECT_EQ(result.size.vertices, 10u);
  EXPECT_EQ(result.size.edges, 0u);
}

TEST_P(load_bvgraph, the_first_error_is_that_of_all_pes) {
  write(folder_.path("a"), random_lists(2000, 2));
  auto bytes = content_of(folder_.path("a.graph"));
  for (std::size_t at = bytes.size() / 2; at < bytes.size(); at += 7) bytes[at] ^= 0x55;
  folder_.file("a.graph", bytes);
  const auto serial = error_of(folder_.path("a"));
  EXPECT_NE(serial, "");
  EXPECT_EQ(load(folder_.path("a")).error, serial);
  std::filesystem::remove(folder_.path("a.offsets"));
  EXPECT_EQ(load(folder_.path("a")).error, error_of(folder_.path("a")));
}

TEST_P(load_bvgraph, a_wrong_number_of_arcs_is_an_error) {
  write(folder_.path("a"), {{1}, {0, 1}, {2}});
  folder_.file("a.properties", content_of(folder_.path("a.properties")) + "arcs=5\n");
  EXPECT_EQ(load(folder_.path("a")).error, folder_.path("a.graph") + ": it has 4 arcs, and " +
                                               folder_.path("a.properties") + " says 5");
}

TEST_P(load_bvgraph, a_small_file_of_many_arcs_meets_the_memory_limit) {
  std::vector<std::uint64_t> everywhere(2000);
  std::iota(everywhere.begin(), everywhere.end(), 0);
  write(folder_.path("a"), lists(2000, everywhere));
  EXPECT_LT(content_of(folder_.path("a.graph")).size(), 20'000u);
  options.memory_limit = std::uint64_t{6} << 20;
  const auto edges = load(folder_.path("a"), false);
  if (size() == 1)
    EXPECT_THAT(edges.error, testing::HasSubstr("setting memory-limit, 6291456 bytes"));
  else
    EXPECT_EQ(edges.size.edges, 4'000'000u);
}

ATOLL_RUN_ON(load_bvgraph, 1, 2, 3, 4, 7, 8);

}  // namespace
