// Compares the peak of memory while a graph is loaded with the memory of the loaded graph.

#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph/make_graph.hpp"
#include "graph/scratch_file.hpp"
#include "support/run_on.hpp"

#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <string>

using namespace atl;

namespace {

constexpr generator_parameters k_graph{17, 16, 3};

/// Returns the value of a line of /proc/self/status, in bytes.
std::uint64_t status_bytes(const std::string& title) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(title + ":")) return std::stoull(line.substr(title.size() + 1)) << 10;
  return 0;
}

/// Returns true if this PE measures the memory of its process. If PEs are threads of one process,
/// only PE 0 measures the memory.
bool is_first_of_process() { return my_pe() == 0 || job_settings().pe_kind == pe_kind::process; }

/// Measures the largest growth of the memory of this PE's process since the object was made.
class peak {
 public:
  peak() {
    std::ofstream("/proc/self/clear_refs") << 5;  // The write resets the peak.
    before_ = status_bytes("VmRSS");
  }
  double grown() const {
    const std::uint64_t most = status_bytes("VmHWM");
    return most > before_ && is_first_of_process() ? static_cast<double>(most - before_) : 0;
  }

 private:
  std::uint64_t before_ = 0;
};

/// Numbers of bytes, summed over all PEs.
struct loading_bytes {
  double grown;  ///< growth of the memory to its peak
  double rows;   ///< size of the finished graph
};

/// Returns the memory that the coroutine `make()` uses to make a graph. One task calls this
/// function.
template <class Make>
task<loading_bytes> loaded_by(Make make) {
  const auto before = co_await per_pe<peak>::make();
  const distributed_graph<std::uint32_t> graph = co_await make();
  const auto look = [graph, before]() -> task<loading_bytes> {
    const graph_part<std::uint32_t>& part = graph.local();
    const double rows = static_cast<double>(part.offsets.size()) * sizeof(std::uint64_t) +
                        static_cast<double>(part.arcs()) * sizeof(std::uint32_t);
    const double grown = before->grown();
    const auto sum = [](double a, double b) { return a + b; };
    const double all_grown = co_await all_reduce(grown, sum);
    co_return loading_bytes{all_grown, co_await all_reduce(rows, sum)};
  };
  const loading_bytes found = co_await from_all_pes(look);
  co_await graph.destroy();
  co_await before.destroy();
  co_return found;
}

void expect_little(const std::function<task<distributed_graph<std::uint32_t>>()>& make) {
  if (test::sanitized) GTEST_SKIP() << "sanitizers keep what is freed";
  // bytes per PE for a block of text and for messages in flight
  constexpr double any_job = 4 << 20;
  for (const int pes : {1, 2, 4}) {
    for (const pe_kind kind : {pe_kind::process, pe_kind::thread}) {
      test::run_on(test::job_of(pes, kind), [&]() -> task<> {
        const loading_bytes found = co_await loaded_by(make);
        EXPECT_LT(found.grown, 2.5 * found.rows + any_job * pes) << pes << " PEs";
        EXPECT_GT(found.grown, 0.9 * found.rows) << pes << " PEs: nothing was measured";
      });
    }
  }
}

class loading_memory : public testing::Test {
 protected:
  std::string written(const std::string& name) {
    const auto path = folder_.path(name);
    write_edges(path, k_graph.edges(), kronecker_generator(k_graph));
    return path;
  }

  scratch_folder folder_;
};

TEST_F(loading_memory, of_a_text_is_little_over_that_of_its_graph) {
  const auto path = written("a.el");
  expect_little([path] { return load_graph(path); });
}

TEST_F(loading_memory, of_a_directed_graph_too) {
  const auto path = written("a.el");
  expect_little([path] { return load_graph(path, orientation::out); });
}

TEST_F(loading_memory, of_a_packed_text_too) {
  const auto path = written("a.el.gz");
  expect_little([path] { return load_graph(path); });
}

TEST_F(loading_memory, of_a_random_graph_is_little_over_that_of_its_graph) {
  expect_little([] { return make_kronecker_graph(k_graph); });
}

}  // namespace
