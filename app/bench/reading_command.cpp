// Implements `atoll bench reading`.

#include "app/command.hpp"
#include "app/driver/graph_flags.hpp"
#include "app/driver/guarded.hpp"
#include "app/driver/memory.hpp"
#include "app/driver/output.hpp"
#include "app/flags.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/random.hpp"

#include <memory>

namespace atl::app {
namespace {

struct flags_of_reading : graph_flags {
  benchmark_flags common;
};

/// Returns the term that one edge adds to the checksum of a file. The checksum is a sum, so it does
/// not depend on the order of edges.
std::uint64_t checksum_of(const edge& e) { return atl::hash(atl::hash(e.from) + e.to); }

/// Returns the checksum of all edges of a file. One PE reads the whole file.
std::uint64_t checksum_of(const graph_files& files) {
  std::uint64_t sum = 0;
  for (const edge& e : read_all_edges(files).edges) sum += checksum_of(e);
  return sum;
}

struct reading_facts {
  graph_size size;
  bool right = true;
};

class reading_job {
 public:
  reading_job(const flags_of_reading& flags, trial_series& trials)
      : flags_(flags), trials_(trials) {}

  task<reading_facts> main() {
    if (flags_.common.verify) expected_ = checksum_of(flags_.files);
    edges_ = co_await global_edges::make();
    while (trials_.begin()) trials_.end(co_await trial());
    co_await edges_.destroy();
    co_return facts_;
  }

 private:
  task<measurements> trial() {
    const auto start = now();
    facts_.size = co_await edges_.read(flags_.files);
    const double seconds = seconds_since(start);
    const double scan = co_await from_all_pes([edges = edges_] {
      return all_reduce(edges.scan_seconds(), [](double a, double b) { return std::max(a, b); });
    });
    if (flags_.common.verify) co_await compare();
    co_await edges_.clear();
    co_return measurements{{"rate", "edges/s", static_cast<double>(facts_.size.edges) / seconds},
                           {"seconds", "s", seconds},
                           {"scan_seconds", "s", scan}};
  }

  task<> compare() {
    const auto found = co_await from_all_pes([edges = edges_] {
      std::uint64_t sum = 0;
      edges.for_each_local([&sum](const edge& e) { sum += checksum_of(e); });
      return all_reduce(sum, [](auto a, auto b) { return a + b; });
    });
    if (found != expected_) facts_.right = false;
  }

  const flags_of_reading& flags_;
  trial_series& trials_;
  global_edges edges_;
  std::uint64_t expected_ = 0;
  reading_facts facts_;
};

std::vector<compared_program> limits_of(const flags_of_reading& flags) {
  const auto format = recognised_format(flags.files);
  const auto program_of = [](const file_format& of) -> std::string {
    if (of.packing != compression::none) return "";
    if (of.edges == edge_format::bvgraph) return "atoll-limit-bvgraph";
    return of.edges == edge_format::el ? "atoll-limit-el" : "";
  };
  const auto program = program_of(format);
  if (program.empty()) return {};
  return {{"limit", {program, "--graph", flags.files.edges, "--passes", "1"}}};
}

int read_again_and_again(const flags_of_reading& flags, settings options) {
  // The hang detector is off, because it would mistake this job for a hang: PE 0 blocks until the
  // compared program ends, and meanwhile the other PEs are idle.
  if (flags.common.compare) options.hang_timeout = 0;
  refuse_shared_files(
      {{"edges", flags.files.edges}},
      {{"--json", flags.common.json}, {"--metrics", options.metrics}, {"--trace", options.trace}});
  report result("reading", options);
  check_memory_to_read(flags, options);
  result.parameter("graph", flags.files.edges);
  trial_series trials(result, flags.common, limits_of(flags));
  reading_job job(flags, trials);
  const auto facts = result_of_job(options, [&] { return job.main(); });
  result.parameter("vertices", facts.size.vertices);
  result.parameter("edges", facts.size.edges);
  if (flags.common.verify) result.verified(facts.right);
  return publish(result, flags.common);
}

constexpr const char* k_reading_explanation =
    "\nAll PEs read the file; each has its part of the edges then, in as few bits as they need, "
    "in\n"
    "memory that is new in every trial. scan_seconds are those, of the slowest PE, that it takes "
    "to find the "
    "parts\n"
    "of a BVGraph without a file of offsets. --verify compares the edges with those that one PE\n"
    "reads alone. --compare runs, for a BVGraph, a plain decoder in one thread that does the "
    "same,\n"
    "and for a plain .el file a parser of mapped memory in one thread.\n\n"
    "  atoll-limit-bvgraph --make --arcs 100000000 --graph web.graph\n"
    "  atoll bench reading web.graph --pes 2 --compare\n"
    "  atoll bench reading graph.el --pes 2 --compare";

}  // namespace

void add_reading(CLI::App& bench, command_context& context) {
  const auto flags = std::make_shared<flags_of_reading>();
  auto& command =
      add_command(bench, context, "reading", "A graph from its file into the memory of all PEs",
                  [&context, flags] { return read_again_and_again(*flags, context.settings); });
  add_text_flag(command, "GRAPH", "", flags->files.edges, "A graph in any format").required();
  add_benchmark_flags(command, flags->common);
  add_settings_flags(command, context);
  add_explanation(command, k_reading_explanation);
}

}  // namespace atl::app
