#pragma once
// Breadth-first search like the simple reference of Graph500: top-down, level by level. Each
// process has a range of the vertices. For each arc to another process, a small item (vertex,
// parent) is sent.

#include <functional>
#include <utility>

#include "peers/bfs/mailbox.hpp"
#include "peers/bfs/tree.hpp"

namespace bench::peers {

class by_edges {
 public:
  /// Makes the search. All processes call the constructor, and also `search`.
  by_edges(const atl::generator_parameters& graph, const mpi_session& all,
           std::size_t items_a_message)
      : tree_(graph, all),
        rank_(all.rank),
        arcs_(rows_of_process(graph, all, tree_.where)),
        others_(all, items_a_message, claimer{*this}) {
    for (std::size_t row = 0; row < arcs_.size(); ++row) tree_.degrees[row] = arcs_.degree(row);
    frontier_.reserve(arcs_.size());
    next_.reserve(arcs_.size());
  }

  /// Searches from `root`, which must have an arc. The benchmark times this function.
  void search(vertex root) {
    tree_.start();
    if (tree_.owns(root)) claim(root, root);
    while (all_go_on()) {
      for (std::size_t i = 0; i < frontier_.size(); ++i) {
        expand(frontier_[i]);
        if (i % rows_between_polls == 0) others_.poll();
      }
      others_.end_phase();
    }
  }

  const tree_part& tree() const { return tree_; }

 private:
  static constexpr std::size_t rows_between_polls = 16;

  struct claimer {
    by_edges& search;
    void operator()(std::uint64_t item) const {
      search.claim(static_cast<vertex>(item >> 32), static_cast<vertex>(item));
    }
  };

  /// Makes the found vertices the next frontier. Returns whether any process has found a vertex.
  bool all_go_on() {
    std::swap(frontier_, next_);
    next_.clear();
    return mpi_session::sum(frontier_.size()) != 0;
  }

  void claim(vertex v, vertex parent) {
    std::int32_t& known = tree_.parents[v - tree_.first];
    if (known >= 0) return;
    known = static_cast<std::int32_t>(parent);
    next_.push_back(v);
  }

  void expand(vertex v) {
    for (const vertex target : arcs_[v - tree_.first]) {
      const int owner = tree_.where.owner(target);
      if (owner == rank_) {
        claim(target, v);
      } else {
        others_.send(owner, std::uint64_t{target} << 32 | v);
      }
    }
  }

  tree_part tree_;
  int rank_;
  rows arcs_;
  std::vector<vertex> frontier_, next_;
  mailbox<claimer> others_;
};

}  // namespace bench::peers
