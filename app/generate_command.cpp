// Implements `atoll generate`, which writes random graphs to files.

#include "app/command.hpp"
#include "app/driver/graph_flags.hpp"
#include "app/driver/report.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"
#include "atoll/graph_files.hpp"
#include "atoll/log.hpp"
#include "atoll/random_graph.hpp"

#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <memory>

namespace atl::app {
namespace {

struct generate_flags {
  generator_parameters graph;
  std::string output;
};

std::string help_of_output() {
  std::vector<std::string> files, weighted;
  for (const auto format : all_edge_formats()) {
    if (!is_written_by_edge(format)) continue;
    files.push_back(pattern_of(format));
    if (needs_weights(format)) weighted.push_back(pattern_of(format));
  }
  return wrapped(fmt::format("A file: {}, also as .gz or .zst, {} with weights 1 to 255; atoll "
                             "convert makes others of them",
                             listed(files, "or"), listed(weighted, "and")),
                 k_help_columns);
}

void write_all(edge_writer& writer, const random_graph_generator& make,
               const generate_flags& flags) {
  constexpr std::uint64_t edges_between_reports = 1 << 20;
  const auto edges = flags.graph.edges();
  const bool weighted = needs_weights(writer.format().edges);
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
  const random_graph_generator make(flags.graph);
  const auto start = std::chrono::steady_clock::now();
  const auto format = file_format_of(flags.output);
  edge_writer writer(
      flags.output, format,
      {flags.graph.vertices(), flags.graph.edges(), false, needs_weights(format.edges)});
  write_all(writer, make, flags);
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
  add_random_graph_flags(command, flags->graph);
  add_count_flag(command, "--seed", flags->graph.seed, 0, std::numeric_limits<std::uint64_t>::max(),
                 "Every random choice derives from it");
  add_text_flag(command, "-o,--output", "FILE", flags->output, help_of_output()).required();
}

}  // namespace atl::app
