#include "app/graph_flags.hpp"

#include "app/flags.hpp"
#include "atoll/base/error.hpp"
#include "atoll/graph/io/file_format.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

// What the limit programs take.
constexpr std::uint64_t k_largest_scale_of_limit = 27;
constexpr std::uint64_t k_largest_edge_factor_of_limit = 1024;

}  // namespace

std::string graph_flags::name() const {
  if (!generated()) return files.edges;
  return fmt::format("--scale {} --edge-factor {}", random.scale, random.edge_factor);
}

void add_graph_flags(CLI::App& command, graph_flags& flags) {
  const auto graph =
      add_text_flag(command, "GRAPH", "", flags.files.edges,
                    "A file of edges: .txt, .csv, .el, .wel or .tsv, also as .gz or .zst; or a\n"
                    "BVGraph: .graph")
          .under("Graph");
  add_count_flag(command, "--scale", flags.random.scale, 0, generator_parameters::largest_scale,
                 "Without GRAPH: a Kronecker graph of 2^N vertices")
      .excludes(graph)
      .under("Graph");
  add_count_flag(command, "--edge-factor", flags.random.edge_factor, 1, std::uint64_t{1} << 20,
                 "and N edges for each")
      .excludes(graph)
      .under("Graph");
  add_text_flag(command, "--names", "FILE", flags.files.names,
                "Line i, from 0 on, names vertex i; may be shorter or longer than the graph")
      .under("Graph");
  add_switch(command, "--compact", flags.files.compact,
             "Number the ids that occur without gaps; all output has them as they are in GRAPH")
      .under("Graph");
  add_switch(command, "--wide-ids", flags.wide_ids, "").under("");
}

void add_graph_parameters(report& result, const graph_flags& flags) {
  if (flags.generated()) {
    result.parameter("scale", flags.random.scale);
    result.parameter("edge_factor", flags.random.edge_factor);
  } else {
    result.parameter("graph", flags.files.edges);
    if (flags.files.compact) result.parameter("compact", true);
  }
  if (!flags.output.empty()) result.parameter("output", flags.output);
}

void check_graph_flags(const graph_flags& flags) {
  if (flags.files.compact && flags.generated())
    fail(errc::input, "--compact: it is about the ids of a GRAPH, and none is given");
  if (flags.files.compact && !flags.files.names.empty())
    fail(errc::input, "--names: {} names vertices by their ids, which --compact changes",
         flags.files.names);
  if (!flags.generated()) return;
  if (!flags.files.names.empty())
    fail(errc::input, "--names: {} names the vertices of a GRAPH, and none is given",
         flags.files.names);
  flags.random.check();
}

bool limit_takes_graph(const graph_flags& flags) {
  if (flags.generated()) {
    return flags.random.scale >= 1 && flags.random.scale <= k_largest_scale_of_limit &&
           flags.random.edge_factor <= k_largest_edge_factor_of_limit;
  }
  const auto format = file_format_of(flags.files.edges);
  return format.edges == edge_format::el && format.packing == compression::none &&
         flags.files.names.empty() && !flags.files.compact;
}

std::vector<std::string> limit_command(const std::string& program, const graph_flags& flags,
                                       const report& result) {
  std::vector<std::string> command = {program};
  const auto add = [&](const char* flag, const std::string& value) {
    command.insert(command.end(), {flag, value});
  };
  if (flags.generated()) {
    add("--scale", std::to_string(flags.random.scale));
    add("--edge-factor", std::to_string(flags.random.edge_factor));
  } else {
    add("--graph", flags.files.edges);
  }
  add("--seed", std::to_string(flags.random.seed));
  add("--threads", std::to_string(result.busy_cores()));
  return command;
}

}  // namespace atl::app
