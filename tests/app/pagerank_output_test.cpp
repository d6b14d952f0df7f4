// Compares the file of `atoll pagerank --output` with the ranks that a plain program computes.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"
#include "tests/app/vertex_file.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace atl::app {
namespace {

using namespace std::literals;

constexpr std::uint64_t ranked = 20'000;

// Returns random links. Many vertices have no link.
std::vector<std::pair<std::uint64_t, std::uint64_t>> scattered_links() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> links;
  std::uint64_t random = 54321;
  for (int i = 0; i < 30'000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    links.emplace_back((random >> 33) % ranked, (random >> 13) % ranked % 7000);
  }
  links.emplace_back(ranked - 1, ranked - 1);
  return links;
}

std::vector<double> plain_ranks() {
  std::set<std::pair<std::uint64_t, std::uint64_t>> links;
  std::vector<double> degree(ranked);
  for (const auto& link : scattered_links())
    if (link.first != link.second && links.insert(link).second) ++degree[link.first];
  std::vector<double> ranks(ranked, 1.0 / ranked);
  for (double change = 1; change >= 1e-4;) {
    double lost = 0;
    for (std::uint64_t v = 0; v < ranked; ++v) lost += degree[v] == 0 ? ranks[v] : 0;
    std::vector<double> next(ranked, (0.15 + 0.85 * lost) / ranked);
    for (const auto& [from, to] : links) next[to] += 0.85 * ranks[from] / degree[from];
    change = 0;
    for (std::uint64_t v = 0; v < ranked; ++v) change += std::abs(next[v] - ranks[v]);
    ranks = next;
  }
  return ranks;
}

void expect_ranks(const std::string& text, const std::string& titles, char separator) {
  static const auto expected = plain_ranks();
  const auto rows = rows_of(text, titles, separator);
  ASSERT_EQ(rows.size(), ranked);
  for (std::uint64_t v = 0; v < ranked; ++v) {
    const auto& columns = rows.at(std::to_string(v));
    ASSERT_EQ(columns.size(), 1U);
    ASSERT_NEAR(std::stod(columns[0]), expected[v], 1e-9 * expected[v]) << v;
  }
}

class pagerank_output : public testing::Test {
 protected:
  std::string edges() const {
    std::string text;
    for (const auto& [from, to] : scattered_links()) text += fmt::format("{} {}\n", from, to);
    return folder_.file("a.el", text);
  }

  // Runs the command, which must succeed, and returns the content of the file.
  std::string written(const std::string& graph, const std::string& name, int pes) const {
    const auto path = folder_.path(name);
    expect(fmt::format("$p pagerank {} --verify --pes {} --output {}", graph, pes, path), 0,
           "verified");
    return content_of(path);
  }

  scratch_folder folder_;
};

TEST_F(pagerank_output, has_the_rank_of_each_vertex_on_any_number_of_pes) {
  const auto graph = edges();
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    expect_ranks(written(graph, "a.txt", pes), "# vertex\trank", '\t');
    expect_ranks(written(graph, "a.csv", pes), "vertex,rank", ',');
  }
}

TEST_F(pagerank_output, is_an_array_of_doubles) {
  const auto bytes = written(edges(), "a.npy", 3);
  ASSERT_EQ(bytes.size(), 128 + ranked * sizeof(double));
  EXPECT_NE(bytes.find("'descr': '<f8'"), bytes.npos);
  const auto expected = plain_ranks();
  for (std::uint64_t v = 0; v < ranked; ++v) {
    double rank = 0;
    std::memcpy(&rank, bytes.data() + 128 + v * sizeof(rank), sizeof(rank));
    ASSERT_NEAR(rank, expected[v], 1e-9 * expected[v]) << v;
  }
}

TEST_F(pagerank_output, names_vertices_as_the_input_does) {
  const auto named = folder_.file("a.tsv", "B\tA, a\nC\tA, a\nE\tF\n");
  const auto text = written(named, "a.csv.zst", 2);
  const auto rows = rows_of(unpacked(text, compression::zstd), "vertex,rank", ',');
  EXPECT_EQ(rows.size(), 5U);
  EXPECT_TRUE(rows.contains("\"A"));
  EXPECT_EQ(rows.at("B"), rows.at("C"));
  const auto path = folder_.path("a.npy");
  expect("$p pagerank " + named + " --pes 2 --output " + path, 2,
         "atoll: error: --output: " + path + ": an array has no place for the names that");
}

TEST_F(pagerank_output, is_refused_before_the_work) {
  // A graph whose vertex numbers reach 281474976710655 is too large for the memory.
  const auto far = folder_.file("far.el", "0 281474976710655\n");
  expect("$p pagerank " + far + " --pes 2 --output ranks", 2,
         "--output: ranks: the name does not say how to write");
  EXPECT_EQ(folder_.files(), 1U);
}

}  // namespace
}  // namespace atl::app
