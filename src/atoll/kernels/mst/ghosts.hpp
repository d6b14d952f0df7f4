#pragma once
// Phase 2, ghost information: what of a PE's components has got another name goes to those PEs that
// have an edge to it (X1).

#include "atoll/kernels/mst/contract.hpp"
#include "atoll/kernels/mst/lists.hpp"

namespace atl::kernels::mst {

/// The component `old` of the PE that says so is part of `now`.
template <class Word>
struct renaming {
  Word old;
  Word now;
};

/// For each PE, in the order of the old names, what of it a ghost there may have to become. Behind
/// a contraction, whose roots the edges stand between.
template <class Word>
lists<renaming<Word>> renamings_for(const part<Word>& of, const contraction<Word>& done, int pes) {
  pe_sets neighbours(of.names.size(), pes);
  for (const auto& edge : of.edges) {
    if (!of.owns(edge.a)) neighbours.add(edge.b, of.owners[edge.a]);
    if (!of.owns(edge.b)) neighbours.add(edge.a, of.owners[edge.b]);
  }
  lists<renaming<Word>> found(pes);
  const auto for_each = [&](auto visit) {
    for (std::size_t i = 0; i < of.names.size(); ++i) {
      const Word root = done.root_of(static_cast<Word>(i));
      if (root == i) continue;
      neighbours.for_each(root, [&](int pe) { visit(pe, of.names[i], of.names[root]); });
    }
  };
  for_each([&](int pe, Word, Word) { found.count(pe); });
  found.allocate();
  for_each([&](int pe, Word old, Word now) { found.add(pe, {old, now}); });
  return found;
}

/// The names that components have behind a contraction, and behind the news of others.
template <class Word>
class ghost_update {
 public:
  explicit ghost_update(part<Word>& of) : part_(of) {}

  /// First of all, what this PE knows itself.
  void begin(const contraction<Word>& done) {
    names_.reserve(part_.names.size());
    for (std::size_t i = 0; i < part_.names.size(); ++i)
      names_.push_back(part_.names[done.root_of(static_cast<Word>(i))]);
  }

  /// A piece of what a PE says, in the order of old names.
  void apply(std::span<const renaming<Word>> news) {
    const auto& names = part_.names;
    auto from = names.begin();
    if (!news.empty()) from = std::lower_bound(from, names.end(), news.front().old);
    for (const auto& [old, now] : news) {
      from = next_not_below(from, names.end(), old);
      if (from != names.end() && *from == old) names_[place(from)] = now;
    }
  }

  /// Once all have been heard. Edges to ghosts that are one now stand beside each other.
  void finish() { rename(part_, names_, huge_vector<std::int32_t>(part_.owners)); }

 private:
  using position = typename huge_vector<Word>::const_iterator;

  std::size_t place(position of) const {
    return static_cast<std::size_t>(of - part_.names.begin());
  }

  /// By steps that double: mostly it is near.
  static position next_not_below(position from, position end, Word name) {
    std::ptrdiff_t step = 1;
    position low = from;
    while (step < end - low && low[step] < name) {
      low += step;
      step *= 2;
    }
    return std::lower_bound(low, low + std::min(step + 1, end - low), name);
  }

  part<Word>& part_;
  huge_vector<Word> names_;
};

}  // namespace atl::kernels::mst
