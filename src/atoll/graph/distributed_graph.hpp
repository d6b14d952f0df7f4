#pragma once
// A graph over all PEs in compressed sparse rows: each PE has a row for every vertex it owns and,
// where a kernel asked for split hubs, one for its part of every hub (partition.hpp).

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/partition.hpp"
#include "atoll/local_memory.hpp"

#include <span>

namespace atl {

/// Which arcs an edge from -> to of the input stands for.
enum class orientation : std::uint8_t {
  undirected,  ///< both
  out,         ///< from -> to
  in           ///< to -> from
};

/// In which order the targets of a row stand.
enum class row_order : std::uint8_t {
  by_degree,  ///< of undirected graphs: those with many arcs first, for searches; else by_target
  by_target   ///< ascending
};

/// The part of one PE. Id holds a vertex number: 32 bits while they suffice, else 64.
template <class Id>
struct graph_part {
  partition shape;
  orientation arcs_are = orientation::undirected;
  row_order rows_are = row_order::by_target;
  std::uint64_t input_edges = 0;  ///< of the whole graph, duplicates and self loops included

  std::uint64_t first_vertex = 0;
  std::uint64_t vertices = 0;  ///< owned here

  /// Row r < vertices belongs to vertex first_vertex + r, row vertices + h to hub h. Targets are
  /// different from each other and from the row's vertex.
  huge_vector<std::uint64_t> offsets;
  huge_vector<Id> targets;
  /// Beside the targets, where they were asked for (`all_add_weights`): what all edges weigh that
  /// the arc stands for. Else empty.
  huge_vector<double> weights;
  /// Of undirected graphs by degree, the first target of each owned vertex's row once more, beside
  /// each other: for most vertices it is all a search from below has to look at. The vertex itself
  /// for an empty row.
  huge_vector<Id> first_targets;
  /// Arcs of the row as the input has them, duplicates and self loops included.
  huge_vector<std::uint32_t> input_arcs;

  /// The neighbours of a vertex owned here, all of them, each once. Throws `error` (input) for a
  /// split hub.
  std::span<const Id> neighbours(std::uint64_t vertex) const {
    if (shape.hub_number(vertex)) refuse_hubs();
    return row(vertex - first_vertex);
  }

  /// Calls `visit(vertex, neighbour)` for every arc of the vertices owned here. Throws `error`
  /// (input) where hubs are split.
  template <class Visit>
  void for_each_arc(Visit visit) const {
    if (!shape.hubs.empty()) refuse_hubs();
    for (std::uint64_t r = 0; r < vertices; ++r)
      for (const Id target : row(r)) visit(static_cast<Id>(first_vertex + r), target);
  }

  /// What this PE has of a row: all of it, but for split hubs.
  std::uint64_t rows() const { return vertices + shape.hubs.size(); }
  std::span<const Id> row(std::uint64_t r) const {
    return {targets.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  /// Of the arcs of a row, where there are any weights.
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
