// Compares the file of `atoll cc --output` with the components that a plain sequential search
// finds.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>

namespace atl::app {
namespace {

using namespace std::literals;

constexpr std::uint64_t labelled = 20'000;

// Returns the edges of many small components. Some vertices have no edges.
std::vector<std::pair<std::uint64_t, std::uint64_t>> scattered_edges() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::uint64_t random = 12345;
  for (int i = 0; i < 9000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    edges.emplace_back((random >> 33) % labelled, (random >> 13) % labelled);
  }
  edges.emplace_back(labelled - 1, labelled - 1);
  return edges;
}

// Returns the smallest vertex of each vertex's component. The function lowers labels along edges
// until no label changes.
std::vector<std::uint64_t> plain_labels() {
  std::vector<std::uint64_t> labels(labelled);
  std::iota(labels.begin(), labels.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [a, b] : scattered_edges()) {
      const auto least = std::min(labels[a], labels[b]);
      changed |= labels[a] != labels[b];
      labels[a] = labels[b] = least;
    }
  }
  return labels;
}

std::string labels_text(const std::string& head, char separator) {
  std::string text = head + "\n";
  const auto labels = plain_labels();
  for (std::uint64_t v = 0; v < labelled; ++v)
    text += fmt::format("{}{}{}\n", v, separator, labels[v]);
  return text;
}

class cc_output : public testing::Test {
 protected:
  std::string edges() const {
    std::string text;
    for (const auto& [from, to] : scattered_edges()) text += fmt::format("{} {}\n", from, to);
    return folder_.file("a.el", text);
  }

  // Runs the command, which must succeed, and returns the content of the file.
  std::string written(const std::string& graph, const std::string& name, int pes,
                      const std::string& flags = "") const {
    const auto path = folder_.path(name);
    expect(fmt::format("$p cc {} --verify --pes {} {} --output {}", graph, pes, flags, path), 0,
           "verified");
    return content_of(path);
  }

  scratch_folder folder_;
};

TEST_F(cc_output, has_the_label_of_each_vertex_on_any_number_of_pes) {
  const auto graph = edges();
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    EXPECT_EQ(written(graph, "a.txt", pes), labels_text("# vertex\tlabel", '\t')) << pes;
    EXPECT_EQ(written(graph, "a.csv", pes, "--pe-kind thread"), labels_text("vertex,label", ','));
  }
}

TEST_F(cc_output, is_the_same_compressed_file_on_any_number_of_pes) {
  const auto graph = edges();
  for (const auto& [name, packing] :
       {std::pair{"a.tsv.gz", compression::gzip}, {"a.tsv.zst", compression::zstd}}) {
    const auto first = written(graph, name, 1);
    EXPECT_EQ(unpacked(first, packing), labels_text("vertex\tlabel", '\t'));
    for (const int pes : {2, 3, 8}) EXPECT_TRUE(written(graph, name, pes) == first) << pes;
  }
}

TEST_F(cc_output, is_an_array_of_numpy) {
  const auto graph = edges();
  std::string expected =
      "\x93NUMPY\x01\0\x76\0"s + "{'descr': '<i8', 'fortran_order': False, 'shape': (20000,), }";
  expected.resize(127, ' ');
  expected += '\n';
  for (const auto label : plain_labels())
    expected.append(reinterpret_cast<const char*>(&label), sizeof(label));
  for (const int pes : {1, 2, 3, 4, 7, 8})
    EXPECT_TRUE(written(graph, "a.npy", pes) == expected) << pes;
  EXPECT_TRUE(unpacked(written(graph, "a.npy.zst", 2), compression::zstd) == expected);
}

TEST_F(cc_output, of_named_vertices_is_no_array) {
  const auto named = folder_.file("a.tsv", "B\tA\n");
  const auto path = folder_.path("a.npy");
  expect("$p cc " + named + " --pes 2 --output " + path, 2,
         "atoll: error: --output: " + path + ": an array has no place for the names that");
  const auto ids = folder_.file("b.el", "0 1\n");
  EXPECT_EQ(written(ids, "a.npy", 2, "--names " + folder_.file("n", "x\ny\n")).size(), 128U + 16U);
}

TEST_F(cc_output, names_vertices_as_the_input_does) {
  const auto named = folder_.file("a.tsv", "B\tA, a\nC\tA, a\nE\tF\n");
  for (const int pes : {1, 2, 3, 8}) {
    const auto rows = rows_of(written(named, "a.txt", pes), "# vertex\tlabel", '\t');
    EXPECT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows.at("B"), rows.at("A, a"));
    EXPECT_EQ(rows.at("C"), rows.at("A, a"));
    EXPECT_EQ(rows.at("E"), rows.at("F"));
    EXPECT_NE(rows.at("E"), rows.at("B"));
    EXPECT_TRUE(rows.contains(rows.at("B")[0]));
    const auto ids = folder_.file("b.el", "2 0\n3 1\n");
    const auto names = folder_.file("names", "zero\none\n\nthree, or so\nfour\n");
    EXPECT_EQ(written(ids, "b.csv", pes, "--names " + names),
              "vertex,label\nzero,zero\none,one\n2,zero\n\"three, or so\",one\nfour,four\n");
  }
}

TEST_F(cc_output, replaces_a_file_and_leaves_nothing_beside_it) {
  const auto graph = folder_.file("a.el", "0 1\n");
  folder_.file("a.txt", "old");
  EXPECT_EQ(written(graph, "a.txt", 2), "# vertex\tlabel\n0\t0\n1\t0\n");
  EXPECT_EQ(folder_.files(), 2U);
  EXPECT_EQ(written(folder_.file("none.el", ""), "none.csv", 3), "vertex,label\n");
}

TEST_F(cc_output, is_refused_before_the_work) {
  // A graph whose vertex numbers reach 281474976710655 is too large for the memory.
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  const auto refuse = [&](const std::string& path, const std::string& reason) {
    expect_refusal("$p cc " + far + " --pes 2 --output " + path, "--output: " + path + reason);
  };
  const auto graph = folder_.file("a.txt", "0 1\n");
  refuse("labels",
         ": the name does not say how to write: .txt, .tsv, .csv or .npy, alone or with .gz "
         "or .zst after it");
  refuse(folder_.path("missing/a.txt"), ": cannot write: No such file or directory");
  std::filesystem::create_directory(folder_.path("d.txt"));
  refuse(folder_.path("d.txt"), ": cannot write: it is a directory");
  ASSERT_EQ(shell("mkfifo " + folder_.path("pipe.txt")).status, 0);
  refuse(folder_.path("pipe.txt"), ": cannot write: it is not a regular file");
  const auto named = folder_.file("names.txt", "zero\n");
  expect("$p cc " + folder_.file("a.el", "0 1\n") + " --names " + named + " --output " + named, 2,
         "--output: " + named + " is the file of names that is read");
  EXPECT_EQ(content_of(named), "zero\n");
}

TEST_F(cc_output, leaves_nothing_of_a_job_that_is_interrupted) {
  const auto result =
      shell(fmt::format("timeout -s INT 1 $p bench cc --scale 14 --trials 10000 --pes 3 -o {}",
                        folder_.path("a.txt")));
  EXPECT_EQ(result.status, 124) << result.output;
  EXPECT_EQ(folder_.files(), 0U);
}

}  // namespace
}  // namespace atl::app
