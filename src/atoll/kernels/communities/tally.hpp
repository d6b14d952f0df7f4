#pragma once
// Sums of the weights of arcs, by the community, or the part of a community (refine.hpp), to which
// the arcs lead.

#include "atoll/local_memory.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace atl::kernels::communities {

/// A small hash table from communities, or from parts, to sums of weights. Sums are integers, so
/// the order of additions does not matter.
template <class Id>
class tally {
 public:
  /// Empties the table, and makes room for `most` keys. A key is the number of a community, or of a
  /// part of a community.
  void start(std::uint64_t most) {
    for (const std::uint64_t place : used_) entries_[place].key = k_none;
    used_.clear();
    const std::uint64_t size = std::bit_ceil(2 * most + k_least);
    if (size > entries_.size()) entries_.assign(size, entry{0, k_none});
    mask_ = size - 1;
  }

  [[gnu::always_inline]] void add(Id key, std::int64_t weight) {
    entry& at = entries_[place_of(key)];
    if (at.key == k_none) {
      used_.push_back(static_cast<std::uint64_t>(&at - entries_.data()));
      at = {0, key};
    }
    at.sum += weight;
  }

  /// Returns the sum of a key that was added.
  std::int64_t operator[](Id key) const { return entries_[place_of(key)].sum; }

  /// Calls `visit(key, sum)` for each key that was added.
  template <class Visit>
  [[gnu::always_inline]] void for_each(Visit visit) const {
    for (const std::uint64_t place : used_) visit(entries_[place].key, entries_[place].sum);
  }

 private:
  struct entry {
    std::int64_t sum;
    Id key;
  };

  static constexpr Id k_none = static_cast<Id>(~Id{0});
  static constexpr std::uint64_t k_least = 8;

  std::uint64_t place_of(Id key) const {
    std::uint64_t place = (key * std::uint64_t{0x9e3779b97f4a7c15u} >> 32) & mask_;
    while (entries_[place].key != key && entries_[place].key != k_none) place = (place + 1) & mask_;
    return place;
  }

  huge_vector<entry> entries_;
  std::vector<std::uint64_t> used_;
  std::uint64_t mask_ = 0;
};

}  // namespace atl::kernels::communities
