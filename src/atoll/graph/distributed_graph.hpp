#pragma once
// A graph over all PEs in compressed sparse rows. Each PE has a row for every vertex that it owns.
// If a kernel asked for split hubs, it also has a row for its part of every hub (partition.hpp).

#include "atoll/base/bits.hpp"
#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/partition.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl {

/// The arcs for which an input edge from -> to stands.
enum class orientation : std::uint8_t {
  undirected,  ///< both
  out,         ///< from -> to
  in           ///< to -> from
};

/// The order of the targets of a row.
enum class row_order : std::uint8_t {
  by_degree,  ///< of undirected graphs: those with many arcs first, for searches; else by_target
  by_target   ///< ascending
};

/// The weight of an arc for which several edges stand.
enum class parallel_edges : std::uint8_t {
  add_up,  ///< the sum of the weights of the edges in the direction of the arc; if there are none,
           ///< of those in the opposite direction
  least    ///< the smallest weight of the edges, in both directions in an undirected graph
};

/// The part of one PE. Id holds a vertex number: 32 bits if they suffice, else 64.
template <class Id>
struct graph_part {
  partition shape;
  orientation arcs_are = orientation::undirected;
  row_order rows_are = row_order::by_target;
  std::uint64_t input_edges = 0;  ///< of the whole graph, duplicates and self loops included

  std::uint64_t first_vertex = 0;
  std::uint64_t vertices = 0;  ///< owned here

  /// Row r < vertices belongs to vertex first_vertex + r, row vertices + h to hub h. Targets of a
  /// row differ from each other and from its vertex.
  huge_vector<std::uint64_t> offsets;
  huge_vector<Id> targets;
  /// Weights beside the targets, if requested (`all_add_weights`), else empty: the sum, or the
  /// least, of the weights of the edges that the arc stands for.
  huge_vector<double> weights;
  /// First targets of the rows of owned vertices, contiguous, for undirected graphs by degree. For
  /// most vertices a bottom-up search needs nothing else. An empty row has its own vertex here.
  huge_vector<Id> first_targets;
  /// Arcs of each row as in the input, including duplicates and self loops.
  huge_vector<std::uint32_t> input_arcs;

  /// Returns all neighbours of an owned vertex, each once. Throws `error` (input) for a split hub.
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

  /// Returns the number of rows on this PE, including its parts of split hubs.
  std::uint64_t rows() const { return vertices + shape.hubs.size(); }
  std::span<const Id> row(std::uint64_t r) const {
    return {targets.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  /// Returns the weights of the arcs of a row, if there are weights.
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

// Values of the vertices of the whole graph that all PEs know at a time. If each PE must know a
// value of every vertex, the values come in windows. No PE of a large graph then has an array with
// an element per vertex.
namespace atl::graph {

/// Returns the vertices of a window: a PE's share of the vertices, or some millions if that is
/// more.
constexpr std::uint64_t window_of(std::uint64_t vertices, std::uint64_t pes) {
  constexpr std::uint64_t least = std::uint64_t{1} << 22;
  return std::max(least, ceil_divide(vertices, pes));
}

/// Returns the values of all PEs for a window of vertices from `begin` on, in their order. `mine`
/// has the values of the owned vertices. Every PE calls it.
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
