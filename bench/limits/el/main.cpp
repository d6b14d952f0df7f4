// Measures how fast a plain program without Atoll reads a list of edges (.el) on one core, by
// parsing mapped memory. The rate covers the work that Atoll does: from the file to pairs in
// untouched memory.

#include "parser.hpp"
#include "support/cores.hpp"
#include "support/flags.hpp"
#include "support/huge_array.hpp"
#include "support/json_line.hpp"

namespace {

struct options {
  std::string graph;
  std::uint64_t passes = 3;
};

struct pass_result {
  double seconds = 0;
  std::size_t edges = 0;
  std::size_t bytes = 0;
};

pass_result run_pass(const std::string& path) {
  const bench::stopwatch watch;
  const bench::el::mapped_file file(path);
  const auto text = file.text();
  const bench::huge_array<bench::el::pair> pairs(bench::el::most_edges(text.size()));
  const auto edges = bench::el::parse(path, text, pairs.data());
  return {watch.seconds(), edges, text.size()};
}

bool run(const options& o) {
  if (o.graph.empty()) throw bench::bad_input("--graph: which");
  bench::pin_to_processor(0);
  const auto first = run_pass(o.graph);  // a warm-up run, as in Atoll's benchmark
  std::vector<double> seconds;
  for (std::uint64_t i = 0; i < o.passes; ++i) seconds.push_back(run_pass(o.graph).seconds);
  const auto edges = static_cast<double>(first.edges);
  const double median = bench::median(seconds);
  bench::json_line(edges / median, "edges/s")
      .add("seconds", median)
      .add("edges", edges)
      .add("bytes", static_cast<double>(first.bytes))
      .add("bytes_per_second", static_cast<double>(first.bytes) / median)
      .print();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  bench::flags flags("rate of a parser of a list of edges, on one core");
  flags.add("graph", o.graph, "an .el file");
  flags.add("passes", o.passes, 1, 1000, "timed passes; the rate is that of the median one");
  return bench::run_program(flags, argc, argv, [&] { return run(o); });
}
