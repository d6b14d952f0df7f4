#pragma once
// A plan for algorithms in which every vertex reads values of its neighbours in each iteration. A
// *ghost* of a PE is a vertex of another PE that is adjacent to a vertex of the PE. On each PE, an
// array has the values of the PE's own vertices, and copies of the values of ghosts (neighbours on
// other PEs). For each neighbour of an own vertex, the plan has the index of the neighbour's value
// in the array of values. For each other PE q, the plan also lists the vertices of this PE whose
// values q needs.

#include "atoll/kernels/common/source_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels {

/// Numbers the ghosts of a PE (neighbours on other PEs), in ascending order of the vertices. The
/// object needs 2 bits for each vertex of the whole graph.
class ghost_numbers {
 public:
  explicit ghost_numbers(std::uint64_t vertices)
      : words_(vertices / 64 + 1), before_(vertices / 64 + 1) {}

  void add(std::uint64_t vertex) { words_[vertex / 64] |= std::uint64_t{1} << vertex % 64; }

  /// Gives numbers to all vertices that were added.
  void settle() {
    std::uint64_t count = 0;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      before_[word] = count;
      count += static_cast<std::uint64_t>(std::popcount(words_[word]));
    }
  }

  /// Returns the number that was given to an added vertex.
  std::uint64_t number(std::uint64_t vertex) const {
    const std::uint64_t lower = words_[vertex / 64] & ((std::uint64_t{1} << vertex % 64) - 1);
    return before_[vertex / 64] + static_cast<std::uint64_t>(std::popcount(lower));
  }

  /// Calls `visit(vertex)` for each vertex that was added, in ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word)
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1)
        visit(word * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)));
  }

 private:
  huge_vector<std::uint64_t> words_;
  /// For each word of bits: number of added vertices in the words before it.
  huge_vector<std::uint64_t> before_;
};

/// The plan of one PE. The row of a vertex has, for each neighbour, the index of the neighbour's
/// value (an element of `places`). In a directed graph, the row has one element for each arc that
/// leads to or from the vertex.
template <class Id>
struct ghost_plan {
  std::uint64_t rows = 0;
  huge_vector<std::uint64_t> offsets;  ///< for each row: index of its first element in `places`
  /// Indexes of the values of neighbours in an array of values. The array has the values of this
  /// PE's own rows first, and then the values of ghosts (neighbours on other PEs).
  huge_vector<Id> places;
  std::vector<Id>
      ghosts;  ///< vertices of other PEs that are neighbours on this PE, in ascending order
  /// For each PE p: index in `ghosts` of the first vertex that p owns. The last element is the
  /// number of ghosts.
  std::vector<std::uint64_t> first_ghost;
  /// For each PE p: the rows of this PE whose vertices are neighbours of vertices of p, in
  /// ascending order.
  std::vector<std::vector<Id>> given;

  std::span<const Id> row(std::uint64_t r) const {
    return {places.data() + offsets[r], offsets[r + 1] - offsets[r]};
  }
  std::uint64_t values() const { return rows + ghosts.size(); }

  /// Makes the plan. In a directed graph, the call fills `sources` with the sources of arcs, and
  /// frees them again. Every PE calls this function.
  task<> all_prepare(const graph_part<Id>& graph, per_pe<source_rows<Id>> sources);

 private:
  /// Calls `visit(neighbour)` for the neighbours of a row.
  template <class Visit>
  static void for_each(const graph_part<Id>& graph, const source_rows<Id>& sources, std::uint64_t r,
                       Visit visit) {
    for (const Id target : graph.row(r)) visit(target);
    if (sources.offsets.empty()) return;
    for (const Id source : sources.row(r)) visit(source);
  }

  task<> list_ghosts(const partition& shape, const ghost_numbers& numbers);
  task<> all_ask(const partition& shape);
};

namespace ghosts {

/// Number of rows whose neighbours are looked up before other tasks run.
inline constexpr std::uint64_t k_rows = 1024;

}  // namespace ghosts

/// Lists the ghosts (neighbours on other PEs), and finds the first ghost that each PE owns.
template <class Id>
task<> ghost_plan<Id>::list_ghosts(const partition& shape, const ghost_numbers& numbers) {
  ghosts.clear();
  numbers.for_each([&](std::uint64_t vertex) { ghosts.push_back(static_cast<Id>(vertex)); });
  co_await yield();
  first_ghost.clear();
  for (int pe = 0; pe <= pes(); ++pe) {
    const std::uint64_t begin = pe == pes() ? shape.vertices : shape.begin(pe);
    const auto first = std::ranges::lower_bound(ghosts, begin);
    first_ghost.push_back(static_cast<std::uint64_t>(first - ghosts.begin()));
  }
}

/// Tells other PEs the rows of their vertices whose values this PE needs.
template <class Id>
task<> ghost_plan<Id>::all_ask(const partition& shape) {
  std::vector<std::vector<Id>> asked(static_cast<std::size_t>(pes()));
  for (std::size_t pe = 0; pe < asked.size(); ++pe) {
    const auto begin = static_cast<Id>(shape.begin(static_cast<int>(pe)));
    for (std::uint64_t i = first_ghost[pe]; i < first_ghost[pe + 1]; ++i)
      asked[pe].push_back(static_cast<Id>(ghosts[i] - begin));
    co_await yield();
  }
  given.clear();
  for (const auto& of_pe : co_await all_to_all(asked))
    given.emplace_back(of_pe.begin(), of_pe.end());
}

template <class Id>
task<> ghost_plan<Id>::all_prepare(const graph_part<Id>& graph, per_pe<source_rows<Id>> sources) {
  if (graph.arcs_are != orientation::undirected) co_await all_make_source_rows(graph, sources);
  const source_rows<Id>& in = sources.local();
  rows = graph.vertices;
  const auto first = static_cast<Id>(graph.first_vertex);
  const auto is_own = [&](Id vertex) { return static_cast<Id>(vertex - first) < rows; };
  ghost_numbers numbers(graph.shape.vertices);
  offsets.assign(rows + 1, 0);
  const auto look = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto r = begin; r < end; ++r) {
      for_each(graph, in, r, [&](Id neighbour) {
        if (!is_own(neighbour)) numbers.add(neighbour);
      });
      offsets[r + 1] =
          offsets[r] + graph.row(r).size() + (in.offsets.empty() ? 0 : in.row(r).size());
    }
  };
  co_await graph::in_stretches(0, rows, look, ghosts::k_rows);
  numbers.settle();
  co_await graph::grow(places, offsets.back());
  const auto place = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto r = begin; r < end; ++r) {
      std::uint64_t next = offsets[r];
      for_each(graph, in, r, [&](Id neighbour) {
        places[next++] = is_own(neighbour) ? static_cast<Id>(neighbour - first)
                                           : static_cast<Id>(rows + numbers.number(neighbour));
      });
    }
  };
  co_await graph::in_stretches(0, rows, place, ghosts::k_rows);
  sources.local() = {};
  co_await list_ghosts(graph.shape, numbers);
  co_await all_ask(graph.shape);
}

}  // namespace atl::kernels
