#pragma once
// Finds connected components by the algorithm Afforest (Sutton, Ben-Nun, Barak 2018). The algorithm
// relies on two properties of many graphs: most vertices are in one giant component, and a few arcs
// of each vertex are enough to find this component.
//
// Step 1: each vertex is linked with its first neighbour, so the trees of both vertices are joined.
// In undirected graphs, the first neighbour is the neighbour with the highest degree, because rows
// are ordered by degree.
//
// Step 2: the root of each tree is found. The most frequent root among a few random vertices is
// taken to be the root of the giant component. If the most frequent root does not occur often
// enough, vertices are also linked with their second neighbours.
//
// Step 3: only vertices outside the giant component are linked with the rest of their neighbours.
// An edge is skipped only if both of its endpoints are in the giant component. In a directed graph,
// an arc is stored only at its source, so no vertex is skipped.
//
// Step 4: roots are found again if step 3 has joined trees.

#include "atoll/kernels/cc/compress.hpp"
#include "atoll/random.hpp"

namespace atl::kernels::cc {

/// Number of rows that are processed before other tasks run.
inline constexpr std::uint64_t k_rows = 8192;

/// `k_samples` is the number of vertices whose roots are compared. Once `k_common` of the compared
/// vertices have the same root, no further neighbours are linked in step 1. Step 1 links at most
/// `k_most_neighbours` neighbours of every vertex.
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

  /// Labels every vertex of the forest. Before the call, `forest_part::start` must have been called
  /// on this PE. Every PE calls this function.
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
  std::uint64_t linked_ = 0;         ///< number of neighbours of every vertex that have been linked
  std::uint64_t links_at_rest_ = 0;  ///< value of `forest_part::links` when the roots were found
  Id giant_ = 0;
  std::vector<Id> hub_labels_;  ///< labels of the split hubs (vertices whose rows are divided over
                                ///< all PEs), on every PE
};

/// Calls `link` for every row. Returns when all links of all PEs are complete.
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

/// Links the vertex of `row` with each of `targets`, the targets of its arcs. If the vertex is a
/// split hub, this PE has a part of its row, although another PE may own the vertex.
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

/// Links the vertex of `row` with its next neighbour: neighbour number `linked_`, counted from 0.
/// The first neighbours of undirected graphs are in a separate array, so the row is not read to
/// find a first neighbour.
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

/// Returns true if the vertex of `row` is in the giant component and can be skipped. Also makes an
/// owned vertex the child of its root.
template <class Id>
bool afforest<Id>::is_in_giant(std::uint64_t row) {
  const bool skips = graph_.arcs_are == orientation::undirected;
  if (row >= graph_.vertices) return skips && hub_labels_[row - graph_.vertices] == giant_;
  const Id root = forest_.parent_of(forest_.labels[row]);
  forest_.labels[row] = root;
  return skips && root == giant_;
}

/// Finds the most frequent root of randomly drawn vertices. Returns true if the most frequent root
/// occurs often enough to be the root of the giant component. All PEs draw the same vertices, and
/// each PE contributes the roots of the drawn vertices that it owns.
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

/// Links one more neighbour of each vertex, and finds the roots, until a giant component is found.
/// The function returns at the latest after `k_most_neighbours` neighbours, even if no giant
/// component was found.
template <class Id>
task<> afforest<Id>::all_link_neighbours() {
  const auto link = [this](std::uint64_t row) { link_neighbour(row); };
  bool found = false;
  while (!found && linked_ < k_most_neighbours) {
    co_await all_link(link);
    ++linked_;
    co_await compression_.all_find_roots();
    // The counter is read before this PE sends its samples. As soon as the other PEs have the
    // samples, they may begin the next step, and link vertices of this PE.
    links_at_rest_ = forest_.links;
    found = co_await all_find_giant();
  }
}

/// Sends the roots of the split hubs, whose rows are divided over all PEs, to every PE. Every PE
/// needs the roots of all hubs, because every PE has a part of the hubs' rows.
template <class Id>
task<> afforest<Id>::all_share_hubs() {
  const auto& hubs = graph_.shape.hubs;
  if (hubs.empty()) co_return;
  std::vector<Id> mine;
  for (const auto hub : hubs) {
    const auto vertex = static_cast<Id>(hub);
    if (forest_.is_here(vertex)) mine.push_back(forest_.root_of(vertex));
  }
  // Hubs are sorted, and PEs own ascending ranges of vertices, so the gathered labels are in order.
  for (const auto& of_pe : co_await all_gather(std::span<const Id>(mine)))
    hub_labels_.insert(hub_labels_.end(), of_pe.begin(), of_pe.end());
}

template <class Id>
task<> afforest<Id>::all_label() {
  co_await all_barrier();  // no PE links before every PE has started its forest
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

// Connected components of a graph over all PEs. Every algorithm gives each vertex the same label:
// the smallest vertex of its component. The direction of edges is ignored, so the components of a
// directed graph are its weakly connected components.

/// Labels the vertices in `forests`. Before the call, `forest_part::start` must have been called on
/// every PE. Every PE calls this function. Labels of other PEs may be read after a barrier.
template <class Id>
task<> all_label(distributed_graph<Id> graph, per_pe<forest_part<Id>> forests) {
  afforest<Id> run(graph, forests);
  co_await run.all_label();
}

}  // namespace atl::kernels::cc
