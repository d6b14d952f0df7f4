// The limit of reading a BVGraph on one core: a plain decoder of its lists, from memory to memory.

#include "copying_model.hpp"
#include "decoder.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::string graph;
  bench::bvgraph::copying_model model;
  std::uint64_t passes = 3;
  bool make = false;
};

bool run(const options& o) {
  if (o.graph.empty()) throw bench::bad_input("--graph: which");
  if (o.make) bench::bvgraph::write_copying_model(o.graph, o.model);
  bench::pin_to_processor(0);
  const auto from = bench::bvgraph::read_encoded(o.graph);
  bench::require_memory(4.0 * static_cast<double>(from.arcs) +
                        8.0 * static_cast<double>(from.nodes));
  const bench::bvgraph::decoded into(from);
  auto arcs = decode(from, into);  // an untimed trial, as Atoll's has
  std::vector<double> seconds;
  for (std::uint64_t pass = 0; pass < o.passes; ++pass) {
    const bench::stopwatch watch;
    arcs = decode(from, into);
    seconds.push_back(watch.seconds());
  }
  const auto median = bench::median(seconds);
  bench::json_line(static_cast<double>(arcs) / median, "arcs/s")
      .add("seconds", median)
      .add("arcs", static_cast<double>(arcs))
      .add("nodes", static_cast<double>(from.nodes))
      .add("bytes", static_cast<double>(from.bytes.size()))
      .add("bytes_in_huge_pages", bench::bytes_in_huge_pages())
      .print();
  return arcs == from.arcs;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of a plain decoder of a BVGraph, on one core");
  flags.add("graph", o.graph, "a BVGraph with the usual codes");
  flags.add("make", o.make, "make it first: a web graph by the copying model");
  flags.add("arcs", o.model.arcs, 1, std::uint64_t{1} << 40, "about so many, of that graph");
  flags.add("degree", o.model.degree, 1, 1000, "about so many for each node, on average");
  flags.add("seed", o.model.seed, 0, ~std::uint64_t{0}, "of that graph");
  flags.add("passes", o.passes, 1, 1000, "timed passes; the rate is that of the median one");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
