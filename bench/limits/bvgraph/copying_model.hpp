#pragma once
// Generates an artificial web graph by the copying model of Kumar and others (FOCS 2000). Pages of
// a host have neighbouring numbers and copy each other's links.

#include <cstdint>
#include <string>

namespace bench::bvgraph {

struct copying_model {
  std::uint64_t arcs = 100'000'000;  ///< approximate number of arcs
  std::uint64_t degree = 28;         ///< approximate average number of links per page
  std::uint64_t seed = 1;
};

/// Writes the graph as a BVGraph with offsets. Returns the number of arcs.
std::uint64_t write_copying_model(const std::string& path, const copying_model& model);

}  // namespace bench::bvgraph
