// Measures how fast a plain program without Atoll reads a BVGraph on one core. For `rate`, the
// program does the work of Atoll: it reads the files, decodes the lists, and stores the arcs as
// pairs. The pairs are stored in newly mapped memory, so the time includes page faults.
// `rate_lists` times decoding alone: lists of 4 bytes per arc are written to memory that was
// touched before.

#include "copying_model.hpp"
#include "decoder.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::string graph;
  bench::bvgraph::copying_model model;
  std::uint64_t passes = 3;
  bool make = false;
};

/// Returns the median of the seconds that `pass()` takes.
template <class Pass>
double median_of(const options& o, Pass pass) {
  pass();  // a warm-up run, as in Atoll's benchmark
  std::vector<double> seconds;
  for (std::uint64_t i = 0; i < o.passes; ++i) {
    const bench::stopwatch watch;
    pass();
    seconds.push_back(watch.seconds());
  }
  return bench::median(seconds);
}

bool run(const options& o) {
  if (o.graph.empty()) throw bench::bad_input("--graph: which");
  if (o.make) bench::bvgraph::write_copying_model(o.graph, o.model);
  bench::pin_to_processor(0);
  const auto from = bench::bvgraph::read_encoded(o.graph);
  bench::require_memory(20 * static_cast<double>(from.arcs) + 8 * static_cast<double>(from.nodes));
  std::uint64_t arcs = 0;
  const double seconds = median_of(o, [&] {
    const auto again = bench::bvgraph::read_encoded(o.graph);
    const bench::huge_array<bench::bvgraph::arc> pairs(again.arcs);
    const bench::huge_array<std::uint64_t> begins(again.nodes + 1);
    arcs = decode(again, begins.data(), pairs.data());
  });
  const bench::huge_array<std::uint32_t> targets(from.arcs);
  const bench::huge_array<std::uint64_t> begins(from.nodes + 1);
  const double seconds_lists =
      median_of(o, [&] { arcs = decode(from, begins.data(), targets.data()); });
  const auto all = static_cast<double>(arcs);
  bench::json_line(all / seconds, "arcs/s")
      .add("rate_lists", all / seconds_lists)
      .add("seconds", seconds)
      .add("seconds_lists", seconds_lists)
      .add("arcs", all)
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
