#pragma once
// Connected components by traversals and a global set, in three phases (Holt and others, "Flat
// Combining Synchronized Global Data Structures", PGAS 2013):
//
//   1. Traversals begin at many vertices, the roots, and mark each reached vertex with the root
//      (traversals.hpp). When two traversals meet, the pair of their roots becomes an edge of a
//      much smaller graph.
//   2. The components of the smaller graph are found by hooking and path compression (hooking.hpp).
//   3. Each vertex gets the label of its root.

#include "reproduction/cc/hooking.hpp"
#include "reproduction/cc/traversals.hpp"

namespace atl::reproduction::cc {

using namespace kernels::cc;

/// Counts of traversals and inserts, summed over all PEs.
struct set_counts {
  std::uint64_t traversals = 0;
  std::uint64_t inserts_tried = 0;
  std::uint64_t inserts_sent = 0;  ///< inserts sent to other PEs; 0 for `delegates`
  std::uint64_t pairs = 0;         ///< different pairs in the set
};

/// A handle to the data of phase 1 on all PEs. The object is trivially copyable, so it can be sent
/// to other PEs.
template <class Id>
struct set_workspace {
  per_pe<traversal_part<Id>> parts;
  meeting_set<Id> met;
  std::uint64_t seed = 1;
  std::uint64_t traversals = 64;  ///< number of traversals per PE that begin at random vertices

  static task<set_workspace> make(set_form form) {
    set_workspace made;
    made.parts = co_await per_pe<traversal_part<Id>>::make();
    made.met = co_await meeting_set<Id>::make(form);
    co_return made;
  }

  task<> destroy() const {
    co_await met.destroy();
    co_await parts.destroy();
  }
};

/// Phase 3: each vertex gets the label of its root. The label of a component must be the number of
/// its smallest vertex. Each PE therefore finds its smallest vertex that the traversal from a root
/// has reached. The PE then lowers the label of the root to this vertex. A vertex without arcs is
/// its own label.
template <class Id>
class spreading {
 public:
  spreading(const partition& shape, const huge_vector<Id>& roots, per_pe<forest_part<Id>> forests)
      : shape_(shape), roots_(roots), forests_(forests) {}

  /// Labels the vertices of this PE. Every PE must call this function after phase 2, in which each
  /// root gets the label of its tree.
  task<> all_spread() {
    co_await all_find_trees();
    const auto lower = [&](std::uint64_t i) {
      async_lower_label(shape_, forests_, trees_[i].label, trees_[i].smallest);
    };
    co_await local_parallel_for(0, trees_.size(), lower);
    co_await all_barrier();
    co_await all_ask_for_labels();
    auto& labels = forests_->labels;
    const auto label = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row) {
        if (is_claimed(row)) labels[row] = *known_.find(roots_[row]);
      }
    };
    co_await graph::in_stretches(0, roots_.size(), label);
  }

 private:
  /// A root whose traversal has claimed vertices on this PE.
  struct tree {
    Id root;
    Id smallest;  ///< smallest vertex that the root's traversal has claimed on this PE
    Id label;
  };

  bool is_claimed(std::uint64_t row) const {
    return roots_[row] != traversal_part<Id>::k_unclaimed;
  }

  task<> all_find_trees() {
    const auto first = static_cast<Id>(forests_->first_vertex());
    const auto look = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row) {
        if (is_claimed(row)) known_.insert(roots_[row], static_cast<Id>(first + row));
      }
    };
    co_await graph::in_stretches(0, roots_.size(), look);
    known_.for_each([&](Id root, Id smallest) { trees_.push_back({root, smallest, root}); });
    co_await all_ask_for_labels();
  }

  /// For each tree, replaces its label v by the label of the vertex v, which another PE may own.
  task<> all_ask_for_labels() {
    const auto ask = [&](std::uint64_t i) -> task<> {
      tree& of = trees_[i];
      of.label = co_await label_anywhere(shape_, forests_, of.label);
      *known_.find(of.root) = of.label;
    };
    co_await local_parallel_for(0, trees_.size(), ask);
    co_await all_barrier();  // no PE may change a label while another PE asks for the label
  }

  const partition& shape_;
  const huge_vector<Id>& roots_;
  per_pe<forest_part<Id>> forests_;
  // for each root, first the smallest vertex of its traversal on this PE, and later its label
  local_hash_map<Id, Id> known_;
  std::vector<tree> trees_;
};

/// Labels every vertex. The forest of this PE must have been initialised by its function `start`.
/// Every PE must call this function.
template <class Id>
task<> all_label_by_set(const graph_part<Id>& graph, per_pe<forest_part<Id>> forests,
                        set_workspace<Id> on) {
  traversal_part<Id>& mine = on.parts.local();
  co_await all_traverse(graph, on.parts, on.met, on.seed, on.traversals);
  co_await all_join(graph.shape, forests, on.met.owned());
  spreading<Id> labels(graph.shape, mine.roots, forests);
  co_await labels.all_spread();
  forests->scanned_edges = mine.scanned_edges;
}

/// Returns the number of inserts that all PEs have sent in all runs. Every PE must call this
/// function.
template <class Id>
task<std::uint64_t> all_inserts_sent(set_workspace<Id> on) {
  co_return co_await all_reduce(on.met.sent_here(), std::plus<>());
}

/// Returns the counts of the last run. `sent_before` is the result of `all_inserts_sent` before the
/// run. Every PE must call this function.
template <class Id>
task<set_counts> all_set_counts(set_workspace<Id> on, std::uint64_t sent_before) {
  const auto& mine = on.parts.local();
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  set_counts all;
  all.traversals = co_await all_reduce(mine.traversals, sum);
  all.inserts_tried = co_await all_reduce(mine.inserts_tried, sum);
  all.inserts_sent = co_await all_inserts_sent(on) - sent_before;
  all.pairs = co_await all_reduce(std::uint64_t{on.met.owned().size()}, sum);
  co_return all;
}

}  // namespace atl::reproduction::cc
