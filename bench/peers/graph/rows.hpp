#pragma once
// The arcs of a part of a graph, stored in rows.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "limits/bfs/csr.hpp"
#include "support/huge_array.hpp"

namespace bench::peers {

using bfs::vertex;

struct arc {
  vertex row, target;
};

/// The targets of each row, without duplicates.
class rows {
 public:
  rows() = default;
  rows(std::uint64_t count, std::span<const arc> arcs) : offsets_(count + 1) {
    for (const arc& each : arcs) ++offsets_[each.row + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    targets_ = huge_array<vertex>(arcs.size());
    std::vector<std::uint32_t> place(offsets_.begin(), offsets_.end());
    for (const arc& each : arcs) targets_[place[each.row]++] = each.target;
    remove_duplicates();
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::uint32_t arcs() const { return offsets_[size()]; }
  std::uint32_t degree(std::size_t row) const { return offsets_[row + 1] - offsets_[row]; }
  std::span<const vertex> operator[](std::size_t row) const {
    return {targets_.data() + offsets_[row], degree(row)};
  }

  /// Replaces every target by `by(target)`.
  template <class By>
  void replace(const By& by) {
    for (std::uint32_t i = 0; i < arcs(); ++i) targets_[i] = by(targets_[i]);
  }

  /// Sorts the targets of each row by the order `before`.
  template <class Before>
  void order(const Before& before) {
    for (std::size_t row = 0; row < size(); ++row)
      std::sort(targets_.data() + offsets_[row], targets_.data() + offsets_[row + 1], before);
  }

 private:
  void remove_duplicates() {
    std::uint32_t kept = 0, begin = 0;
    for (std::size_t row = 0; row < size(); ++row) {
      vertex* const first = targets_.data() + begin;
      vertex* const last = targets_.data() + offsets_[row + 1];
      begin = offsets_[row + 1];
      std::sort(first, last);
      vertex* const end = std::unique(first, last);
      std::copy(first, end, targets_.data() + kept);
      kept += static_cast<std::uint32_t>(end - first);
      offsets_[row + 1] = kept;
    }
  }

  huge_array<std::uint32_t> offsets_;
  huge_array<vertex> targets_;
};

}  // namespace bench::peers
