// Measures how fast a plain program without Atoll finds shortest paths on one machine, by
// delta-stepping with OpenMP. The program uses the graph, the weights and the roots of `atoll bench
// paths`.

#include <array>
#include <string>
#include <vector>

#include "limits/bfs/input.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"
#include "support/openmp_threads.hpp"
#include "verify.hpp"

namespace {

using bench::paths::graph;

struct options {
  std::string kind = "kronecker", graph;
  std::uint64_t scale = 20, vertices = 0, edge_factor = 16, seed = 1, threads = 2, roots = 4;
  double edges_per_vertex = 0, width = 0;
  bool verify = false;
};

atl::generator_parameters parameters_of(const options& o) {
  using atl::graph_kind;
  constexpr std::array names = {"kronecker", "uniform", "web"};
  constexpr std::array kinds = {graph_kind::kronecker, graph_kind::uniform, graph_kind::web};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (o.kind != names[i]) continue;
    return {.scale = o.scale,
            .edge_factor = o.edge_factor,
            .seed = o.seed,
            .exact_vertices = o.vertices,
            .edges_per_vertex = o.edges_per_vertex,
            .kind = kinds[i]};
  }
  throw bench::bad_input("--kind: '" + o.kind + "' is none of kronecker, uniform, web");
}

/// Returns the width of buckets: twice the mean weight divided by the mean degree.
double usual_width(const graph& of) {
  const auto arcs = static_cast<double>(of.arcs());
  const double degree = std::max(1.0, arcs / static_cast<double>(of.vertices()));
  return 2 * of.sum_of_weights() / arcs / degree;
}

/// Returns false if the options ask for a check and a result is wrong.
bool measure(const options& o) {
  const auto input = o.graph.empty() ? bench::paths::generate(parameters_of(o))
                                     : bench::paths::read_edge_list(o.graph);
  const graph of(input);
  const auto roots = bench::bfs::choose_roots(of, o.seed, o.roots);
  if (roots.empty()) throw bench::bad_input("the graph has no edge");
  bench::paths::delta_stepping paths(of, o.width == 0 ? usual_width(of) : o.width);
  paths.run(roots.front());  // a warm-up run, as in Atoll's benchmark
  double seconds = 0;
  bool right = true;
  for (const auto root : roots) {
    const bench::stopwatch watch;
    paths.run(root);
    seconds += watch.seconds();
    right = right && (!o.verify || bench::paths::is_right(of, paths, root));
  }
  seconds /= static_cast<double>(roots.size());
  const auto edges = static_cast<double>(input.edges.size());
  bench::json_line(edges / seconds, "edges/s")
      .add("seconds", seconds)
      .add("roots", static_cast<double>(roots.size()))
      .add("threads", static_cast<double>(o.threads))
      .add("vertices", static_cast<double>(of.vertices()))
      .add("input_edges", edges)
      .add("edges", static_cast<double>(of.arcs()) / 2)
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return right;
}

bool run(const options& o) {
  bench::bind_threads(o.threads);
  return measure(o);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  constexpr std::uint64_t most = 0xffff'fffe;
  bench::flags flags("rate of shortest paths by delta-stepping in shared memory");
  flags.add("kind", o.kind, "kronecker, uniform or web");
  flags.add("scale", o.scale, 1, 27, "2^N vertices");
  flags.add("vertices", o.vertices, 0, most, "so many instead, where it is not 0");
  flags.add("edge-factor", o.edge_factor, 1, 1024, "edges a vertex");
  flags.add("edges-per-vertex", o.edges_per_vertex, 0, 1024, "or X, where it is not 0");
  flags.add("graph", o.graph, "an edge list with weights (.wel) instead of a random graph");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph, its weights and the roots");
  flags.add("roots", o.roots, 1, 10'000, "search from N random vertices that have an edge");
  flags.add("width", o.width, 0, 1e300, "of a bucket; 0: by the weights and degrees");
  flags.add("threads", o.threads, 1, 1024, "threads of OpenMP, each bound to a processor");
  flags.add("verify", o.verify, "check distances and parents by a serial search");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
