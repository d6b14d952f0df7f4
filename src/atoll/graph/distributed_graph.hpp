#pragma once
// A graph over all PEs in compressed sparse rows (CSR). Each PE has a row for every vertex that it
// owns. A hub is a vertex with very many arcs. If a kernel asked for split hubs, each PE also has a
// row for its part of every hub (partition.hpp).

#include "atoll/base/bits.hpp"
#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/partition.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl {

/// The arcs that an input edge (from, to) becomes.
enum class orientation : std::uint8_t {
  undirected,  ///< both from -> to and to -> from
  out,         ///< from -> to
  in           ///< to -> from
};

/// The order of the targets of a row.
enum class row_order : std::uint8_t {
  /// In an undirected graph, targets with many arcs come first, because this order makes searches
  /// faster. Any other graph has the order `by_target`.
  by_degree,
  by_target  ///< in ascending order
};

/// The rule for the weight of an arc that several edges became.
enum class parallel_edges : std::uint8_t {
  /// The sum of the weights of the edges in the direction of the arc. If no edge has the direction
  /// of the arc, the weight is the sum over the edges in the opposite direction.
  add_up,
  least  ///< the smallest weight of the edges, in both directions in an undirected graph
};

/// The part of the graph on one PE. Id is the type of vertex numbers: 32 bits if they suffice,
/// otherwise 64 bits.
template <class Id>
struct graph_part {
  partition shape;
  orientation arcs_are = orientation::undirected;
  row_order rows_are = row_order::by_target;
  /// Number of edges of the whole graph, with duplicates and self loops.
  std::uint64_t input_edges = 0;

  std::uint64_t first_vertex = 0;
  std::uint64_t vertices = 0;  ///< number of vertices that this PE owns

  /// Offsets of the rows in `targets`. A row r below `vertices` belongs to the vertex first_vertex
  /// + r. The row vertices + h belongs to hub h. The targets of a row differ from each other and
  ///   from the vertex of the row.
  huge_vector<std::uint64_t> offsets;
  huge_vector<Id> targets;
  /// Weights of the arcs, in the order of the targets. The weight of an arc is the sum or the
  /// minimum of the weights of the edges that became this arc. The vector is empty if the graph was
  /// made without an `arc_weighing`.
  huge_vector<double> weights;
  /// The first target of the row of each owned vertex, stored contiguously. Only undirected graphs
  /// sorted by degree have `first_targets`. For most vertices, a bottom-up search finds the parent
  /// in `first_targets` and reads no row. If the row is empty, the element is the vertex itself.
  huge_vector<Id> first_targets;
  /// Number of arcs of each row in the input, with duplicates and self loops.
  huge_vector<std::uint32_t> input_arcs;

  /// Returns the different neighbours of an owned vertex. Throws `error` (input) if the vertex is a
  /// split hub.
  std::span<const Id> neighbours(std::uint64_t vertex) const {
    if (shape.hub_number(vertex)) refuse_hubs();
    return row(vertex - first_vertex);
  }

  /// Calls `visit(vertex, neighbour)` for every arc of the owned vertices. Throws `error` (input)
  /// if hubs are split.
  template <class Visit>
  void for_each_arc(Visit visit) const {
    if (!shape.hubs.empty()) refuse_hubs();
    for (std::uint64_t r = 0; r < vertices; ++r)
      for (const Id target : row(r)) visit(static_cast<Id>(first_vertex + r), target);
  }

  /// Returns the number of rows on this PE, including the rows for its parts of split hubs.
  std::uint64_t rows() const { return vertices + shape.hubs.size(); }
  std::span<const Id> row(std::uint64_t r) const {
    return {targets.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  /// Returns the weights of the arcs of a row. The result is empty if arcs have no weights.
  std::span<const double> weights_of_row(std::uint64_t r) const {
    return {weights.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  std::uint64_t vertex_of_row(std::uint64_t r) const {
    return r < vertices ? first_vertex + r : shape.hubs[r - vertices];
  }
  std::uint64_t arcs() const { return targets.size(); }
  std::uint64_t bytes() const {
    return offsets.size() * sizeof(std::uint64_t) + targets.size() * sizeof(Id) +
           weights.size() * sizeof(double) + first_targets.size() * sizeof(Id) +
           input_arcs.size() * sizeof(std::uint32_t);
  }

 private:
  [[noreturn]] static void refuse_hubs() {
    fail(errc::input, "every PE has a part of the arcs of a split hub; make the graph with "
                      "hub_rows::whole, or ask for the parts");
  }
};

template <class Id>
using distributed_graph = per_pe<graph_part<Id>>;

}  // namespace atl

// Some kernels need a value of every vertex on all PEs. The values are exchanged in windows, which
// are ranges of consecutive vertices. Because of the windows, no PE needs an array with an element
// per vertex of the graph.
namespace atl::graph {

/// Returns the number of vertices in a window: an equal share of the vertices, but at least 2^22.
constexpr std::uint64_t window_of(std::uint64_t vertices, std::uint64_t pes) {
  constexpr std::uint64_t least = std::uint64_t{1} << 22;
  return std::max(least, ceil_divide(vertices, pes));
}

/// Returns the values of the vertices of a window that begins at `begin`, in ascending order of
/// vertices. `mine` has the values of the vertices that this PE owns. Every PE calls this function.
template <class T, class Id>
task<std::vector<T>> all_gather_window(const graph_part<Id>& part, const std::vector<T>& mine,
                                       std::uint64_t begin, std::uint64_t vertices) {
  const std::uint64_t own_end = part.first_vertex + part.vertices;
  const std::uint64_t from = std::clamp(begin, part.first_vertex, own_end);
  const std::uint64_t to = std::clamp(begin + vertices, part.first_vertex, own_end);
  const std::span<const T> here(mine.data() + (from - part.first_vertex), to - from);
  std::vector<T> window;
  for (const auto& of_pe : co_await all_gather(here))
    window.insert(window.end(), of_pe.begin(), of_pe.end());
  co_return window;
}

}  // namespace atl::graph
