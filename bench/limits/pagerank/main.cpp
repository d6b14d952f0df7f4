// Measures how fast a plain program without Atoll computes PageRank on one machine, by Jacobi's
// method with OpenMP. The program uses the graph of `atoll bench pagerank`.

#include "jacobi.hpp"
#include "limits/bfs/graph_options.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"
#include "verify.hpp"

namespace {

using bench::bfs::csr;

struct options : bench::bfs::graph_options {
  bench::pagerank::parameters with;
};

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::pagerank::jacobi ranks(graph, o.with);
  ranks.run();  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  ranks.run();
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  const auto iterations = static_cast<double>(ranks.iterations());
  bench::json_line(edges * iterations / seconds, "edges/s")
      .add("seconds", seconds)
      .add("iterations", iterations)
      .add("residual", ranks.residual())
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify ||
         bench::pagerank::is_right(graph, o.with.damping, ranks.iterations(), ranks.ranks());
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of PageRank by Jacobi's method in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the ranks by a serial computation");
  bench::pagerank::add_flags(flags, o.with);
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
