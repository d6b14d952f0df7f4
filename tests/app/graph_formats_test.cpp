// Tests commands with graph files in every format.

#include "graph/any_format.hpp"
#include "graph/csr_files.hpp"
#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

class graph_formats : public testing::Test {
 protected:
  /// Returns the path of a random graph in the format that the ending of `name` implies.
  std::string converted(const std::string& name) const {
    const auto path = folder_.path(name);
    EXPECT_EQ(shell(fmt::format("$p convert {} {}", weighted_, path)).status, 0);
    return path;
  }

  scratch_folder folder_;
  const std::string weighted_ = made();

 private:
  std::string made() const {
    const auto path = folder_.path("first.wel");
    EXPECT_EQ(shell("$p generate --scale 8 --edge-factor 3 --seed 3 -o " + path).status, 0);
    return path;
  }
};

TEST_F(graph_formats, commands_know_every_row_of_the_table) {
  const auto help = shell("$p convert --help && $p info --help && $p bfs --help").output;
  for (const auto format : all_edge_formats()) {
    const auto path = converted(any_format::file_name(format));
    const auto info = json_of("$p info " + path);
    EXPECT_EQ(info["parameters"]["format"], name_of(format));
    const bool distinct = info["metrics"]["edges"]["median"] < 768;
    EXPECT_EQ(distinct, format == edge_format::bvgraph) << path;
    EXPECT_EQ(info.contains("weights"), has_weights(format)) << path;
    EXPECT_EQ(shell("$p info --from " + std::string(name_of(format)) + ' ' + path).status, 0);
    EXPECT_THAT(help, HasSubstr(pattern_of(format)));
    EXPECT_THAT(help, HasSubstr(name_of(format)));
    expect(fmt::format("$p convert {} {} --to {}", path, path, name_of(format)), 2,
           "the output is the file that is read");
    expect("$p convert " + weighted_ + ' ' + folder_.path("none/") + any_format::file_name(format),
           2, "none/");
  }
}

TEST_F(graph_formats, all_commands_find_the_same_in_all_of_them) {
  for (const std::string command : {"bfs --root 1", "cc", "mst"}) {
    const auto run = [&](const std::string& file, int pes, const char* kind) {
      return json_of(
          fmt::format("$p {} {} --verify --pes {} {} 2>/dev/null", command, file, pes, kind));
    };
    const auto expected = run(weighted_, 1, "");
    for (const auto format : all_edge_formats()) {
      if (!has_weights(format)) continue;
      const auto ending = is_binary(format) ? "" : ".gz";
      const auto name = any_format::file_name(format) + ending;
      const auto json = run(converted(name), 3, "--pe-kind thread");
      EXPECT_EQ(json["verified"], true) << command << ' ' << name;
      for (const char* const part : {"components", "forest_edges", "forest_weight", "levels"})
        EXPECT_EQ(json.value(part, nlohmann::json()), expected.value(part, nlohmann::json()))
            << command << ' ' << name;
    }
  }
}

TEST_F(graph_formats, any_number_of_pes_reads_them) {
  const auto metis = converted("a.metis"), rows = converted("a.sg");
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const auto& file : {metis, rows}) {
      for (const char* const kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
        const auto json =
            json_of(fmt::format("$p cc {} --verify --pes {} {} 2>/dev/null", file, pes, kind));
        EXPECT_EQ(json["verified"], true) << file << ' ' << pes << ' ' << kind;
      }
    }
  }
}

TEST_F(graph_formats, weights_that_are_no_integers_are_refused_where_they_are_needed) {
  const auto path = folder_.file(
      "a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.0\n2 3 0.5\n");
  const auto refused = shell("$p mst --pes 2 " + path);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr(path + ":4:5: weight '0.5' is no integer; with "
                                               "--hashed-weights others take its place\n"));
  EXPECT_EQ(shell("$p mst --pes 2 --hashed-weights --verify " + path).status, 0);
  EXPECT_EQ(shell("$p cc --pes 2 --verify " + path).status, 0);
}

TEST_F(graph_formats, edges_without_a_direction_have_none_to_follow) {
  const auto path = folder_.file("a.sg", csr_files::file(false, {0, 1, 2}, {1, 0}));
  const auto refused = shell("$p bfs --root 0 --directed out --pes 2 " + path);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("--directed: the edges of " + path + " have no direction"));
}

TEST_F(graph_formats, errors_name_the_place_on_all_pes) {
  const auto path = folder_.file("a.graph", "3 2\n2\n3 1\n1\n");
  for (const int pes : {1, 2, 5}) {
    const auto refused = shell(fmt::format("$p cc --pes {} {}", pes, path));
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output,
                HasSubstr(path + ":3:1: vertex 2 has the neighbour 3, which has not 2"));
  }
}

}  // namespace
}  // namespace atl::app
