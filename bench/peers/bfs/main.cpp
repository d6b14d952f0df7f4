// Measures breadth-first search over MPI, on the graph and from the roots of `atoll bench bfs`. If
// no launcher has started the program, the program starts a launcher itself.

#include <optional>

#include "limits/bfs/input.hpp"
#include "limits/bfs/verify.hpp"
#include "peers/bfs/bitmaps.hpp"
#include "peers/bfs/edges.hpp"
#include "support/json_line.hpp"

namespace {

using namespace bench::peers;
using bench::mpi_session;

struct options : graph_options {
  std::uint64_t roots = 16, items = 1024;
  std::string algorithm = "edges";
};

/// Returns the roots of `atoll bench bfs`: `count` different vertices with an arc, or all vertices
/// with an arc if they are fewer. All processes call this function.
std::vector<vertex> choose_roots(const tree_part& tree, const options& o) {
  const auto has_arc = [&](std::uint64_t v) {
    return tree.owns(v) && tree.degrees[v - tree.first] != 0;
  };
  std::uint64_t candidates = 0;
  for (const auto degree : tree.degrees) candidates += degree != 0;
  const auto wanted = std::min(o.roots, mpi_session::sum(candidates));
  std::vector<vertex> roots;
  for (std::uint64_t k = 0; roots.size() < wanted; ++k) {
    const auto v = atl::root_candidate(o.graph(), k);
    const bool had = std::ranges::find(roots, v) != roots.end();
    if (!had && mpi_session::sum(std::uint64_t{has_arc(v)}) != 0)
      roots.push_back(static_cast<vertex>(v));
  }
  return roots;
}

/// Compares each search with a serial search of the whole graph. Only one process performs the
/// serial search.
class checker {
 public:
  checker(const options& o, const mpi_session& all) : all_(all) {
    if (!o.verify || all.rank != 0) return;
    const auto input = bench::bfs::generate(o.scale, o.edge_factor, o.seed);
    graph_.emplace(input.vertices, std::span(input.edges.data(), input.edges.size()));
  }

  /// Returns whether the tree is right. All processes call this function.
  bool is_right(const tree_part& tree, vertex root) const {
    const auto parents = gather(
        std::span<const std::int32_t>(tree.parents.data(), tree.parents.size()), tree.where, all_);
    const bool right = !graph_ || bench::bfs::is_right(*graph_, parents, root);
    return mpi_session::sum(std::uint64_t{!right}) == 0;
  }

 private:
  const mpi_session& all_;
  std::optional<bench::bfs::csr> graph_;
};

template <class Search>
bool measure(const options& o, const mpi_session& all, Search& search) {
  const auto roots = choose_roots(search.tree(), o);
  const checker checks(o, all);
  for (const vertex root : roots) search.search(root);  // a warm-up run, as in Atoll's benchmark
  double per_rate = 0, seconds = 0;
  bool right = true;
  for (const vertex root : roots) {
    const double taken = bench::seconds_of_all([&] { search.search(root); });
    seconds += taken;
    per_rate += taken / static_cast<double>(search.tree().all_reached_edges());
    if (o.verify) right &= checks.is_right(search.tree(), root);
  }
  if (all.rank != 0) return right;
  const auto count = static_cast<double>(roots.size());
  bench::json_line(count / per_rate, "edges/s")
      .add("seconds", seconds)
      .add("roots", count)
      .add("vertices", static_cast<double>(o.graph().vertices()))
      .add("input_edges", static_cast<double>(o.graph().edges()))
      .add("processes", all.size)
      .print();
  return right;
}

bool run(const options& o, char** argv) {
  o.check();
  if (o.algorithm != "edges" && o.algorithm != "bitmaps")
    throw bench::bad_input("--algorithm: '" + o.algorithm + "' is neither edges nor bitmaps");
  bench::launch_under_mpi(BENCH_LAUNCHER, argv, o.processes, o.over_hosts);
  const mpi_session all;
  if (o.algorithm == "bitmaps") {
    by_bitmaps search(o.graph(), all);
    return measure(o, all, search);
  }
  by_edges search(o.graph(), all, o.items);
  return measure(o, all, search);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of breadth-first search by MPI; starts its own processes");
  add_graph_flags(flags, o, "check every search by a serial one");
  flags.add("roots", o.roots, 1, 10000, "searches; the rate is the harmonic mean of theirs");
  flags.add("algorithm", o.algorithm,
            "edges: from above, an item for each arc; bitmaps: in two dimensions, both directions");
  flags.add("items", o.items, 1, 1 << 24, "edges: items of a message");
  return bench::run_program(flags, argc, argv, [&] { return run(o, argv); });
}
