#pragma once
// Afforest (Sutton, Ben-Nun, Barak 2018): most vertices are in one giant component, and a few arcs
// of each are enough to find it.
//
//   1. Each vertex is linked with its first neighbour only: in undirected graphs the one with most
//      neighbours, since rows are in that order.
//   2. Roots are found, and the commonest among those of a few random vertices is taken for that of
//      the giant component. If it is not common, vertices are linked with their second neighbours.
//   3. Only vertices outside of it are linked with the rest of their neighbours: an edge that both
//      ends skip has both in the giant component. In a directed graph an arc is kept at one end, so
//      no vertex is skipped.
//   4. Roots are found again if anything was linked.

#include "atoll/kernels/cc/compress.hpp"
#include "atoll/random.hpp"

namespace atl::kernels::cc {

/// Rows that are processed before other tasks run.
inline constexpr std::uint64_t k_rows = 8192;

/// Number of vertices whose roots are compared, and how many must have the same root before the
/// linking of further neighbours ends. At most `k_most_neighbours` neighbours of every vertex are
/// linked.
inline constexpr std::uint64_t k_samples = 1024;
inline constexpr std::uint64_t k_common = k_samples / 4;
inline constexpr std::uint64_t k_most_neighbours = 2;

template <class Id>
class afforest {
 public:
  afforest(distributed_graph<Id> graph, per_pe<forest_part<Id>> forests)
      : graph_(graph.local()),
        forests_(forests),
        forest_(forests.local()),
        compression_(graph_.shape, forest_) {}

  /// Labels every vertex of the forest, which has been started on this PE. Every PE calls it.
  task<> all_label();

 private:
  template <class LinkRow>
  task<> all_link(LinkRow link);
  template <class LinkRow>
  std::uint64_t link_while_room(const LinkRow& link, std::uint64_t begin);
  void link_arcs(std::uint64_t row, std::span<const Id> targets);
  void link_neighbour(std::uint64_t row);
  void link_rest(std::uint64_t row);
  bool is_in_giant(std::uint64_t row);
  task<bool> all_find_giant();
  task<> all_link_neighbours();
  task<> all_share_hubs();

  const graph_part<Id>& graph_;
  per_pe<forest_part<Id>> forests_;
  forest_part<Id>& forest_;
  compression<Id> compression_;
  std::uint64_t linked_ = 0;         ///< neighbours of every vertex
  std::uint64_t links_at_rest_ = 0;  ///< made before roots were found
  Id giant_ = 0;
  std::vector<Id> hub_labels_;  ///< of the split hubs, on every PE
};

/// Calls `link` for every row, and returns when all links of all PEs are done.
template <class Id>
template <class LinkRow>
task<> afforest<Id>::all_link(LinkRow link) {
  const auto link_all = [&]() -> task<> {
    for (std::uint64_t row = 0; row < graph_.rows();) {
      row = link_while_room(link, row);
      co_await yield();
    }
  };
  co_await finish(link_all);
  co_await all_barrier();
}

template <class Id>
template <class LinkRow>
std::uint64_t afforest<Id>::link_while_room(const LinkRow& link, std::uint64_t begin) {
  const std::uint64_t scanned_before = forest_.scanned_edges;
  const std::uint64_t end = begin + std::min(k_rows, graph_.rows() - begin);
  std::uint64_t row = begin;
  for (; row < end && has_room(); ++row) link(row);
  charge(work::edge_scanned, forest_.scanned_edges - scanned_before);
  charge(work::vertex_visited, row - begin);
  return row;
}

/// Links the targets of a row. Targets of a split hub are here, while the hub itself may be
/// elsewhere.
template <class Id>
void afforest<Id>::link_arcs(std::uint64_t row, std::span<const Id> targets) {
  forest_.scanned_edges += targets.size();
  const auto vertex = static_cast<Id>(graph_.vertex_of_row(row));
  if (forest_.is_here(vertex)) {
    for (const Id target : targets) forest_.link_arc(forests_, vertex, target);
  } else {
    for (const Id target : targets) forest_.link_arc(forests_, target, vertex);
  }
}

/// Links the next neighbour of a row, after the first `linked_` ones. First neighbours of
/// undirected graphs are contiguous, so no row is read for them.
template <class Id>
void afforest<Id>::link_neighbour(std::uint64_t row) {
  if (linked_ == 0 && row < graph_.first_targets.size()) {
    ++forest_.scanned_edges;
    const auto vertex = static_cast<Id>(graph_.first_vertex + row);
    forest_.link_arc(forests_, vertex, graph_.first_targets[row]);
    return;
  }
  const auto targets = graph_.row(row);
  if (targets.size() > linked_) link_arcs(row, targets.subspan(linked_, 1));
}

template <class Id>
void afforest<Id>::link_rest(std::uint64_t row) {
  if (is_in_giant(row)) return;
  const auto targets = graph_.row(row);
  link_arcs(row, targets.subspan(std::min<std::size_t>(linked_, targets.size())));
}

/// Returns true if the vertex of the row is in the giant component, and makes it the child of its
/// root.
template <class Id>
bool afforest<Id>::is_in_giant(std::uint64_t row) {
  const bool skips = graph_.arcs_are == orientation::undirected;
  if (row >= graph_.vertices) return skips && hub_labels_[row - graph_.vertices] == giant_;
  const Id root = forest_.parent_of(forest_.labels[row]);
  forest_.labels[row] = root;
  return skips && root == giant_;
}

/// Returns true if a root is common, which is then that of the giant component. All PEs draw the
/// same vertices, and each knows the roots of its own.
template <class Id>
task<bool> afforest<Id>::all_find_giant() {
  if (graph_.shape.vertices == 0) co_return true;
  random_stream random(k_samples);
  std::vector<Id> mine;
  for (std::uint64_t i = 0; i < k_samples; ++i) {
    const auto vertex = static_cast<Id>(random.below(graph_.shape.vertices));
    if (forest_.is_here(vertex)) mine.push_back(forest_.root_of(vertex));
  }
  std::vector<Id> roots;
  for (const auto& of_pe : co_await all_gather(std::span<const Id>(mine)))
    roots.insert(roots.end(), of_pe.begin(), of_pe.end());
  std::ranges::sort(roots);
  std::size_t most = 0;
  for (std::size_t begin = 0, end = 0; begin < roots.size(); begin = end) {
    while (end < roots.size() && roots[end] == roots[begin]) ++end;
    if (end - begin <= most) continue;
    most = end - begin;
    giant_ = roots[begin];
  }
  co_return most >= k_common;
}

/// Links neighbours of all vertices until a giant component is found.
template <class Id>
task<> afforest<Id>::all_link_neighbours() {
  const auto link = [this](std::uint64_t row) { link_neighbour(row); };
  bool found = false;
  while (!found && linked_ < k_most_neighbours) {
    co_await all_link(link);
    ++linked_;
    co_await compression_.all_find_roots();
    links_at_rest_ = forest_.links;  // others may link here once this PE has told its samples
    found = co_await all_find_giant();
  }
}

/// Sends the roots of the split hubs to every PE, because each has a part of their rows.
template <class Id>
task<> afforest<Id>::all_share_hubs() {
  const auto& hubs = graph_.shape.hubs;
  if (hubs.empty()) co_return;
  std::vector<Id> mine;
  for (const auto hub : hubs) {
    const auto vertex = static_cast<Id>(hub);
    if (forest_.is_here(vertex)) mine.push_back(forest_.root_of(vertex));
  }
  // Hubs are sorted, and PEs own ascending ranges.
  for (const auto& of_pe : co_await all_gather(std::span<const Id>(mine)))
    hub_labels_.insert(hub_labels_.end(), of_pe.begin(), of_pe.end());
}

template <class Id>
task<> afforest<Id>::all_label() {
  co_await all_barrier();  // no PE links before every PE has started
  co_await all_link_neighbours();
  if (forest_.progress) forest_.progress(0.5);
  co_await all_share_hubs();
  const auto rest = [this](std::uint64_t row) { link_rest(row); };
  co_await all_link(rest);
  if (forest_.progress) forest_.progress(0.9);
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  if (co_await all_reduce(forest_.links - links_at_rest_, sum) > 0)
    co_await compression_.all_compress();
}

// Connected components of a graph over all PEs. Every vertex gets a label, the smallest vertex of
// its component, whatever the algorithm. Edges count both ways; in a directed graph these are the
// weakly connected components.

/// Labels the vertices in `forests`, started on every PE. Every PE calls it. Labels of other PEs
/// may be read after a barrier.
template <class Id>
task<> all_label(distributed_graph<Id> graph, per_pe<forest_part<Id>> forests) {
  afforest<Id> run(graph, forests);
  co_await run.all_label();
}

}  // namespace atl::kernels::cc
