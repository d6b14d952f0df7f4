#pragma once
// A check for kernels that do not accept negative weights.

#include "atoll/collectives.hpp"
#include "atoll/graph.hpp"

#include <string>
#include <utility>

namespace atl::kernels {

/// An arc with a negative weight. If `from` is `no_vertex`, the object stands for no arc.
struct negative_arc {
  vertex_id from = no_vertex;
  vertex_id to = no_vertex;
  double weight = 0;
};

/// Returns the first arc of this PE that has a negative weight.
template <class Id>
negative_arc local_negative_arc(const graph_part<Id>& part) {
  if (part.weights.empty()) return {};
  for (std::uint64_t row = 0; row < part.rows(); ++row) {
    const auto weights = part.weights_of_row(row);
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] < 0) return {part.vertex_of_row(row), part.row(row)[i], weights[i]};
  }
  return {};
}

/// Throws `error` (input) if an arc of the graph has a negative weight. The text names the
/// endpoints of the arc and, for a graph from a file, the place in the file. The text also contains
/// `kernel`, the name of the algorithm. One task calls this function and waits.
inline task<> refuse_negative_weights(global_graph graph, const char* kernel, site where) {
  const auto find = [](auto rows) {
    return from_all_pes([rows] {
      const auto first = [](const negative_arc& a, const negative_arc& b) {
        return a.from <= b.from ? a : b;
      };
      return all_reduce(local_negative_arc(rows.local()), first);
    });
  };
  negative_arc found = co_await graph.on_ids(find);
  if (found.from == no_vertex) co_return;
  if (graph.on_ids([](auto rows) { return rows->arcs_are; }) == orientation::in)
    // In a graph of orientation `in`, the row of a vertex has the sources of arcs to the vertex.
    std::swap(found.from, found.to);
  const std::string from = co_await graph.name_of(found.from);
  const std::string to = co_await graph.name_of(found.to);
  const std::string of_file = graph.negative_weight();
  fail(errc::input, "{}: {}: the arc from {} to {} weighs {}, and none may weigh less than 0{}{}",
       to_string(where), kernel, from, to, found.weight, of_file.empty() ? "" : "; ", of_file);
}

}  // namespace atl::kernels
