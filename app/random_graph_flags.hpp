#pragma once
// The flags of a random graph, alike in all commands that make one.

#include "app/flags.hpp"
#include "atoll/graph/generator.hpp"

#include <string>
#include <vector>

namespace atl::app {

/// Adds --kind, --scale, --vertices, --edge-factor and --edges-per-vertex. `graph` lives as long as
/// the command.
std::vector<flag> add_random_graph_flags(CLI::App& command, generator_parameters& graph);

/// "kronecker", "uniform" or "web".
std::string name_of(graph_kind kind);

/// The flags that make the graph, other than the seed, without those of a Kronecker graph by
/// default: {"--kind", "web", "--scale", "20", "--edge-factor", "16"}.
std::vector<std::string> words_of(const generator_parameters& graph);

}  // namespace atl::app
