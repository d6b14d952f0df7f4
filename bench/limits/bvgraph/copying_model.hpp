#pragma once
// A web graph that nobody has crawled: pages of a host stand side by side and copy each other's
// links, after the copying model of Kumar and others (FOCS 2000).

#include <cstdint>
#include <string>

namespace bench::bvgraph {

struct copying_model {
  std::uint64_t arcs = 100'000'000;  ///< about so many
  std::uint64_t degree = 28;         ///< on average, about
  std::uint64_t seed = 1;
};

/// Writes it as a BVGraph, with offsets; returns the number of arcs.
std::uint64_t write_copying_model(const std::string& path, const copying_model& model);

}  // namespace bench::bvgraph
