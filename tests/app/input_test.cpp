// Tests unusual files of edges: pipes, files in another format than their name implies, and files
// that begin with other lines.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

class input : public testing::Test {
 protected:
  scratch_folder folder_;
  const std::string triangle_ = folder_.file("triangle", "0 1\n1 2\n2 0\n5 6\n");
};

TEST_F(input, may_be_a_pipe_on_any_number_of_pes) {
  for (const int pes : {1, 2, 3, 7}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto flags = fmt::format("--from txt --verify --pes {} {}", pes, kind);
      for (const auto& command : {fmt::format("cat {} | $p cc /dev/stdin {}", triangle_, flags),
                                  fmt::format("gzip -c {} | $p cc /dev/stdin {}", triangle_, flags),
                                  fmt::format("$p cc /dev/stdin {} < {}", flags, triangle_),
                                  fmt::format("$p cc /proc/self/fd/0 {} < {}", flags, triangle_)}) {
        const auto json = json_of(command);
        EXPECT_EQ(json["verified"], true) << command;
        EXPECT_EQ(json["graph"]["vertices"], 7) << command;
        EXPECT_EQ(json["components"], 4) << command;
      }
    }
  }
}

TEST_F(input, of_names_and_of_keys_may_be_a_pipe) {
  const auto names = folder_.file("names", "a\nb\nc\n");
  const auto keys = folder_.file("keys.txt", "30\n1\n18446744073709551615\n2\n");
  const auto sorted = folder_.path("sorted.txt");
  for (const auto& flags :
       {"--pes 1", "--pes 3", "--pes 2 --pe-kind thread", "--pes 2 --transport sim"}) {
    expect(
        fmt::format("cat {} | $p cc {} --from el --names /dev/stdin {}", names, triangle_, flags),
        0, "(42.9 %)  a");
    expect(fmt::format("cat {} | $p sort /dev/stdin --verify -o {} {}", keys, sorted, flags), 0,
           "4 keys in order, of 64 bits");
    EXPECT_EQ(content_of(sorted), "1\n2\n30\n18446744073709551615\n");
  }
  expect(fmt::format("cat {} | $p info {} --from el --names /dev/stdin", names, triangle_), 0,
         "3 named");
  expect("printf '1\nx\n' | $p sort /dev/stdin --pes 3", 2,
         "/dev/stdin:2:1: expected an integer from 0 to 2^64 - 1, found 'x'");
  expect(fmt::format("cat {} | $p cc /dev/stdin --from el --names /dev/stdin", triangle_), 2,
         "--names: /dev/stdin is the file of edges, whose content comes once");
}

TEST_F(input, may_be_a_named_pipe_and_leaves_no_file) {
  const auto pipe = folder_.path("pipe");
  ASSERT_EQ(shell("mkfifo " + pipe).status, 0);
  const auto files = folder_.files();
  const auto command = fmt::format("export TMPDIR={}; cat {} > {} & $p info {} --from el",
                                   folder_.path(""), triangle_, pipe, pipe);
  expect(command, 0, "edges        4\n");
  EXPECT_EQ(folder_.files(), files);
  expect(fmt::format("export TMPDIR={0}/none; cat {1} | $p info /dev/stdin --from el",
                     folder_.path(""), triangle_),
         2, "TMPDIR");
}

TEST_F(input, of_a_pipe_names_it_in_errors) {
  expect("printf '0 1\\n1 x\\n' | $p cc /dev/stdin --from el --pes 3", 2,
         "/dev/stdin:2:3: expected an integer vertex id, found 'x'");
  expect("cat " + triangle_ + " | $p cc /dev/stdin --pes 2", 2, "--from says it");
  expect("cat " + triangle_ + " | $p info /dev/stdin --from bvgraph", 2,
         "--from: a BVGraph is NAME.graph, NAME.properties and NAME.offsets, and /dev/stdin is one "
         "file");
}

TEST_F(input, of_a_pipe_is_converted) {
  expect(
      fmt::format("cat {} | $p convert /dev/stdin --from el {}", triangle_, folder_.path("a.mtx")),
      0, "4 edges between 7 vertices");
}

TEST_F(input, is_of_the_format_that_is_said) {
  const auto blanks = folder_.file("blanks.tsv", "1 11\n1 7\n");
  expect("$p info " + blanks, 2, "blanks.tsv:1:5: expected a tab and a second column");
  expect("$p info --from txt " + blanks, 0, "edges        2\n");
  expect("$p info --from wel " + folder_.file("x.EL", "0 1 5\n"), 0, "weights      5 to 5\n");
  expect("$p info --from text " + blanks, 2, "--from: text is no format");
  expect("$p bench cc --from el --scale 4", 2, "are about a GRAPH, and none is given");
}

TEST_F(input, may_begin_with_lines_that_are_no_edges) {
  const auto file = folder_.file("a.txt", "Edges of 2026\nby hand\n0 1\n1 2\n");
  expect("$p info " + file, 2, "a.txt:1:1: expected an integer vertex id, found 'Edges'");
  expect("$p info --skip-lines 2 " + file, 0, "edges        2\n");
  expect("$p cc --skip-lines 2 --pes 3 " + file, 0, "1 component");
  expect("$p info --skip-lines two " + file, 2, "--skip-lines: \"two\" is not a number of lines");
  const auto rows = folder_.path("a.sg");
  ASSERT_EQ(shell(fmt::format("$p convert --skip-lines 2 {} {}", file, rows)).status, 0);
  expect("$p info --skip-lines 1 " + rows, 2, "--skip-lines: ");
}

TEST_F(input, whose_first_line_gives_sizes_is_told) {
  const auto file = folder_.file("nm.txt", "4 3\n0 1\n1 2\n2 3\n");
  for (const char* command : {"info", "cc --pes 3", "bfs --root 0 --pes 2",
                              "mst --hashed-weights --pes 2", "bench cc --trials 1"})
    expect(fmt::format("$p {} {}", command, file), 0,
           "nm.txt:1:1: this line gives the sizes of the rest, 4 vertices and 3 edges");
  const auto json = json_of("$p cc --pes 2 " + file);
  EXPECT_EQ(json["notes"].size(), 1U);
  EXPECT_EQ(json["graph"]["vertices"], 4);
  EXPECT_EQ(json_of("$p cc --skip-lines 0 " + file)["graph"]["vertices"], 5);
}

TEST_F(input, with_a_smallest_id_of_1_is_told) {
  const auto file = folder_.file("one.txt", "1 2\n2 3\n3 1\n");
  expect("$p cc --pes 2 " + file, 0, "note: vertex 0 has no edge");
  const auto compact = shell("$p cc --compact --pes 2 " + file);
  EXPECT_EQ(compact.status, 0);
  EXPECT_THAT(compact.output, testing::Not(HasSubstr("note: ")));
}

}  // namespace
}  // namespace atl::app
