#pragma once
// Phase 3: of several edges between the same two components only the lightest can be in the forest.

#include "atoll/kernels/mst_part.hpp"

#include <utility>

namespace atl::kernels::mst {

/// Removes edges within a component, and of each pair of components all but the lightest: by
/// counting, not by comparing. Takes as much memory again as the edges do.
template <class Word>
void remove_multiple_edges(part<Word>& of) {
  keep_edges(of, [](const auto& edge) { return edge.a != edge.b; });
  huge_vector<std::size_t> next(of.names.size() + 1);
  for (auto& edge : of.edges) {
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
    ++next[edge.a + std::size_t{1}];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  edge_records<Word> by_first(of.edges.size());
  for (const auto& edge : of.edges) by_first[next[edge.a]++] = edge;

  // Of the edges of one first component, where the one to each second component stands.
  huge_vector<Word> first_of(of.names.size(), static_cast<Word>(of.names.size()));
  huge_vector<std::size_t> place_of(of.names.size());
  std::size_t kept = 0;
  for (const auto& edge : by_first) {
    if (first_of[edge.b] != edge.a) {
      first_of[edge.b] = edge.a;
      place_of[edge.b] = kept;
      by_first[kept++] = edge;
    } else if (auto& other = by_first[place_of[edge.b]]; key_of(edge) < key_of(other)) {
      other = edge;
    }
  }
  by_first.resize(kept);
  of.edges = std::move(by_first);
}

}  // namespace atl::kernels::mst
