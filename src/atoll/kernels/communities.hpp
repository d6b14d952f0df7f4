#pragma once
// Communities of a graph: groups of vertices with many edges within and few between them.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// The function of the communities that is maximised.
enum class community_quality : std::uint8_t {
  /// Modularity (Newman 2004; with a resolution: Reichardt, Bornholdt 2006): the part of the weight
  /// within communities, minus the resolution times the part expected if ends of edges were random.
  modularity,
  /// The constant Potts model (Traag, Van Dooren, Nesterov 2011): the weight within communities,
  /// minus the resolution for each pair of vertices in the same community.
  constant_potts
};

/// Options of finding communities.
struct communities_options {
  community_quality quality = community_quality::modularity;
  double resolution = 1;  ///< at least 0; higher ones give more and smaller communities
  std::uint64_t seed = 1;
  /// Number of times that the whole algorithm runs, each time from the communities found before. It
  /// ends earlier if an iteration does not improve them. At least 1.
  std::uint64_t iterations = 3;
  /// A graph, or a coarser graph, with fewer arcs is copied to every PE. Its vertices then move one
  /// by one, which finds better communities. The result depends on this number, not on the PEs.
  std::uint64_t copied_below = std::uint64_t{1} << 18;
  progress_view progress = {};  ///< called for "grouping" with the fraction that is done
};

/// A community and its size.
struct community {
  vertex_id label = no_vertex;  ///< its smallest vertex
  std::uint64_t vertices = 0;
};

/// The communities of a graph. The object is a small trivially copyable value, which a program can
/// capture and send. The graph must outlive the object. All functions throw atl::error (input),
/// with the line of the call, if the labels or their graph were destroyed.
struct vertex_communities {
  /// The label of each vertex: the smallest vertex of its community.
  vertex_array<vertex_id> label;

  std::uint64_t count = 0;       ///< number of communities, single vertices included
  double modularity = 0;         ///< with the resolution of the options; with 1 for constant_potts
  double quality = 0;            ///< value of the quality that was maximised
  std::uint64_t levels = 0;      ///< number of graphs, the input included, of the last iteration
  std::uint64_t iterations = 0;  ///< number of iterations that improved the communities
  double seconds = 0;            ///< time without making the graph and this result
  communities_options with;      ///< the options, without `progress`

  /// Returns the `most` largest communities, largest first; of equal ones, the smaller label comes
  /// first. One task calls it and waits.
  task<std::vector<community>> largest(std::size_t most = 1, site where = site::current()) const;

  /// Writes a file with the community of each vertex, as `vertex_array::write` does. One task calls
  /// it and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls it, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` largest communities, as `largest` does. Every PE calls it with the same
  /// argument and waits. Every PE gets the same result.
  task<std::vector<community>> all_largest(std::size_t most = 1,
                                           site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls it with the same path and waits. Throws the
  /// errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls it and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Finds communities by the Leiden algorithm (Traag, Waltman, van Eck 2019). Vertices move to
/// neighbouring communities. Refinement divides communities into connected parts, which become the
/// vertices of a coarser graph. Every community is connected.
///
/// In a graph with `arc_weights`, edges count by their weights, none of which may be below 0. Other
/// edges count 1, and duplicates count once. In a directed graph, arcs count both ways: the weights
/// from u to v and from v to u add up. If an undirected edge has different weights in both
/// directions, their mean counts. Self loops do not count. Edges of weight 0 connect nothing.
///
/// One seed gives the same communities for any number of PEs, every transport and every schedule.
/// Weights that are no integers are rounded to multiples of a small fraction. Each PE needs about
/// 50 bytes for each vertex of the whole graph, beside its arcs.
///
/// One task calls it and waits. Throws atl::error: input for options out of range, for weights
/// below 0, and for a graph whose hubs are divided; out_of_memory.
task<vertex_communities> communities(global_graph graph, communities_options options = {},
                                     site where = site::current());

/// Finds communities, as `communities` does. Every PE calls it with the same arguments and waits.
/// Every PE gets the same result. Throws the errors of `communities`.
task<vertex_communities> all_communities(global_graph graph, communities_options options = {},
                                         site where = site::current());

/// Checks communities on PE 0 from the edges of the input, which the graph must keep. Every label
/// must be the smallest vertex of its community, and every community must be connected. The count
/// must be right, and modularity and quality to 1e-9. Whether the quality could be higher is not
/// checked. One task calls it and waits. Throws atl::error: wrong_result, which names a vertex or a
/// number; input if the graph keeps no edges, or the labels are of another graph.
task<> verify(global_graph graph, vertex_communities found, site where = site::current());

/// Checks communities, as `verify` does. Every PE calls it with the same arguments and waits.
/// Throws the errors of `verify`.
task<> all_verify(global_graph graph, vertex_communities found, site where = site::current());

}  // namespace atl
