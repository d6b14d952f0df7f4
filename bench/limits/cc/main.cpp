// Measures how fast a plain program without Atoll finds connected components on one machine, by
// Afforest with OpenMP. The program uses the graph of `atoll bench cc`.

#include "afforest.hpp"
#include "limits/bfs/graph_options.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"
#include "verify.hpp"

namespace {

using bench::bfs::csr;

using options = bench::bfs::graph_options;

std::uint64_t count_components(const csr& graph, const bench::cc::afforest& found) {
  std::uint64_t components = 0;
  for (bench::cc::vertex v = 0; v < graph.vertices(); ++v) components += found.label(v) == v;
  return components;
}

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::cc::afforest components(graph);
  components.run();  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  components.run();
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  bench::json_line(edges / seconds, "edges/s")
      .add("seconds", seconds)
      .add("components", static_cast<double>(count_components(graph, components)))
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::cc::is_right(graph, components);
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of connected components by Afforest in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the labels by a serial search");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
