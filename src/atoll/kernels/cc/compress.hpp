#pragma once
// This file implements pointer jumping, which makes every vertex a child of the root of its tree.
// The caller must not link trees while pointer jumping runs.
//
// Parents are smaller than their children, so one pass over the vertices in ascending order moves
// each vertex below its topmost ancestor on its PE. A topmost vertex is a root, or its parent is on
// another PE. If several topmost vertices of a PE have the same parent, the first of these vertices
// becomes the parent of the others. In each round, a PE sends each parent of its topmost vertices
// once, to the owner of the parent. If the root of a parent's tree is on the owner, the owner
// answers with the root. If the root is on another PE, the owner answers with the parent's next
// ancestor on another PE. The asking PE then asks the ancestor's owner in the next round. Each
// round halves the lengths of all paths.

#include "atoll/graph/stretches.hpp"
#include "atoll/kernels/cc/forest.hpp"

namespace atl::kernels::cc {

template <class Id>
class compression {
 public:
  compression(const partition& shape, forest_part<Id>& forest)
      : shape_(shape), forest_(forest), siblings_(forest.ghosts()) {}

  /// Finds all roots. After the call, the root of a vertex is its parent or its grandparent
  /// (`forest_part::root_of`). Every PE calls this function while no trees are linked.
  task<> all_find_roots();

  /// Makes each vertex the child of its root. Every PE calls this function while no trees are
  /// linked.
  task<> all_compress();

 private:
  /// A vertex with a parent on another PE.
  struct top {
    Id parent;
    Id vertex;
  };

  void climb(std::uint64_t begin, std::uint64_t end);
  std::vector<std::vector<Id>> questions() const;
  std::vector<std::vector<Id>> answers(const received_parts<Id>& asked) const;
  void take(const std::vector<std::vector<Id>>& asked, const received_parts<Id>& answers);

  const partition& shape_;
  forest_part<Id>& forest_;
  ghost_table<Id>& siblings_;
  std::vector<top> tops_;  ///< vertices whose root is not yet known
};

/// Moves the vertices of rows [begin, end) below their topmost ancestors on this PE. If several
/// vertices of the rows have the same parent on another PE, the first of these vertices becomes the
/// parent of the others. A cache stores the first vertex for each parent, but sometimes overwrites
/// an entry. If the cache has lost the entry of a parent, the next child keeps this parent, and is
/// stored in the cache.
template <class Id>
void compression<Id>::climb(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t row = begin; row < end; ++row) {
    const Id parent = forest_.labels[row];
    if (forest_.is_here(parent)) {
      const Id above = forest_.label_of(parent);
      if (forest_.is_here(above)) forest_.labels[row] = above;
      continue;
    }
    const auto vertex = static_cast<Id>(forest_.first_vertex() + row);
    const Id sibling = siblings_.stand_in(parent, vertex);
    if (sibling == parent)
      tops_.push_back({parent, vertex});
    else
      forest_.labels[row] = sibling;
  }
}

/// Returns the different parents of the vertices in `tops_`: one list for each owner of parents, in
/// ascending order.
template <class Id>
std::vector<std::vector<Id>> compression<Id>::questions() const {
  std::vector<std::vector<Id>> asked(static_cast<std::size_t>(pes()));
  int owner = 0;
  for (std::size_t i = 0; i < tops_.size(); ++i) {
    const Id parent = tops_[i].parent;
    if (i > 0 && parent == tops_[i - 1].parent) continue;
    while (parent >= shape_.end(owner)) ++owner;
    asked[static_cast<std::size_t>(owner)].push_back(parent);
  }
  return asked;
}

template <class Id>
std::vector<std::vector<Id>> compression<Id>::answers(const received_parts<Id>& asked) const {
  std::vector<std::vector<Id>> given;
  for (const auto& of_pe : asked) {
    auto& to_pe = given.emplace_back();
    to_pe.reserve(of_pe.size());
    for (const Id vertex : of_pe) to_pe.push_back(forest_.root_of(vertex));
  }
  return given;
}

/// Makes the answers of other PEs the parents of the vertices in `tops_`. Keeps in `tops_` the
/// vertices for which the PE must ask again.
template <class Id>
void compression<Id>::take(const std::vector<std::vector<Id>>& asked,
                           const received_parts<Id>& answers) {
  std::size_t kept = 0;
  auto next = tops_.begin();
  for (int pe = 0; pe < pes(); ++pe) {
    const auto& questions = asked[static_cast<std::size_t>(pe)];
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const Id root = answers[static_cast<std::size_t>(pe)][i];
      const bool known = root >= shape_.begin(pe);
      for (; next != tops_.end() && next->parent == questions[i]; ++next) {
        forest_.label_of(next->vertex) = root;
        if (!known) tops_[kept++] = {root, next->vertex};
      }
    }
  }
  tops_.resize(kept);
}

template <class Id>
task<> compression<Id>::all_find_roots() {
  const auto climb_some = [this](std::uint64_t begin, std::uint64_t end) { climb(begin, end); };
  tops_.clear();
  siblings_.clear();
  co_await graph::in_stretches(0, forest_.labels.size(), climb_some);
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  while (co_await all_reduce(std::uint64_t{tops_.size()}, sum) > 0) {
    std::ranges::sort(tops_, {}, &top::parent);
    const auto asked = questions();
    const auto to_answer = co_await all_to_all(asked);
    const auto answered = co_await all_to_all(answers(to_answer));
    take(asked, answered);
  }
}

template <class Id>
task<> compression<Id>::all_compress() {
  co_await all_find_roots();
  const auto flatten = [this](std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row)
      forest_.labels[row] = forest_.parent_of(forest_.labels[row]);
  };
  co_await graph::in_stretches(0, forest_.labels.size(), flatten);
}

}  // namespace atl::kernels::cc
