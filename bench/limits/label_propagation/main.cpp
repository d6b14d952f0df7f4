// Measures how fast a plain program without Atoll performs label propagation on one machine, with
// OpenMP. The program uses the graph of `atoll bench label-propagation`.

#include <vector>

#include "limits/bfs/graph_options.hpp"
#include "propagation.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"

namespace {

using bench::bfs::csr;

struct options : bench::bfs::graph_options {
  std::uint64_t iterations = 10;
};

std::uint64_t count_communities(const csr& graph, const bench::label_propagation::propagation& of) {
  std::vector<bool> occurs(graph.vertices());
  std::uint64_t communities = 0;
  for (bench::bfs::vertex v = 0; v < graph.vertices(); ++v) {
    communities += !occurs[of.label(v)];
    occurs[of.label(v)] = true;
  }
  return communities;
}

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  const auto input = o.make();
  if (input.edges.size() == 0) throw bench::bad_input("--graph: no edge");
  const csr graph(input.vertices, {input.edges.data(), input.edges.size()});
  bench::label_propagation::propagation labels(graph);
  labels.run(o.iterations);  // a warm-up run, as in Atoll's benchmark
  const bench::stopwatch watch;
  labels.run(o.iterations);
  const auto seconds = watch.seconds();
  const auto edges = static_cast<double>(input.edges.size());
  const auto iterations = static_cast<double>(labels.iterations());
  bench::json_line(edges * iterations / seconds, "edges/s")
      .add("seconds", seconds)
      .add("iterations", iterations)
      .add("communities", static_cast<double>(count_communities(graph, labels)))
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(graph.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(graph.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::label_propagation::is_right(graph, o.iterations, labels);
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of label propagation in shared memory");
  bench::bfs::add_graph_flags(flags, o, "check the labels by a serial program");
  flags.add("iterations", o.iterations, 1, 1000000, "iterations, fewer if one changes no label");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
