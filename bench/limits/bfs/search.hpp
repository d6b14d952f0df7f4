#pragma once
// Direction-optimizing breadth-first search (Beamer, Asanovic, Patterson 2012) with OpenMP. If the
// frontier is small, the search goes from the frontier to its neighbours (top-down). If the
// frontier is large, each unreached vertex looks for a parent in the frontier (bottom-up).

#include <cstdint>
#include <span>

#include "csr.hpp"
#include "support/huge_array.hpp"

namespace bench::bfs {

class searcher {
 public:
  /// Allocates and touches the memory for searches of `graph`. The graph must outlive this object.
  explicit searcher(const csr& graph);

  /// Searches from `root`, whose degree must not be 0. The benchmark times this function.
  void run(vertex root);

  /// Returns whether the last search reached `v`.
  bool reached(vertex v) const { return parents_[v] >= 0; }
  /// Returns the parent of each vertex, which is negative if the vertex was not reached. A root is
  /// its own parent.
  std::span<const std::int32_t> parents() const { return {parents_.data(), parents_.size()}; }

 private:
  using word = std::uint64_t;  // a word of a bitmap: 64 vertices

  void start(vertex root);
  std::uint64_t top_down();
  void bottom_up_until_small(std::uint64_t frontier_size);
  std::uint64_t bottom_up();
  word parents_of(std::size_t index);
  void queue_to_bitmap();
  void bitmap_to_queue();

  const csr& graph_;
  // For each reached vertex, its parent, which is not negative. For an unreached vertex, the
  // element is minus the degree, or `isolated` if the degree is 0. The edges of a new frontier can
  // therefore be counted without reading the offsets.
  huge_array<std::int32_t> parents_, initial_parents_;
  huge_array<vertex> queue_;  // the frontier has the elements from queue_begin_ to queue_end_ - 1
  huge_array<word> front_, next_, unreached_;
  std::size_t queue_begin_ = 0, queue_end_ = 0;
};

}  // namespace bench::bfs
