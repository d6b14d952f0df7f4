// Measures how fast a plain program without Atoll computes betweenness on one machine, by the
// algorithm of Brandes with OpenMP. The program uses the graph and the sources of `atoll bench
// betweenness`.

#include "atoll/kernels/betweenness.hpp"
#include "brandes.hpp"
#include "limits/bfs/graph_options.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"

namespace {

using bench::bfs::csr;

struct options : bench::bfs::graph_options {
  std::uint64_t sources = 10;
};

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  atl::betweenness_options chosen;
  if (o.sources != 0) chosen.sources = o.sources;
  chosen.seed = o.seed;
  const auto sources = atl::betweenness_sources(graph.vertices(), chosen);
  bench::betweenness::brandes scores(graph);
  scores.run(sources);  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  scores.run(sources);
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  bench::json_line(edges * static_cast<double>(sources.size()) / seconds, "edges/s")
      .add("seconds", seconds)
      .add("sources", static_cast<double>(sources.size()))
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::betweenness::is_right(graph, sources, scores);
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of betweenness by the algorithm of Brandes in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the values by a serial program");
  flags.add("sources", o.sources, 0, std::uint64_t{1} << 27, "sources of paths; 0: all vertices");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
