// Measures how fast a plain program without Atoll counts triangles on one machine, by merging
// sorted lists with OpenMP. Vertices are ordered by their degrees. The program uses the graph of
// `atoll bench triangles`.

#include "count.hpp"
#include "limits/bfs/graph_options.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"

namespace {

using bench::bfs::csr;

using options = bench::bfs::graph_options;

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::triangles::counter counter(graph);
  counter.run();  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  counter.run();
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  bench::json_line(edges / seconds, "edges/s")
      .add("seconds", seconds)
      .add_count("triangles", counter.sum() / 3)
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::triangles::is_right(graph, counter);
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of counting triangles by merging lists in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the counts by a serial program");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
