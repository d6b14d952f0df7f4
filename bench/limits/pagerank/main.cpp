// The limit of PageRank on one machine: Jacobi's method, in shared memory, on the threads of
// OpenMP, on the graph of `atoll pagerank`.

#include <omp.h>

#include "jacobi.hpp"
#include "limits/bfs/input.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"
#include "verify.hpp"

namespace {

using bench::bfs::csr;

struct options {
  std::uint64_t scale = 20, edge_factor = 16, seed = 1, threads = 2;
  std::string graph;
  bench::pagerank::parameters with;
  bool verify = false;
};

/// False for a wrong result, where the options ask for a check.
bool measure(const options& o) {
  const auto input = o.graph.empty() ? bench::bfs::generate(o.scale, o.edge_factor, o.seed)
                                     : bench::bfs::read_edge_list(o.graph);
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::pagerank::jacobi ranks(graph, o.with);
  ranks.run();  // an untimed trial, as Atoll's has
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
  return !o.verify || bench::pagerank::is_right(graph, o.with, ranks);
}

bool run(const options& o) {
  bench::available_processors();  // before the first thread is bound to one of them
  omp_set_num_threads(static_cast<int>(o.threads));
#pragma omp parallel
  bench::pin_to_processor(static_cast<std::size_t>(omp_get_thread_num()));
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of PageRank by Jacobi's method in shared memory");
  flags.add("scale", o.scale, 1, 27, "2^N vertices of the Kronecker graph");
  flags.add("edge-factor", o.edge_factor, 1, 1024, "edges a vertex of the Kronecker graph");
  flags.add("graph", o.graph, "an edge list (.el) instead of the Kronecker graph");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph");
  flags.add("threads", o.threads, 1, 1024, "threads of OpenMP, each bound to a processor");
  flags.add("damping", o.with.damping, 0, 1, "how much of a rank goes over arcs");
  flags.add("tolerance", o.with.tolerance, 0, 2, "ends when ranks change by less, summed");
  flags.add("max-iterations", o.with.max_iterations, 1, 1'000'000, "ends after so many");
  flags.add("verify", o.verify, "check the ranks by a serial computation");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
