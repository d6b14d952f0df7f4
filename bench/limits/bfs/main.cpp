// Measures how fast a plain program without Atoll searches a graph breadth-first on one machine, by
// a direction-optimizing search with OpenMP. The program uses the graph and the roots of `atoll
// bench bfs`.

#include "graph_options.hpp"
#include "search.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"
#include "verify.hpp"

namespace {

using bench::bfs::vertex;

struct options : bench::bfs::graph_options {
  std::uint64_t roots = 16;
};

/// Numbers of edges in the component of a root: all edges of the input, and undirected edges
/// without duplicates and self loops.
struct component {
  double input_edges = 0, edges = 0;
};

class experiment {
 public:
  explicit experiment(const options& o) : experiment(o.make()) {}

  /// Returns false if the options ask for a check and the result is wrong.
  bool run(const options& o) {
    const auto roots = bench::bfs::choose_roots(graph_, o.seed, o.roots);
    if (roots.empty()) throw bench::bad_input("--graph: no edge to search");
    for (const vertex root : roots) search_.run(root);  // a warm-up run, as in Atoll's benchmark
    double per_rate = 0, per_clean_rate = 0, seconds = 0;
    bool right = true;
    for (const vertex root : roots) {
      const bench::stopwatch watch;
      search_.run(root);
      const auto taken = watch.seconds();
      const auto reached = reached_edges();
      seconds += taken;
      per_rate += taken / reached.input_edges;
      per_clean_rate += taken / reached.edges;
      if (o.verify) right = right && bench::bfs::is_right(graph_, search_.parents(), root);
    }
    const auto count = static_cast<double>(roots.size());
    bench::json_line(count / per_rate, "edges/s")
        .add("rate_deduplicated", count / per_clean_rate)
        .add("seconds", seconds)
        .add("roots", count)
        .add("threads", static_cast<double>(o.threads))
        .add("vertices", static_cast<double>(graph_.vertices()))
        .add("input_edges", input_edges_)
        .add("edges", static_cast<double>(graph_.arcs()) / 2)
        .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
        .print();
    return right;
  }

 private:
  explicit experiment(const bench::bfs::input& input)
      : input_edges_(static_cast<double>(input.edges.size())),
        graph_(input.vertices, as_span(input)),
        edges_from_(input.vertices),
        search_(graph_) {
    for (const auto& edge : input.edges) ++edges_from_[edge.from];
  }

  static std::span<const bench::bfs::input_edge> as_span(const bench::bfs::input& input) {
    return {input.edges.data(), input.edges.size()};
  }

  component reached_edges() const {
    std::uint64_t input_edges = 0, arcs = 0;
    for (vertex v = 0; v < graph_.vertices(); ++v) {
      if (!search_.reached(v)) continue;
      input_edges += edges_from_[v];
      arcs += graph_.degree(v);
    }
    return {static_cast<double>(input_edges), static_cast<double>(arcs) / 2};
  }

  double input_edges_;
  bench::bfs::csr graph_;
  // Number of input edges that begin at each vertex.
  std::vector<std::uint32_t> edges_from_;
  bench::bfs::searcher search_;
};

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return experiment(o).run(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of a direction-optimizing breadth-first search in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check every search by a serial one");
  flags.add("roots", o.roots, 1, 10000, "searches; the rate is the harmonic mean of theirs");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
