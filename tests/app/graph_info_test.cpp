#include "app/graph_info.hpp"

#include "app/command.hpp"
#include "app/driver/guarded.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "atoll/graph/random_graph.hpp"
#include "graph/scratch_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace atl::app {

void add_generate(CLI::App& root, command_context& context);
void add_info(CLI::App& root, command_context& context);

namespace {

using testing::HasSubstr;

/// Runs "atoll COMMAND ARGUMENTS..." and returns its exit status. The printed text is stored in
/// `output`.
int run(std::vector<std::string> arguments, std::string* output = nullptr) {
  command_context context;
  const auto root = new_program("test");
  add_generate(*root, context);
  add_info(*root, context);
  arguments.insert(arguments.begin(), "atoll");
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  testing::internal::CaptureStdout();
  const auto status = guarded([&] {
    return run_command_line(*root, context, static_cast<int>(words.size()), words.data());
  });
  std::fflush(stdout);
  const auto printed = testing::internal::GetCapturedStdout();
  if (output != nullptr) *output = printed;
  return status;
}

TEST(generate, writes_the_graph_of_its_flags) {
  const scratch_folder folder;
  const auto path = folder.path("a.wel.gz");
  std::string output;
  ASSERT_EQ(
      run({"generate", "--scale", "8", "--edge-factor", "3", "--seed", "5", "-o", path}, &output),
      0);
  EXPECT_THAT(output, HasSubstr(path + ": 768 edges between 256 vertices"));
  const auto list = read_edges(path);
  const generator_parameters parameters{8, 3, 5};
  ASSERT_EQ(list.edges.size(), 768u);
  for (std::uint64_t i = 0; i < 768; ++i) {
    EXPECT_EQ(list.edges[i], kronecker_edge(parameters, i));
    EXPECT_EQ(list.weights[i], random_weight(parameters, i));
  }
}

TEST(generate, writes_formats_that_begin_with_sizes) {
  const scratch_folder folder;
  const generator_parameters parameters{8, 3, 5};
  for (const std::string name : {"a.mtx", "b.gr.gz", "out.c"}) {
    const auto path = folder.path(name);
    ASSERT_EQ(run({"generate", "--scale", "8", "--edge-factor", "3", "--seed", "5", "-o", path}),
              0);
    const auto list = read_edges(path);
    EXPECT_EQ(list.declared->vertices, 256u);
    EXPECT_EQ(list.weights.empty(), name != "b.gr.gz");
    ASSERT_EQ(list.edges.size(), 768u);
    for (std::uint64_t i = 0; i < 768; ++i) EXPECT_EQ(list.edges[i], kronecker_edge(parameters, i));
  }
  EXPECT_EQ(run({"generate", "-o", folder.path("a.metis")}), 2);
  EXPECT_EQ(folder.files(), 3u);
}

TEST(generate, writes_web_and_uniform_graphs_of_any_size) {
  const scratch_folder folder;
  generator_parameters parameters{.seed = 5, .exact_vertices = 1000, .edges_per_vertex = 10.33};
  for (const char* kind : {"web", "uniform"}) {
    const auto path = folder.path(std::string(kind) + ".el");
    std::string output;
    ASSERT_EQ(run({"generate", "--kind", kind, "--vertices", "1000", "--edges-per-vertex", "10.33",
                   "--seed", "5", "-o", path},
                  &output),
              0);
    EXPECT_THAT(output, HasSubstr(": 10,330 edges between 1,000 vertices"));
    parameters.kind = kind == std::string("web") ? graph_kind::web : graph_kind::uniform;
    const random_graph_generator make(parameters);
    const auto edges = read_edges(path).edges;
    ASSERT_EQ(edges.size(), 10'330u);
    for (std::uint64_t i = 0; i < edges.size(); ++i) ASSERT_EQ(edges[i], make(i));
  }
}

TEST(generate, refuses_bad_values_and_leaves_nothing_behind) {
  const scratch_folder folder;
  const auto path = folder.path("a.el");
  EXPECT_EQ(run({"generate", "--kind", "grid", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--scale", "49", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--scale", "48", "--edge-factor", "1000000", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--scale", "x", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--vertices", "1000", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--kind", "web", "--edges-per-vertex", "nan", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--kind", "web", "--edges-per-vertex", "2x", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "--kind", "web", "--edges-per-vertex", "-1", "-o", path}), 2);
  EXPECT_EQ(run({"generate", "-o", folder.path("a.npy")}), 2);
  EXPECT_EQ(run({"generate"}), 2);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(info, counts_what_is_in_the_file) {
  const scratch_folder folder;
  const auto path = folder.file("a.wel", "# four edges\n1 2 -3\n2 1 4\n5 5 0\n1 2 7");
  const auto undirected = look_at_graph({path, "", {}}, false);
  EXPECT_EQ(undirected.lines, 5u);
  EXPECT_EQ(undirected.edges, 4u);
  EXPECT_EQ(undirected.vertices, 6u);
  EXPECT_EQ(undirected.vertices_with_edges, 3u);
  EXPECT_EQ(undirected.self_loops, 1u);
  EXPECT_EQ(undirected.duplicates, 2u);
  EXPECT_EQ(undirected.components.count, 2u);
  EXPECT_EQ(undirected.components.largest, 2u);
  EXPECT_GT(undirected.most_bytes, undirected.built_bytes);
  EXPECT_EQ(undirected.weights, std::pair(std::int64_t{-3}, std::int64_t{7}));
  ASSERT_EQ(undirected.degrees.size(), 1u);
  EXPECT_EQ(undirected.degrees[0].distribution.most, 3u);

  const auto directed = look_at_graph({path, "", {}}, true);
  EXPECT_EQ(directed.duplicates, 1u);
  EXPECT_EQ(directed.degrees.size(), 3u);
}

TEST(info, tells_the_format_by_the_content) {
  const scratch_folder folder;
  const auto path = folder.file(
      "a.txt", "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 3.0\n3 3 -1\n");
  std::string output;
  ASSERT_EQ(run({"info", path}, &output), 0);
  EXPECT_THAT(output, HasSubstr(path + ": mtx, 69 B\n"));
  EXPECT_THAT(output, HasSubstr("edges        2, without a direction\n"));
  EXPECT_THAT(output, HasSubstr("vertices     4, 3 with an edge, 1 isolated\n"));
  EXPECT_THAT(output, HasSubstr("components   2 with an edge, the largest of 2 vertices\n"));
  EXPECT_THAT(output, HasSubstr("weights      -1 to 3\n"));
  EXPECT_THAT(output, HasSubstr("memory       "));
}

TEST(info, has_the_range_of_real_weights) {
  const scratch_folder folder;
  std::string output;
  const auto path = folder.file("a.wel", "0 1 2.5\n1 2 -1\n2 3 0.5\n");
  ASSERT_EQ(run({"info", path}, &output), 0);
  EXPECT_THAT(output, HasSubstr("weights      -1 to 2.5, real numbers; spanning forests"));
  EXPECT_THAT(output, HasSubstr("that have one, with duplicates and self-loops\n"));
  ASSERT_EQ(run({"info", "--json", "-", path}, &output), 0);
  EXPECT_EQ(nlohmann::json::parse(output)["weights"], nlohmann::json({-1.0, 2.5}));
}

TEST(info, names_the_vertex_with_most_edges) {
  const scratch_folder folder;
  const auto names = folder.file("names", "zero\none\ntwo\nthree\nfour\n");
  const auto from_file = look_at_graph({folder.file("a.el", "1 2\n1 3\n"), names, {}}, false);
  EXPECT_EQ(from_file.degrees[0].name_of_most, "one");
  EXPECT_EQ(from_file.vertices, 5u);
  const auto own = folder.file("a.tsv", "libc6\tgcc\nlibc6\tbash\n");
  EXPECT_EQ(look_at_graph({own, "", {}}, false).degrees[0].name_of_most, "libc6");
  EXPECT_THROW(look_at_graph({own, names, {}}, false), error);
}

TEST(info, prints_text_or_json) {
  const scratch_folder folder;
  const auto path = folder.file("a.tsv", "libc6\tgcc\nlibc6\tb\xff\n");
  std::string output;
  ASSERT_EQ(run({"info", path}, &output), 0);
  EXPECT_THAT(output, HasSubstr(path + ": tsv, 19 B\n"));
  EXPECT_THAT(output, HasSubstr("vertices     3, 3 with an edge, 0 isolated, 3 named\n"));
  EXPECT_THAT(output, HasSubstr("most 2 at libc6\n"));

  ASSERT_EQ(run({"info", path, "--json", "-"}, &output), 0);
  EXPECT_EQ(nlohmann::json::parse(output)["metrics"]["edges"]["median"], 2);
  ASSERT_EQ(run({"info", path, "--json", folder.path("a.json")}, &output), 0);
  EXPECT_EQ(nlohmann::json::parse(content_of(folder.path("a.json")))["name"], "info");
}

TEST(info, an_empty_graph_is_said_to_be_one) {
  const scratch_folder folder;
  std::string output;
  ASSERT_EQ(run({"info", folder.file("a.el", "# nothing\n")}, &output), 0);
  EXPECT_THAT(output, HasSubstr("an empty graph"));
}

TEST(info, a_missing_or_malformed_file_is_status_2) {
  const scratch_folder folder;
  EXPECT_EQ(run({"info", folder.path("none.el")}), 2);
  EXPECT_EQ(run({"info", folder.file("a.el", "1 x\n")}), 2);
  EXPECT_EQ(run({"info"}), 2);
}

}  // namespace
}  // namespace atl::app
