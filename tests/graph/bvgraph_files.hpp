#pragma once
// Graphs for the tests of BVGraph, and their files.

#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/bvgraph/graph_writer.hpp"
#include "atoll/graph/io/read_edges.hpp"
#include "graph/scratch_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace bvgraph_files {

using lists = std::vector<std::vector<std::uint64_t>>;

/// Returns lists of successors that resemble the links of web pages. Each list copies a part of a
/// recent list. Each list also has runs of consecutive successors, and single successors near its
/// node and far away. Some lists are empty.
inline lists random_lists(std::uint64_t nodes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  lists all;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    std::set<std::uint64_t> successors;
    if (node > 0 && below(3) > 0) {
      for (const auto successor : all[node - 1 - below(std::min<std::uint64_t>(node, 9))])
        if (below(4) > 0) successors.insert(successor);
    }
    if (below(3) == 0) {
      const auto first = below(nodes);
      for (auto s = first; s < std::min(nodes, first + 1 + below(12)); ++s) successors.insert(s);
    }
    for (auto more = below(5); more > 0 && below(5) > 0; --more) {
      successors.insert(below(nodes));
      successors.insert(std::min(nodes - 1, node + below(20)));
    }
    if (below(9) == 0) successors.clear();
    all.emplace_back(successors.begin(), successors.end());
  }
  return all;
}

inline std::vector<atl::edge> edges_of(const lists& all) {
  std::vector<atl::edge> edges;
  for (std::uint64_t node = 0; node < all.size(); ++node)
    for (const auto successor : all[node]) edges.push_back({node, successor});
  return edges;
}

/// Writes the files of a BVGraph, and returns the number of bytes of the lists.
inline std::uint64_t write(const std::string& path, const lists& all,
                           const atl::graph::bvgraph::parameters& of = {}) {
  atl::graph::bvgraph::graph_writer writer(path, of);
  for (const auto& list : all) writer.write(list);
  writer.commit();
  return writer.bytes();
}

/// Returns the edges of all parts, concatenated.
inline std::vector<atl::edge> read_in_parts(const std::string& path, std::uint64_t parts) {
  std::vector<atl::edge> edges;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const auto list = atl::read_edges(path, part, parts);
    edges.insert(edges.end(), list.edges.begin(), list.edges.end());
    if (part + 1 == parts) check_size(*list.declared, edges.size());
  }
  return edges;
}

/// Returns the error of the first part that has an error, or "".
inline std::string error_of(const std::string& path, std::uint64_t parts = 1) {
  try {
    const auto edges = read_in_parts(path, parts);
    return "";
  } catch (const atl::error& e) {
    return e.what();
  }
}

/// Returns the path of a graph of real web pages, or "" if there is no such graph. The file of the
/// graph is in the folder that ATOLL_DATA names, or in the folder shared/data next to the sources.
inline std::string real_graph() {
  namespace fs = std::filesystem;
  const char* const given = std::getenv("ATOLL_DATA");
  const auto sources = fs::path(__FILE__).parent_path().parent_path().parent_path();
  const auto folder =
      given != nullptr ? fs::path(given) : sources.parent_path() / "shared" / "data";
  const auto path = folder / "cnr-2000.graph";
  return fs::exists(path) ? path.string() : "";
}

}  // namespace bvgraph_files
