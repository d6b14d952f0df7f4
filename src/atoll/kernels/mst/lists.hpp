#pragma once
// Lists of items that a PE sends to other PEs, and counters of the work that a PE has done.

#include "atoll/local_memory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels::mst {

// Kinds of work of a PE. The algorithm reports work by `charge(kind, count)` of an Exchange, the
// class that transfers lists between PEs. The cost model of a simulated cluster can give each kind
// a time per unit. Without a cost model, `charge` has no effect on the run.

enum class work_kind : std::uint8_t {
  edge_built,         ///< edge sorted and numbered in a part (build.hpp)
  edge_scanned,       ///< edge read together with its two components
  edge_relabelled,    ///< edge whose endpoints are changed to positions in a new table
  edge_merged,        ///< edge examined while parallel edges are removed
  edge_sorted,        ///< edge moved by one pass of a radix sort
  component_visited,  ///< entry read in a table of components
  /// Call of the communication layer by an Exchange, the class that transfers lists between PEs. A
  /// cost model does not charge calls of this kind.
  exchange_call
};

/// Work done while components are joined.
struct work_done {
  std::uint64_t edges_scanned = 0;
  std::uint64_t edges_sorted = 0;  ///< number of edges times number of passes
  std::uint64_t components_visited = 0;
};

/// Reports all of the work to the cost model, by the function `charge` of `others`.
template <class Exchange>
void charge(Exchange& others, const work_done& done) {
  others.charge(work_kind::edge_scanned, done.edges_scanned);
  others.charge(work_kind::edge_sorted, done.edges_sorted);
  others.charge(work_kind::component_visited, done.components_visited);
}

// A PE has one list of items for each other PE. All lists are in one array, one list after another.
// The lists are made in two passes: the first pass counts the items, and the second pass adds them.

template <class Item>
class lists {
 public:
  explicit lists(int pes) : end_(static_cast<std::size_t>(pes) + 1) {}

  int pes() const { return static_cast<int>(end_.size()) - 1; }

  /// Counts an item for `pe`. The caller first counts all items, then calls `allocate`, and then
  /// adds the items.
  void count(int pe) { ++end_[index(pe) + 1]; }
  void allocate() {
    for (std::size_t p = 1; p < end_.size(); ++p) end_[p] += end_[p - 1];
    items_.resize(end_.back());
    // While lists are filled, `end_` of a list is the place of its next item.
    for (std::size_t p = end_.size() - 1; p > 0; --p) end_[p] = end_[p - 1];
  }
  /// Adds an item to the list for `pe`. The caller must add exactly the items that were counted.
  void add(int pe, const Item& item) { items_[end_[index(pe) + 1]++] = item; }

  std::span<const Item> of(int pe) const {
    return {items_.data() + end_[index(pe)], end_[index(pe) + 1] - end_[index(pe)]};
  }

 private:
  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

  std::vector<std::size_t> end_;
  huge_vector<Item> items_;
};

/// Items received from several PEs, in the order of the PEs.
template <class Item>
struct gathered {
  huge_vector<Item> items;
  /// Index of the first item of each PE. The last element is the number of all items.
  std::vector<std::size_t> begin = {0};

  std::span<const Item> of(std::size_t number) const {
    return {items.data() + begin[number], begin[number + 1] - begin[number]};
  }
};

/// The default of the parameter `meanwhile` of functions that transfer lists: the PE does nothing
/// while lists are in flight.
struct nothing {
  void operator()() const {}
};

/// A set of PEs for each component.
class pe_sets {
 public:
  pe_sets(std::size_t components, int pes)
      : words_((static_cast<std::size_t>(pes) + 63) / 64), bits_(components * words_) {}

  void add(std::size_t component, int pe) {
    const auto bit = static_cast<std::size_t>(pe);
    bits_[component * words_ + bit / 64] |= std::uint64_t{1} << bit % 64;
  }

  template <class Visit>
  void for_each(std::size_t component, Visit visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t left = bits_[component * words_ + w]; left != 0; left &= left - 1)
        visit(static_cast<int>(w * 64) + __builtin_ctzll(left));
  }

 private:
  std::size_t words_;
  huge_vector<std::uint64_t> bits_;
};

}  // namespace atl::kernels::mst
