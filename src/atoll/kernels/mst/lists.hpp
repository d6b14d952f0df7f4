#pragma once
// Lists of a PE for the other PEs, and the work that a PE has done.

#include "atoll/local_memory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels::mst {

// Work of the parts of the algorithm that need no other PE. An Exchange receives it by
// `charge(kind, count)`, so that a model of another machine can give it a price. Without a model
// the call does nothing.

enum class work_kind : std::uint8_t {
  edge_built,         ///< sorted and numbered as part of a PE, see build.hpp
  edge_scanned,       ///< looked at with both its components
  edge_relabelled,    ///< between positions of a table that has changed
  edge_merged,        ///< looked at to remove multiple ones
  edge_sorted,        ///< moved by one pass of a radix sort
  component_visited,  ///< looked at in a table of components
  exchange_call       ///< of an exchange itself, to whatever carries its lists; has no price
};

/// Work of joining components.
struct work_done {
  std::uint64_t edges_scanned = 0;
  std::uint64_t edges_sorted = 0;  ///< by each pass
  std::uint64_t components_visited = 0;
};

/// Charges an Exchange with all of the work.
template <class Exchange>
void charge(Exchange& others, const work_done& done) {
  others.charge(work_kind::edge_scanned, done.edges_scanned);
  others.charge(work_kind::edge_sorted, done.edges_sorted);
  others.charge(work_kind::component_visited, done.components_visited);
}

// Lists of a PE for each of the others, one after the other, which are made in two passes.

template <class Item>
class lists {
 public:
  explicit lists(int pes) : end_(static_cast<std::size_t>(pes) + 1) {}

  int pes() const { return static_cast<int>(end_.size()) - 1; }

  /// Counts an item. Count all items first, and then call `allocate`.
  void count(int pe) { ++end_[index(pe) + 1]; }
  void allocate() {
    for (std::size_t p = 1; p < end_.size(); ++p) end_[p] += end_[p - 1];
    items_.resize(end_.back());
    // While lists are filled, the end of a list is the place of its next item.
    for (std::size_t p = end_.size() - 1; p > 0; --p) end_[p] = end_[p - 1];
  }
  /// Adds an item, as many as were counted.
  void add(int pe, const Item& item) { items_[end_[index(pe) + 1]++] = item; }

  std::span<const Item> of(int pe) const {
    return {items_.data() + end_[index(pe)], end_[index(pe) + 1] - end_[index(pe)]};
  }

 private:
  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

  std::vector<std::size_t> end_;
  huge_vector<Item> items_;
};

/// Items received from several PEs, in their order.
template <class Item>
struct gathered {
  huge_vector<Item> items;
  std::vector<std::size_t> begin = {0};  ///< of each, and the end

  std::span<const Item> of(std::size_t number) const {
    return {items.data() + begin[number], begin[number + 1] - begin[number]};
  }
};

/// The default for work that a PE does while lists are in flight: nothing.
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
