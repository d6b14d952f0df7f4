#include "app/random_graph_flags.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

const std::vector<std::string> k_graph_kinds = {"kronecker", "uniform", "web"};

}  // namespace

std::string name_of(graph_kind kind) { return k_graph_kinds[static_cast<std::size_t>(kind)]; }

std::vector<std::string> words_of(const generator_parameters& graph) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, std::string value) {
    words.insert(words.end(), {flag, std::move(value)});
  };
  if (graph.kind != graph_kind::kronecker) add("--kind", name_of(graph.kind));
  if (graph.exact_vertices != 0) {
    add("--vertices", std::to_string(graph.exact_vertices));
  } else {
    add("--scale", std::to_string(graph.scale));
  }
  if (graph.edges_per_vertex != 0) {
    add("--edges-per-vertex", fmt::format("{}", graph.edges_per_vertex));
  } else {
    add("--edge-factor", std::to_string(graph.edge_factor));
  }
  return words;
}

std::vector<flag> add_random_graph_flags(CLI::App& command, generator_parameters& graph) {
  constexpr auto most_vertices = std::uint64_t{1} << generator_parameters::largest_scale;
  constexpr auto most_edges = generator_parameters::largest_edges_per_vertex;
  const auto take_kind = [&graph](std::size_t kind) { graph.kind = static_cast<graph_kind>(kind); };
  const auto kind = add_word_flag(command, "--kind", k_graph_kinds, take_kind,
                                  "A random graph as Graph500 makes it, with all edges equally "
                                  "likely, or like links between web pages")
                        .with_default("kronecker");
  const auto scale = add_count_flag(command, "--scale", graph.scale, 0,
                                    generator_parameters::largest_scale, "of 2^N vertices");
  const auto vertices =
      add_count_flag(command, "--vertices", graph.exact_vertices, 0, most_vertices,
                     "or of N vertices, where N is not 0 and the graph no Kronecker graph")
          .excludes(scale);
  const auto factor = add_count_flag(command, "--edge-factor", graph.edge_factor, 0, most_edges,
                                     "and N edges for each");
  const auto ratio = add_real_flag(command, "--edges-per-vertex", graph.edges_per_vertex, 0,
                                   most_edges, "or X, which need not be whole, where it is not 0")
                         .excludes(factor);
  return {kind, scale, vertices, factor, ratio};
}

}  // namespace atl::app
