#pragma once
// The elements that were reduced into last, each with what was folded since: where a few elements
// get most contributions, most of these end here.

#include "atoll/reduction.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace atl::regions {

template <reduction_operation Operation>
class recent_elements {
 public:
  using partial = typename Operation::partial;

  static constexpr std::uint64_t k_size = 1 << 10;

  explicit recent_elements(const Operation& operation)
      : entries_(k_size, entry{k_none, operation.identity()}) {}

  /// Folds `value` into element `i` if that is here. Else it takes the place of another, with which
  /// `leave(element, partial)` is called.
  template <class Leave>
  void reduce(const Operation& operation, std::uint64_t i, const partial& value,
              const Leave& leave) {
    entry& here = entries_[i * k_multiplier >> (64 - std::countr_zero(k_size))];
    if (here.element == i) {
      operation.fold(here.folded, value);
      ++hits_;
      return;
    }
    if (here.element != k_none) leave(here.element, here.folded);
    here = {i, value};
  }

  /// How often an element was here.
  std::uint64_t hits() const { return hits_; }

  /// All leave.
  template <class Leave>
  void clear(const Leave& leave) {
    for (entry& each : entries_) {
      if (each.element != k_none) leave(each.element, each.folded);
      each.element = k_none;
    }
  }

 private:
  static constexpr std::uint64_t k_none = std::uint64_t(-1);
  static constexpr std::uint64_t k_multiplier = 0x9e3779b97f4a7c15u;
  struct entry {
    std::uint64_t element;
    partial folded;
  };

  std::vector<entry> entries_;
  std::uint64_t hits_ = 0;
};

}  // namespace atl::regions
