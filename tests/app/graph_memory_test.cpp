// The memory that is predicted for a graph must be close to the memory that the graph needs. A job
// must succeed if its memory limit is the predicted memory.

#include "app/driver/memory.hpp"

#include "app/shell.hpp"
#include "atoll/graph/make_graph.hpp"
#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <regex>

namespace atl::app {
namespace {

constexpr generator_parameters k_graph{18, 16, 3};

bytes_of_graph told(file_edges edges) {
  return bytes_of_graph({{k_graph.vertices(), k_graph.edges()}, true, 4, 1, edges});
}

TEST(told_memory, of_stored_edges_is_what_they_take) {
  const kronecker_generator make(k_graph);
  packed_edges edges;
  for (std::uint64_t i = 0; i < k_graph.edges(); i += 1024) {
    std::vector<edge> some;
    for (std::uint64_t k = i; k < i + 1024; ++k) some.push_back(make(k));
    edges.add(some);
  }
  edges.settle();
  const auto taken = static_cast<double>(edges.bytes());
  EXPECT_NEAR(told(file_edges::passing).stored / taken, 1, 0.25);
  EXPECT_EQ(told(file_edges::none).stored, 0);
}

TEST(told_memory, of_edges_that_are_kept_is_beside_that_of_building) {
  const auto kept = told(file_edges::kept);
  EXPECT_NEAR(kept.building, told(file_edges::none).building + kept.stored, 1);
}

TEST(told_memory, of_a_graph_is_what_it_has) {
  test::run_alone([]() -> task<> {
    const auto graph = co_await make_kronecker_graph(k_graph);
    const auto& part = graph.local();
    const double has = static_cast<double>(part.offsets.size() * sizeof(std::uint64_t) +
                                           part.input_arcs.size() * sizeof(std::uint32_t) +
                                           part.first_targets.size() * sizeof(std::uint32_t) +
                                           part.arcs() * sizeof(std::uint32_t));
    // The prediction includes duplicate edges and loops, because their number is unknown in
    // advance.
    const double built = told(file_edges::none).built;
    EXPECT_GE(built, has);
    EXPECT_LE(built, 1.4 * has);
    co_await graph.destroy();
  });
}

std::uint64_t status_bytes(const std::string& title) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(title + ":")) return std::stoull(line.substr(title.size() + 1)) << 10;
  return 0;
}

TEST(told_memory, of_simulated_pes_is_what_they_take) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers keep what is freed";
  for (const int pes : {16, 128, 300}) {
    const settings options = test::job_of({pes, pe_kind::process, 2});
    std::ofstream("/proc/self/clear_refs") << 5;
    const std::uint64_t before = status_bytes("VmRSS");
    test::run_on(options, [pes, before, options]() -> task<> {
      const auto graph = co_await make_kronecker_graph({.scale = 8, .edges_per_vertex = 4});
      co_await on_all_pes([]() -> task<> {
        std::vector<std::vector<int>> parts(static_cast<std::size_t>(atl::pes()), {my_pe()});
        co_await all_to_all(std::move(parts));
      });
      const auto grown = static_cast<double>(status_bytes("VmHWM") - before);
      EXPECT_GE(fixed_bytes(options, static_cast<std::uint64_t>(pes)), grown) << pes;
      EXPECT_LE(fixed_bytes(options, static_cast<std::uint64_t>(pes)), 6 * grown + (64 << 20));
      co_await graph.destroy();
    });
  }
}

TEST(told_memory, of_building_is_what_it_takes) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers keep what is freed";
  test::run_alone([]() -> task<> {
    // The write resets the peak of the resident memory.
    std::ofstream("/proc/self/clear_refs") << 5;
    const std::uint64_t before = status_bytes("VmRSS");
    const auto graph = co_await make_kronecker_graph(k_graph);
    const auto grown = static_cast<double>(status_bytes("VmHWM") - before);
    const double building = told(file_edges::none).building;
    EXPECT_GE(building + fixed_bytes(settings(), 1), grown);
    EXPECT_LE(building, 1.5 * grown);
    co_await graph.destroy();
  });
}

/// On 2 PEs, runs a command that is refused for lack of memory. Returns the number of MiB that the
/// error names.
double told_mebibytes(const std::string& command) {
  const auto refused = shell(command + " --memory-limit 1KiB");
  EXPECT_EQ(refused.status, 2) << command;
  std::smatch found;
  const std::regex bytes("(?:takes|needs about) ([0-9.]+) MiB on [12] PE");
  EXPECT_TRUE(std::regex_search(refused.output, found, bytes)) << refused.output;
  return found.empty() ? 0 : std::stod(found[1]);
}

class told_by_commands : public testing::Test {
 protected:
  told_by_commands() { EXPECT_EQ(shell("$p generate --scale 14 -o " + dense_).status, 0); }

  scratch_folder folder_;
  std::string dense_ = folder_.path("dense.el");
};

TEST_F(told_by_commands, is_enough_for_them_and_less_is_not) {
  for (const std::string command :
       {"bench bfs --trials 1 --scale 16 --roots 1", "bench cc --trials 1 --scale 16",
        "bench pagerank --trials 1 --scale 16", "bench mst --trials 1 --scale 16",
        "bench bfs --trials 1 --verify --scale 16 --roots 1", "bfs --root 0 $d", "cc $d"}) {
    const std::string whole = "d=" + dense_ + "; $p " + command + " --pes 2";
    const double mebibytes = told_mebibytes(whole);
    const auto limited = [&](double part) {
      return whole + fmt::format(" --memory-limit {}KiB", std::lround(mebibytes * part * 1024));
    };
    expect(limited(0.9), 2, "--memory-limit allows");
    expect(limited(1.1), 0, "");
  }
}

TEST_F(told_by_commands, counts_edges_within_a_limit) {
  const auto refused = shell("$p bfs --verify --root 0 --pes 2 --memory-limit 38MiB " + dense_);
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("searching 16,384 vertices"), std::string::npos) << refused.output;
  EXPECT_EQ(refused.output.find("beside its edges"), std::string::npos) << refused.output;
}

TEST_F(told_by_commands, is_told_before_edges_are_read) {
  expect("$p mst --memory-limit 100KiB " + dense_, 2,
         ": finding the forest of 16,384 vertices and 262,");
}

TEST_F(told_by_commands, of_ids_to_be_compacted_counts_them_as_they_are_read) {
  std::string text;
  for (std::uint64_t i = 0; i < 500'000; ++i)
    text += fmt::format("{} {}\n", i << 28, (i * 7919 % 500'000) << 28);
  const auto sparse = folder_.file("sparse.el", text);
  EXPECT_GT(told_mebibytes("$p pagerank --compact --pes 1 " + sparse), 21);
}

}  // namespace
}  // namespace atl::app
