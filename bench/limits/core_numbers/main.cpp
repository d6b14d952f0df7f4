// Measures how fast a plain program without Atoll computes core numbers on one machine, by peeling
// with OpenMP. The program uses the graph of `atoll bench cores`.

#include <algorithm>

#include "limits/bfs/graph_options.hpp"
#include "peeling.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"

namespace {

using bench::bfs::csr;

using options = bench::bfs::graph_options;

std::uint32_t largest_core(const csr& graph, const bench::core_numbers::peeling& found) {
  std::uint32_t largest = 0;
  for (bench::bfs::vertex v = 0; v < graph.vertices(); ++v)
    largest = std::max(largest, found.core(v));
  return largest;
}

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::core_numbers::peeling cores(graph);
  cores.run();  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  cores.run();
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  bench::json_line(edges / seconds, "edges/s")
      .add("seconds", seconds)
      .add("largest", static_cast<double>(largest_core(graph, cores)))
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::core_numbers::is_right(graph, cores);
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of core numbers by peeling in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the core numbers by a serial program");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
