// `atoll generate`: random graphs as files.

#include "app/command.hpp"
#include "app/flags.hpp"
#include "app/progress_line.hpp"
#include "atoll/base/error.hpp"
#include "atoll/base/format.hpp"
#include "atoll/graph/io/write_edges.hpp"
#include "atoll/graph/kronecker.hpp"
#include "atoll/graph/uniform.hpp"

#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <memory>

namespace atl::app {
namespace {

struct generate_flags {
  bool kronecker = true;  ///< else all edges are equally likely
  generator_parameters graph;
  std::string output;
};

template <class Generator>
void write_all(edge_writer& writer, const generate_flags& flags) {
  constexpr std::uint64_t edges_between_reports = 1 << 20;
  const Generator make(flags.graph);
  const auto edges = flags.graph.edges();
  const bool weighted = writer.format().edges == edge_format::wel;
  progress_line progress;
  for (std::uint64_t i = 0; i < edges; ++i) {
    writer.write(make(i), weighted ? random_weight(flags.graph, i) : 1);
    if (i % edges_between_reports == 0) {
      progress.show(
          fmt::format("{} {} of {} edges", flags.output, grouped_digits(i), grouped_digits(edges)));
    }
  }
  writer.commit();
}

int generate(const generate_flags& flags) {
  flags.graph.check();
  const auto start = std::chrono::steady_clock::now();
  edge_writer writer(flags.output);
  if (flags.kronecker) {
    write_all<kronecker_generator>(writer, flags);
  } else {
    write_all<uniform_generator>(writer, flags);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {} edges between {} vertices, {} in {}\n", flags.output,
             grouped_digits(flags.graph.edges()), grouped_digits(flags.graph.vertices()),
             human_bytes(static_cast<double>(writer.bytes())), human_seconds(taken.count()));
  return 0;
}

}  // namespace

void add_generate(CLI::App& root, command_context& context) {
  const auto flags = std::make_shared<generate_flags>();
  flags->graph.seed = context.settings.seed;
  auto& command = add_command(root, context, "generate", "Write a random graph to a file",
                              [flags] { return generate(*flags); });
  const auto take_kind = [flags](bool kronecker) { flags->kronecker = kronecker; };
  add_choice_flag(command, "--kind", "kronecker", "uniform", take_kind,
                  "As Graph500 makes it, or all edges equally likely")
      .with_default("kronecker");
  auto& graph = flags->graph;
  add_count_flag(command, "--scale", graph.scale, 0, generator_parameters::largest_scale,
                 "2^N vertices");
  add_count_flag(command, "--edge-factor", graph.edge_factor, 0, std::uint64_t{1} << 20,
                 "Edges for each vertex");
  add_count_flag(command, "--seed", graph.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                 "Every random choice derives from it");
  add_text_flag(command, "-o,--output", "FILE", flags->output,
                "An .el, .wel (weights 1 to 255), .tsv, .txt or .csv file, also as .gz or .zst")
      .required();
}

}  // namespace atl::app
