#pragma once
// A program of operations on region instances, as a list of steps. Each step waits for some earlier
// steps. Neither this file nor contents.hpp uses the runtime, so that the model cannot share faults
// with the runtime.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace atl::test {

using triple = std::array<std::int64_t, 3>;

/// All points p with low <= p < high. A box always has three dimensions. If the program uses fewer
/// than three dimensions, each unused dimension of the box has the length 1.
struct box {
  triple low{};
  triple high{1, 1, 1};

  std::int64_t extent(std::size_t axis) const { return high[axis] - low[axis]; }
  std::int64_t volume() const { return extent(0) * extent(1) * extent(2); }
};

inline bool have_common_points(const box& a, const box& b) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (std::max(a.low[axis], b.low[axis]) >= std::min(a.high[axis], b.high[axis])) return false;
  return true;
}

template <class Visit>
void for_each_in(const triple& extent, const Visit& visit) {
  for (std::int64_t i = 0; i < extent[0]; ++i)
    for (std::int64_t j = 0; j < extent[1]; ++j)
      for (std::int64_t k = 0; k < extent[2]; ++k) visit(triple{i, j, k});
}

enum class element_kind : std::uint8_t { narrow, pair, wide };
inline constexpr std::array k_element_kinds = {element_kind::narrow, element_kind::pair,
                                               element_kind::wide};

enum class place_kind : std::uint8_t { on_pe, in_node_memory, spread, in_blocks };

/// An instance that has fields of all element types, or of one type.
struct array_plan {
  box bounds;
  std::optional<element_kind> only;
  bool is_beside = false;  ///< true if the fields of an element are contiguous in memory
  place_kind place = place_kind::on_pe;
  int pe = 0;
  triple block{1, 1, 1};

  bool has(element_kind field) const { return only.value_or(field) == field; }
};

/// A part of a field's elements. The part can permute the dimensions of the array. The program
/// first takes the part `outer` of the array, and then takes `points` as a part of `outer`.
struct part_plan {
  std::size_t array = 0;
  element_kind field = element_kind::wide;
  box points;
  box outer;
  std::vector<std::pair<std::size_t, std::size_t>> exchanges;
  /// for each dimension of the part, the corresponding dimension of the array
  std::array<std::size_t, 3> axes{0, 1, 2};

  triple extents() const {
    triple own;
    for (std::size_t d = 0; d < 3; ++d) own[d] = points.extent(axes[d]);
    return own;
  }
  triple in_array(const triple& own) const {
    triple there;
    for (std::size_t d = 0; d < 3; ++d) there[axes[d]] = points.low[axes[d]] + own[d];
    return there;
  }
};

enum class step_kind : std::uint8_t { made, filled, copied, reduced, destroyed };
enum class reduction_kind : std::uint8_t { sum, min, max };
enum class outcome : std::uint8_t { done, failed, cancelled };

/// The number of an error tells which step or gate has failed. A gate is an event for which steps
/// wait. Numbers below `k_first_of_steps` belong to gates, and all other numbers to steps.
inline constexpr std::size_t k_first_of_steps = 100'000;
inline constexpr std::size_t k_not_there = 999'999;
using error_set = std::set<std::size_t>;

struct step_plan {
  step_kind kind = step_kind::made;
  int asked_by = 0;
  /// the changed part; for a step that makes or destroys an array, the whole array
  part_plan to{};
  part_plan from{};  ///< the source of a copy or a reduction
  std::int64_t value = 0;
  reduction_kind reduction = reduction_kind::sum;
  std::optional<std::int64_t> refused{};  ///< the value at which a reduction throws
  std::vector<std::size_t> after{};       ///< earlier steps that must end before this step begins
  bool goes_on = false;  ///< true if the step begins even when an earlier step has failed
  std::optional<std::size_t> gate{};
  std::vector<int> awaited_by{};

  // The model computes the following members.
  outcome end = outcome::done;
  error_set errors{};  ///< the errors with which the step may fail or be cancelled

  bool reads() const { return kind == step_kind::copied || kind == step_kind::reduced; }
  bool moves() const { return kind != step_kind::made && kind != step_kind::destroyed; }
};

/// A gate is an event for which steps wait. Some PE ends the event.
struct gate_plan {
  int made_by = 0;
  int ended_by = 0;
  /// The gate ends after this step has begun, or at the end if the program has fewer steps.
  std::size_t step = 0;
  bool fails = false;
};

struct region_program {
  std::uint64_t seed = 0;
  int pes = 1;
  std::size_t dimensions = 1;
  std::vector<array_plan> arrays;
  std::vector<step_plan> steps;
  std::vector<gate_plan> gates;
};

}  // namespace atl::test
