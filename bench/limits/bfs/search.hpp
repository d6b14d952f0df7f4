#pragma once
// Direction-optimizing breadth-first search (Beamer, Asanovic, Patterson 2012) on the threads of
// OpenMP: from the frontier to its neighbours while the frontier is small, from the vertices not
// yet reached to any parent in the frontier while it is large.

#include <cstdint>
#include <span>

#include "csr.hpp"
#include "support/huge_array.hpp"

namespace bench::bfs {

class searcher {
 public:
  /// Allocates and touches what searches of this graph need; the graph must outlive it.
  explicit searcher(const csr& graph);

  /// Searches from `root`, whose degree is not 0. This is what is timed.
  void run(vertex root);

  /// The result of the last search. A root is its own parent.
  bool reached(vertex v) const { return parents_[v] >= 0; }
  /// By vertex; negative where it was not reached.
  std::span<const std::int32_t> parents() const { return {parents_.data(), parents_.size()}; }

 private:
  using word = std::uint64_t;  // of a bitmap: 64 vertices

  void start(vertex root);
  std::uint64_t top_down();
  void bottom_up_until_small(std::uint64_t frontier_size);
  std::uint64_t bottom_up();
  word parents_of(std::size_t index);
  void queue_to_bitmap();
  void bitmap_to_queue();

  const csr& graph_;
  // Not negative: the parent. Negative: not reached, and minus the degree, so that the edges of a
  // new frontier are counted without a look at the offsets; `isolated` where the degree is 0.
  huge_array<std::int32_t> parents_, initial_parents_;
  huge_array<vertex> queue_;  // the frontier is [queue_begin_, queue_end_)
  huge_array<word> front_, next_, unreached_;
  std::size_t queue_begin_ = 0, queue_end_ = 0;
};

}  // namespace bench::bfs
