// Measures how fast a plain program without Atoll finds minimum spanning forests on one core, by
// Kruskal's algorithm with a radix sort. The program uses the graph and the weights of `atoll bench
// mst`.

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "atoll/random_graph.hpp"
#include "kruskal.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"
#include "verify.hpp"

namespace {

using bench::mst::weighted_edge;

struct options {
  std::string kind = "kronecker";
  std::uint64_t scale = 20, vertices = 0, seed = 1, trials = 3;
  double edges_per_vertex = 16;
  std::string write;
  bool verify = false;
};

atl::generator_parameters parameters_of(const options& o) {
  using atl::graph_kind;
  constexpr std::array names = {"kronecker", "uniform", "web"};
  constexpr std::array kinds = {graph_kind::kronecker, graph_kind::uniform, graph_kind::web};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (o.kind != names[i]) continue;
    return {.scale = o.scale,
            .seed = o.seed,
            .exact_vertices = o.vertices,
            .edges_per_vertex = o.edges_per_vertex,
            .kind = kinds[i]};
  }
  throw bench::bad_input("--kind: '" + o.kind + "' is none of kronecker, uniform, web");
}

bench::huge_array<weighted_edge> generate(const atl::generator_parameters& parameters) {
  const atl::random_graph_generator make(parameters);
  const auto edges = parameters.edges();
  if (edges >> 32 != 0) throw bench::bad_input("--edges-per-vertex: more than 2^32 edges");
  constexpr auto copies = 3;  // memory for the input and for two arrays that sorting needs
  bench::require_memory(static_cast<double>(edges) * copies * sizeof(weighted_edge));
  bench::huge_array<weighted_edge> result(edges);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto e = make(i);
    result[i] = {static_cast<std::uint32_t>(e.from), static_cast<std::uint32_t>(e.to),
                 atl::hashed_weight(e.from, e.to, parameters.seed)};
  }
  return result;
}

void write(const std::string& file, const bench::huge_array<weighted_edge>& edges) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(edges.data()),
               static_cast<std::streamsize>(edges.size() * sizeof(weighted_edge)));
  stream.close();
  if (stream) return;
  std::remove(file.c_str());
  throw bench::bad_input("--write: cannot write " + file);
}

/// Returns false if the options ask for a check and the result is wrong.
bool measure(const options& o) {
  bench::pin_to_processor(0);
  const auto parameters = parameters_of(o);
  const auto edges = generate(parameters);
  if (!o.write.empty()) write(o.write, edges);
  bench::mst::kruskal forest(edges, parameters.vertices());
  forest.run();  // a warm-up run, as in Atoll's benchmark
  std::vector<double> seconds;
  for (std::uint64_t i = 0; i < o.trials; ++i) {
    const bench::stopwatch watch;
    forest.run();
    seconds.push_back(watch.seconds());
  }
  const auto middle = bench::median(seconds);
  bench::json_line(static_cast<double>(edges.size()) / middle, "edges/s")
      .add("seconds", middle)
      .add_count("weight", forest.weight())
      .add_count("forest_edges", forest.edges())
      .add("looked_at", static_cast<double>(forest.looked_at()))
      .add("vertices", static_cast<double>(parameters.vertices()))
      .add("input_edges", static_cast<double>(edges.size()))
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return !o.verify || bench::mst::is_right(edges, forest);
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  constexpr std::uint64_t most = 0xffff'ffff;
  bench::flags flags("rate of minimum spanning trees by Kruskal's method on one core");
  flags.add("kind", o.kind, "kronecker, uniform or web");
  flags.add("scale", o.scale, 0, 31, "2^N vertices");
  flags.add("vertices", o.vertices, 0, most, "so many instead, where it is not 0");
  flags.add("edges-per-vertex", o.edges_per_vertex, 1e-6, 1024, "edges by vertices");
  flags.add("seed", o.seed, 0, ~std::uint64_t{0}, "of the graph and the weights");
  flags.add("write", o.write, "file for the edges: ends and weight of each, in 32 bits");
  flags.add("trials", o.trials, 1, 1000, "timed ones, of which the median counts");
  flags.add("verify", o.verify, "check the forest by another method");
  return bench::run_program(flags, argc, argv, [&] { return measure(o); });
}
