#pragma once
// Communities of a graph: groups of vertices with many edges inside the groups and few edges
// between groups.

#include "atoll/graph.hpp"

#include <string>
#include <vector>

namespace atl {

/// The function that the algorithm maximises. A larger value of the function means a better
/// division into communities.
enum class community_quality : std::uint8_t {
  /// Modularity (Newman 2004; with a resolution: Reichardt, Bornholdt 2006). Modularity is the
  /// fraction of the total edge weight that lies within communities, minus the resolution times the
  /// fraction expected for edges with random endpoints.
  modularity,
  /// The constant Potts model (Traag, Van Dooren, Nesterov 2011). The model adds up the weights of
  /// the edges within communities. For each pair of vertices in the same community, the model
  /// subtracts the resolution.
  constant_potts
};

/// Options for finding communities.
struct communities_options {
  community_quality quality = community_quality::modularity;
  double resolution = 1;  ///< at least 0; a higher resolution gives more and smaller communities
  std::uint64_t seed = 1;
  /// Largest number of iterations of the whole algorithm, at least 1. Each iteration starts from
  /// the communities that the previous iteration found. After an iteration without an improvement,
  /// no further iteration is made.
  std::uint64_t iterations = 3;
  /// A graph with fewer arcs than this number is copied to every PE. The limit also applies to the
  /// coarser graphs that the algorithm makes. In a copied graph, vertices change their communities
  /// one at a time, which gives better communities. The result depends on this number, but not on
  /// the number of PEs.
  std::uint64_t copied_below = std::uint64_t{1} << 18;
  /// Is called with the name "grouping" and the fraction of the work that is done.
  progress_view progress = {};
};

/// A community and its size.
struct community {
  vertex_id label = no_vertex;  ///< the smallest vertex of the community
  std::uint64_t vertices = 0;
};

/// The communities of a graph. The object is a small trivially copyable value, which a program can
/// capture and send. The graph must outlive the object. If the labels or the graph have been
/// destroyed, every member function throws atl::error (input) that names the line of the call.
struct vertex_communities {
  /// The label of each vertex: the smallest vertex of its community.
  vertex_array<vertex_id> label;

  std::uint64_t count = 0;  ///< number of communities, including single vertices
  /// Modularity of the communities for the resolution of the options. For constant_potts, the
  /// modularity is computed with the resolution 1.
  double modularity = 0;
  double quality = 0;  ///< value of the quality function that was maximised
  /// Number of graphs that the best iteration used: the input and its coarser graphs.
  std::uint64_t levels = 0;
  std::uint64_t iterations = 0;  ///< number of iterations that improved the communities
  /// Time in seconds; making the graph and this result is not included.
  double seconds = 0;
  communities_options with;  ///< the options, without `progress`

  /// Returns the `most` largest communities, in descending order of size. Among communities of
  /// equal size, the smaller label comes first. One task calls this function and waits.
  task<std::vector<community>> largest(std::size_t most = 1, site where = site::current()) const;

  /// Writes a file with the community of each vertex, as `vertex_array::write` does. One task calls
  /// this function and waits. Throws the errors of `vertex_array::write`.
  task<> write(std::string path, site where = site::current()) const;

  /// Frees the memory of the result. One task calls this function, once, and waits.
  task<> destroy(site where = site::current()) const;

  /// Returns the `most` largest communities, as `largest` does. Every PE calls this function with
  /// the same argument and waits. Every PE gets the same result.
  task<std::vector<community>> all_largest(std::size_t most = 1,
                                           site where = site::current()) const;
  /// Writes the same file as `write`. Every PE calls this function with the same path and waits.
  /// Throws the errors of `write`.
  task<> all_write(std::string path, site where = site::current()) const;
  /// Frees the memory of the result. Every PE calls this function and waits.
  task<> all_destroy(site where = site::current()) const;
};

/// Finds communities by the Leiden algorithm (Traag, Waltman, van Eck 2019). First, vertices move
/// to neighbouring communities. A refinement of the communities then divides them into connected
/// parts. The parts become the vertices of a coarser graph, on which the algorithm moves vertices
/// and refines communities again. Every community of the result is connected.
///
/// In a graph with `arc_weights`, the algorithm uses the weights of the arcs. No weight may be
/// negative. In a graph without weights, each edge has weight 1, and duplicates are counted once. A
/// directed graph is treated as undirected: the weights of the arcs from u to v and from v to u are
/// added up. If an undirected edge has different weights in its two directions, the algorithm uses
/// their mean. Self loops are ignored. An edge of weight 0 does not connect its endpoints.
///
/// With the same seed, the communities are the same for any number of PEs, any transport and any
/// order in which tasks run. If a weight is not an integer, all weights are rounded to multiples of
/// a tiny power of two, so that sums are exact. Each PE needs about 50 bytes per vertex of the
/// whole graph, besides its arcs.
///
/// One task calls this function and waits. Throws atl::error (input) if an option is out of range,
/// if a weight is negative, or if the hubs of the graph are divided (`graph_options::divide_hubs`).
/// Throws atl::error (out_of_memory) if memory is exhausted.
task<vertex_communities> communities(global_graph graph, communities_options options = {},
                                     site where = site::current());

/// Finds communities, as `communities` does. Every PE calls this function with the same arguments
/// and waits. Every PE gets the same result. Throws the errors of `communities`.
task<vertex_communities> all_communities(global_graph graph, communities_options options = {},
                                         site where = site::current());

/// Checks communities on PE 0 from the edges of the input. The graph must have kept the edges of
/// the input. Every label must be the smallest vertex of its community, and every community must be
/// connected. The number of communities must be right. Modularity and quality may deviate by at
/// most 1e-9. The check does not look for communities of higher quality. One task calls this
/// function and waits. If the communities are wrong, throws atl::error (wrong_result) that names a
/// wrong vertex or number. Throws atl::error (input) if the graph keeps no edges, or if the labels
/// belong to another graph.
task<> verify(global_graph graph, vertex_communities found, site where = site::current());

/// Checks communities, as `verify` does. Every PE calls this function with the same arguments and
/// waits. Throws the errors of `verify`.
task<> all_verify(global_graph graph, vertex_communities found, site where = site::current());

}  // namespace atl
