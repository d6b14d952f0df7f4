#pragma once
// Phase 3: of several edges between the same two components only the lightest can be in the forest.

#include "atoll/kernels/mst/part.hpp"

#include <utility>

namespace atl::kernels::mst {

/// Of `all` edges in the order of their first components, moves the lightest of each pair to the
/// front; returns how many those are.
template <class Word>
std::size_t keep_lightest(edge_records<Word>& edges, std::size_t all, std::size_t components) {
  // Of the edges of one first component, where the one to each second component stands.
  huge_vector<Word> first_of(components, static_cast<Word>(components));
  huge_vector<std::size_t> place_of(components);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all; ++i) {
    const edge_record<Word> edge = edges[i];
    if (first_of[edge.b] != edge.a) {
      first_of[edge.b] = edge.a;
      place_of[edge.b] = kept;
      edges[kept++] = edge;
    } else if (auto& other = edges[place_of[edge.b]]; key_of(edge) < key_of(other)) {
      other = edge;
    }
  }
  return kept;
}

/// Removes edges within a component, and of each pair of components all but the lightest: by
/// counting, not by comparing.
template <class Word>
void remove_multiple_edges(part<Word>& of) {
  keep_edges(of, [](const auto& edge) { return edge.a != edge.b; });
  huge_vector<std::size_t> next(of.names.size() + 1);
  for (auto& edge : of.edges) {
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
    ++next[edge.a + std::size_t{1}];
  }
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  auto& by_first = of.spare;
  const std::size_t all = of.edges.size();
  if (by_first.size() < all) by_first.resize(all);
  for (const auto& edge : of.edges) by_first[next[edge.a]++] = edge;
  of.edges.swap(by_first);
  of.edges.resize(keep_lightest(of.edges, all, of.names.size()));
}

}  // namespace atl::kernels::mst
