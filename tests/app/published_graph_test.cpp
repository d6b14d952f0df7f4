// Tests commands with graphs in published file formats, and with gaps between the ids of vertices.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <cstring>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

class published_graph : public testing::Test {
 protected:
  // Writes a file with two paths: 7 - 2^40 - 12 - 99 and 5 - 2^45.
  std::string sparse() const {
    return folder_.file("sparse.csv", "source,target,weight\n7,1099511627776,1\n"
                                      "12,1099511627776,2\n99,12,3\n35184372088832,5,4\n");
  }

  // Runs the command, which must succeed. Returns the content of the file of --output.
  std::string written(const std::string& command, const std::string& name) const {
    const auto path = folder_.path(name);
    expect(command + " --verify --output " + path, 0, "verified");
    return content_of(path);
  }

  scratch_folder folder_;
};

TEST_F(published_graph, is_read_with_any_separators_and_more_columns) {
  const std::string snap = "# Undirected graph\r\n# FromNodeId\tToNodeId\r\n0\t2\r\n2\t3\r\n";
  for (const auto& file : {folder_.file("a.txt", snap), folder_.file("b.txt.gz", gzipped(snap)),
                           folder_.file("c.csv", "a;b;c\n0; 2;0.5\n2 ;3;0.25\n"),
                           folder_.file("d.csv.zst", zstd_packed("// c\n0,2,1 x\n% p\n 2,3"))}) {
    for (const int pes : {1, 2, 3, 8}) {
      EXPECT_EQ(written(fmt::format("$p cc {} --pes {}", file, pes), "o.csv"),
                "vertex,label\n0,0\n1,1\n2,0\n3,0\n");
    }
  }
}

TEST_F(published_graph, has_errors_with_line_and_column) {
  const auto refuse = [&](const std::string& name, const std::string& text, const char* complaint) {
    const auto path = folder_.file(name, text);
    for (const int pes : {1, 3}) {
      const auto result = shell(fmt::format("$p cc {} --pes {}", path, pes));
      EXPECT_EQ(result.status, 2);
      EXPECT_EQ(result.output, "atoll: error: " + path + complaint);
    }
  };
  refuse("a.csv", "a,b\n1,2\n3,x\n", ":3:3: expected an integer vertex id, found 'x'\n");
  refuse("b.txt", "a b\n1 2\n", ":1:1: expected an integer vertex id, found 'a'\n");
  refuse("c.txt", "1 2\n7;\n", ":2:3: expected an integer vertex id, found the end of the line\n");
  refuse("d.csv", "1,2\n4,,3\n", ":2:3: expected an integer vertex id, found ','\n");
  refuse("f.csv", "\"1\",\"2\"\n", ":1:1: expected an integer vertex id, found '\"1\"'\n");
  refuse("e.csv", "1,-2\n", ":1:3: vertex id '-2' is out of range (0 to 281474976710655)\n");
}

TEST_F(published_graph, with_gaps_has_its_own_ids_in_all_labels) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    const auto cc = fmt::format("$p cc --compact {} --pes {}", sparse(), pes);
    EXPECT_EQ(written(cc, "a.tsv"), "vertex\tlabel\n5\t5\n7\t7\n12\t7\n99\t7\n"
                                    "1099511627776\t7\n35184372088832\t5\n");
    const auto packed = written(cc, "a.txt.zst");
    EXPECT_THAT(unpacked(packed, compression::zstd), HasSubstr("\n35184372088832\t5\n"));
    const auto bytes = written(cc, "a.npy");
    std::vector<std::int64_t> numbers(12);
    ASSERT_EQ(bytes.size(), 128U + 12 * 8);
    EXPECT_THAT(bytes.substr(0, 128), HasSubstr("'shape': (6, 2)"));
    std::memcpy(numbers.data(), bytes.data() + 128, 12 * 8);
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{5, 5, 7, 7, 12, 7, 99, 7, 1099511627776, 7,
                                                  35184372088832, 5}));
    const auto json = json_of(cc);
    EXPECT_EQ(json["parameters"]["compact"], true);
    EXPECT_EQ(json["largest"][0]["smallest_vertex"], 7);
    EXPECT_EQ(json["largest"][1]["name"], "5");
  }
}

TEST_F(published_graph, with_gaps_has_its_own_ids_in_all_trees) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    const auto bfs = fmt::format("$p bfs --compact {} --root 99 --pes {}", sparse(), pes);
    EXPECT_EQ(written(bfs, "a.csv"), "vertex,parent,distance\n7,1099511627776,3\n12,99,1\n"
                                     "99,99,0\n1099511627776,12,2\n");
    const auto bytes = written(bfs, "a.npy");
    std::vector<std::int64_t> numbers(18);
    ASSERT_EQ(bytes.size(), 128U + 18 * 8);
    std::memcpy(numbers.data(), bytes.data() + 128, 18 * 8);
    EXPECT_EQ(numbers,
              (std::vector<std::int64_t>{5, -1, -1, 7, 1099511627776, 3, 12, 99, 1, 99, 99, 0,
                                         1099511627776, 12, 2, 35184372088832, -1, -1}));
    const auto path = shell(bfs + " --levels --path-to 7");
    EXPECT_THAT(path.output, HasSubstr("  99 - 12 - 1099511627776 - 7\n"));
    EXPECT_THAT(path.output, HasSubstr("    3               1  7\n"));
    EXPECT_EQ(json_of(bfs)["searches"][0]["root"], 99);
  }
}

TEST_F(published_graph, with_gaps_needs_no_compaction_where_ends_are_names) {
  const auto named = folder_.file("a.tsv", "B\tA\n");
  const auto rows =
      rows_of(written("$p cc --compact --pes 2 " + named, "o.csv"), "vertex,label", ',');
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows.at("A"), rows.at("B"));
}

TEST_F(published_graph, that_does_not_fit_is_told_the_way_out) {
  const std::string way =
      "; at most 8 of the vertices have an edge: --compact leaves out the others";
  expect("$p cc --pes 2 " + sparse(), 2, way);
  expect("$p bfs --root 7 --pes 2 " + sparse(), 2, way);
  const auto dense = folder_.file("dense.el", "0 1\n");
  const auto result = shell("$p cc --pes 1 --memory-limit 1MiB " + dense);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.output, testing::Not(HasSubstr("--compact")));
}

TEST_F(published_graph, refuses_what_does_not_go_with_compaction) {
  expect("$p bench cc --compact --scale 5", 2, "--compact: it is about the ids of a GRAPH");
  const auto names = folder_.file("n", "x\n");
  expect("$p cc --compact --names " + names + " " + sparse(), 2, "--names: " + names);
  const auto bfs = "$p bfs --compact --pes 2 " + sparse();
  expect(bfs + " --root 6", 2,
         "--root: no edge of " + folder_.path("sparse.csv") + " has the vertex \"6\"");
  expect(bfs + " --root 5 --path-to x", 2, "--path-to: no edge of ");
}

}  // namespace
}  // namespace atl::app
