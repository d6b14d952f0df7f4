#pragma once
// The part of a growing search tree on one PE, bitmaps for ranges of vertices, and the degrees of
// hubs on all PEs. A hub is a vertex with so many neighbours that its row is split among all PEs.

#include "atoll/atoll.hpp"
#include "atoll/collectives.hpp"
#include "atoll/graph/distributed_graph.hpp"
#include "atoll/local_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace atl::kernels {

/// One bit for each number from 0 on. Bit i is in the word with the index i / 64.
class bitmap {
 public:
  void reset(std::uint64_t bits) { words_.assign((bits + 63) / 64, 0); }

  bool test(std::uint64_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void set(std::uint64_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }

  /// Calls `visit(i)` for each clear bit of [begin, end). The loop reads a word of bits before it
  /// visits the clear bits of the word. If `visit(i)` sets further bits in the word of bit i, the
  /// loop still visits these bits.
  template <class Visit>
  void for_each_clear(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    for (std::uint64_t word = begin / 64; word * 64 < end; ++word) {
      std::uint64_t clear = ~words_[word];
      if (word == begin / 64) clear &= ~std::uint64_t{0} << (begin % 64);
      if (end < word * 64 + 64) clear &= (std::uint64_t{1} << (end % 64)) - 1;
      for (; clear != 0; clear &= clear - 1) {
        visit(word * 64 + static_cast<std::uint64_t>(std::countr_zero(clear)));
      }
    }
  }

 private:
  huge_vector<std::uint64_t> words_;
};

/// A bitmap that stores only the bits [first, last). Each bit has the same position in its word as
/// in a bitmap of all numbers.
class bitmap_slice {
 public:
  bitmap_slice(std::uint64_t first, std::uint64_t last)
      : first_word_(first / 64), words_(first == last ? 0 : (last + 63) / 64 - first / 64) {}

  void set(std::uint64_t i) { words_[i / 64 - first_word_] |= std::uint64_t{1} << (i % 64); }
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::uint64_t first_word_;
  std::vector<std::uint64_t> words_;
};

}  // namespace atl::kernels

namespace atl::kernels::bfs {

/// Returns the number of neighbours of each hub, in the order of the hubs' numbers. Every PE calls
/// this function. Every PE gets the same result.
template <class Id>
task<std::vector<std::uint64_t>> all_neighbours_of_hubs(const graph_part<Id>& graph) {
  std::vector<std::uint64_t> neighbours;
  for (std::uint64_t hub = 0; hub < graph.shape.hubs.size(); ++hub) {
    neighbours.push_back(graph.row(graph.vertices + hub).size());
  }
  if (neighbours.empty()) co_return neighbours;
  co_return co_await all_reduce(std::move(neighbours), [](auto a, auto b) { return a + b; });
}

/// Value of an element of `search_part::parents` for a vertex without a parent.
template <class Id>
inline constexpr Id k_no_parent = static_cast<Id>(~Id{0});

/// One PE's part of a search tree, and the data with which the tree grows.
template <class Id>
struct search_part {
  /// For each owned vertex: its parent in the tree. The root is its own parent, and k_no_parent
  /// stands for no parent.
  huge_vector<Id> parents;
  /// Rows of the vertices of this PE that were reached, in the order of their levels. Level l
  /// begins at `reached[levels[l]]`.
  huge_vector<Id> reached;
  std::vector<std::uint64_t> levels;
  std::uint64_t scanned_arcs = 0;

  std::vector<std::uint64_t> arcs_of_hubs;  ///< for each hub: number of its arcs on all PEs

  bitmap visited;   ///< for each row: whether the vertex was reached or is isolated
  bitmap isolated;  ///< for each row: whether the vertex has no arc, so no search can reach it

  std::uint64_t first_vertex = 0;
  bool prepared = false;
  /// A function that is called after each level with the fraction of all vertices that is reached.
  /// The function may be empty.
  std::function<void(double)> progress;

  /// Allocates the memory, before the first search of the graph.
  void prepare(const graph_part<Id>& graph) {
    prepared = true;
    first_vertex = graph.first_vertex;
    parents.assign(graph.vertices, k_no_parent<Id>);
    reached.reserve(graph.vertices);
    isolated.reset(graph.vertices);
    find_isolated(graph);
    visited = isolated;
  }

  /// Clears the last search. Each search begins with this call, and the time of the search includes
  /// the time of this call.
  void start() {
    std::ranges::fill(parents, k_no_parent<Id>);
    reached.clear();
    levels.assign(1, 0);
    visited = isolated;
  }

  /// Finds vertices without arcs in an undirected graph. A hub is not isolated, although its own
  /// row is empty: the arcs of a hub are in separate rows on all PEs. In a directed graph, the call
  /// does nothing, because a vertex without outgoing arcs may have incoming arcs.
  void find_isolated(const graph_part<Id>& graph) {
    if (graph.arcs_are != orientation::undirected) return;
    for (std::uint64_t row = 0; row < graph.vertices; ++row) {
      const std::uint64_t vertex = first_vertex + row;
      if (graph.row(row).empty() && !graph.shape.hub_number(vertex)) isolated.set(row);
    }
  }

  /// Returns true if `vertex`, which this PE owns, has been reached.
  bool has(std::uint64_t vertex) const { return parents[vertex - first_vertex] != k_no_parent<Id>; }

  /// Returns the number of words of a bitmap with one bit per hub.
  std::size_t hub_words() const { return (arcs_of_hubs.size() + 63) / 64; }

  /// If the vertex of `row` has no parent yet, makes `parent` its parent.
  void claim(Id row, Id parent) {
    if (parents[row] != k_no_parent<Id>) return;
    parents[row] = parent;
    visited.set(row);
    reached.push_back(row);
  }

  /// Returns the rows of the level to which the search is adding vertices.
  std::span<const Id> newest() const { return std::span<const Id>(reached).subspan(levels.back()); }

  /// Ends the level. Vertices reached from now on belong to the next level.
  void close_level() { levels.push_back(reached.size()); }

  /// Returns the rows of the level that was closed last.
  std::span<const Id> closed() const {
    const std::uint64_t begin = levels[levels.size() - 2];
    return std::span<const Id>(reached).subspan(begin, levels.back() - begin);
  }
};

}  // namespace atl::kernels::bfs
