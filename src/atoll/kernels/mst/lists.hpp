#pragma once
// What a PE has for each of the others: lists, one behind another, made in two passes.

#include "atoll/local_memory.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace atl::kernels::mst {

template <class Item>
class lists {
 public:
  explicit lists(int pes) : end_(static_cast<std::size_t>(pes) + 1) {}

  int pes() const { return static_cast<int>(end_.size()) - 1; }

  /// First all of them, then `allocate`.
  void count(int pe) { ++end_[index(pe) + 1]; }
  void allocate() {
    for (std::size_t p = 1; p < end_.size(); ++p) end_[p] += end_[p - 1];
    items_.resize(end_.back());
    // While they are filled, the end of a list is where its next item goes.
    for (std::size_t p = end_.size() - 1; p > 0; --p) end_[p] = end_[p - 1];
  }
  /// Then each of them, in the same number.
  void add(int pe, const Item& item) { items_[end_[index(pe) + 1]++] = item; }

  std::span<const Item> of(int pe) const {
    return {items_.data() + end_[index(pe)], end_[index(pe) + 1] - end_[index(pe)]};
  }

 private:
  static std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

  std::vector<std::size_t> end_;
  huge_vector<Item> items_;
};

/// What came of several PEs, in their order.
template <class Item>
struct gathered {
  huge_vector<Item> items;
  std::vector<std::size_t> begin = {0};  ///< of each, and the end

  std::span<const Item> of(std::size_t number) const {
    return {items.data() + begin[number], begin[number + 1] - begin[number]};
  }
};

/// What a PE does while lists are on their way, unless there is something.
struct nothing {
  void operator()() const {}
};

/// For each component a set of PEs.
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
