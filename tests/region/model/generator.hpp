#pragma once
// Generates random programs on region instances. The seed also decides how large the program is,
// how often steps are cancelled, and whether steps run after failed steps.

#include "atoll/random.hpp"
#include "region/model/conflicts.hpp"
#include "region/model/contents.hpp"

#include <numeric>

namespace atl::test {

class region_generator {
 public:
  /// Generates the program of the seed.
  region_generator(std::uint64_t seed, int pes) : random_(seed), pes_(pes), model_(program_) {
    program_.seed = seed;
    program_.pes = pes;
    program_.dimensions = 1 + below(3);
    is_huge_ = one_in(48);
    has_large_ = is_huge_ || one_in(4);
    stops_one_in_ = std::array{2, 4, 16}[below(3)];
    gate_one_in_ = std::array{4, 8, 40}[below(3)];
    for (std::size_t left = 3 + below(4); left > 0; --left) make_array();
    for (std::size_t left = is_huge_ ? 4 + below(8) : 5 + below(50); left > 0; --left) add_one();
  }

  region_generator(const region_generator&) = delete;
  region_generator& operator=(const region_generator&) = delete;

  const region_program& program() const { return program_; }

  /// Returns the state of an array after all steps.
  const array_state& state(std::size_t array) const { return model_.state(array); }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_.below(bound)); }
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(below(static_cast<std::size_t>(most) + 1));
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  int any_pe() { return static_cast<int>(below(static_cast<std::size_t>(pes_))); }
  std::int64_t any_value() { return up_to(one_in(2) ? 5 : k_modulus - 1); }

  void add_one() {
    const std::size_t chosen = below(24);
    if (chosen == 0) return destroy_array(below(program_.arrays.size()));
    if (chosen == 1 && program_.arrays.size() < 9) return make_array();
    if (chosen < 7) return fill();
    move(chosen < 15 ? step_kind::copied : step_kind::reduced);
  }

  std::int64_t random_extent() {
    constexpr std::array<std::int64_t, 3> k_large = {600, 24, 9}, k_huge = {36'000, 190, 34};
    if (is_huge_) return k_huge[program_.dimensions - 1] + up_to(9);
    if (has_large_ && one_in(2)) return up_to(k_large[program_.dimensions - 1]);
    return one_in(40) ? 0 : 1 + up_to(7);
  }

  void make_array() {
    array_plan plan;
    for (std::size_t axis = 0; axis < program_.dimensions; ++axis) {
      plan.bounds.low[axis] = up_to(8) - 4;
      plan.bounds.high[axis] = plan.bounds.low[axis] + random_extent();
      const std::int64_t most = plan.bounds.extent(axis);
      plan.block[axis] = 1 + (most > 30 ? most / (1 + up_to(3)) : up_to(most + 1));
    }
    if (one_in(2)) plan.only = k_element_kinds[1 + below(2)];
    plan.is_beside = one_in(2);
    plan.place = static_cast<place_kind>(below(4));
    plan.pe = any_pe();
    program_.arrays.push_back(plan);
    model_.add_array();
    add(step_of_all(step_kind::made, program_.arrays.size() - 1));
  }

  void destroy_array(std::size_t array) { add(step_of_all(step_kind::destroyed, array)); }

  step_plan step_of_all(step_kind kind, std::size_t array) const {
    step_plan step;
    step.kind = kind;
    step.to.array = array;
    return step;
  }

  std::size_t any_array() {
    for (int tries = 0; tries < 3; ++tries) {
      const std::size_t chosen = below(program_.arrays.size());
      if (model_.state(chosen).faults().empty()) return chosen;
    }
    return below(program_.arrays.size());
  }

  part_plan any_part() {
    part_plan part;
    part.array = any_array();
    do {
      part.field = k_element_kinds[below(3)];
    } while (!program_.arrays[part.array].has(part.field));
    exchange_some(part);
    return part;
  }

  void exchange_some(part_plan& part) {
    if (program_.dimensions == 1) return;
    for (std::size_t left = below(3); left > 0; --left) {
      const std::size_t a = below(program_.dimensions), b = below(program_.dimensions);
      part.exchanges.emplace_back(a, b);
      std::swap(part.axes[a], part.axes[b]);
    }
  }

  const box& bounds_of(const part_plan& part) const { return program_.arrays[part.array].bounds; }

  /// Chooses a position in the array for a part of this size. The array is large enough.
  void choose_points(part_plan& part, const triple& own) {
    const box& bounds = bounds_of(part);
    for (std::size_t d = 0; d < program_.dimensions; ++d) {
      const std::size_t axis = part.axes[d];
      part.points.low[axis] = bounds.low[axis] + up_to(bounds.extent(axis) - own[d]);
      part.points.high[axis] = part.points.low[axis] + own[d];
    }
    part.outer = part.points;
    if (!one_in(3)) return;
    for (std::size_t axis = 0; axis < program_.dimensions; ++axis) {
      part.outer.low[axis] -= up_to(part.points.low[axis] - bounds.low[axis]);
      part.outer.high[axis] += up_to(bounds.high[axis] - part.points.high[axis]);
    }
  }

  std::int64_t some_of(std::int64_t most) {
    if (most == 0 || one_in(30)) return 0;
    return one_in(2) ? most : 1 + up_to(most - 1);
  }

  void fill() {
    step_plan step;
    step.kind = step_kind::filled;
    step.to = any_part();
    step.value = any_value();
    triple own{1, 1, 1};
    for (std::size_t d = 0; d < program_.dimensions; ++d)
      own[d] = some_of(bounds_of(step.to).extent(step.to.axes[d]));
    choose_points(step.to, own);
    add(std::move(step));
  }

  void move(step_kind kind) {
    step_plan step;
    step.kind = kind;
    step.to = any_part();
    step.from = any_part();
    const bool widens = kind == step_kind::reduced && step.to.field == element_kind::wide &&
                        step.from.field == element_kind::narrow;
    if (step.to.field != step.from.field && !widens) return;
    triple own{1, 1, 1};
    for (std::size_t d = 0; d < program_.dimensions; ++d)
      own[d] = some_of(std::min(bounds_of(step.to).extent(step.to.axes[d]),
                                bounds_of(step.from).extent(step.from.axes[d])));
    choose_points(step.to, own);
    choose_points(step.from, own);
    if (step.to.array == step.from.array && step.to.field == step.from.field &&
        have_common_points(step.to.points, step.from.points))
      return;
    if (kind == step_kind::reduced) choose_reduction(step);
    add(std::move(step));
  }

  void choose_reduction(step_plan& step) {
    step.reduction = static_cast<reduction_kind>(below(3));
    if (!one_in(8)) return;
    step.refused = any_value();
    const bool is_known = model_.state(step.from.array).faults().empty();
    if (!is_known || step.from.points.volume() == 0) return;
    triple own = step.from.extents();
    for (std::int64_t& each : own) each = up_to(each - 1);
    step.refused = model_.value_at(step.from, own);
  }

  void add(step_plan step) {
    const std::size_t number = program_.steps.size();
    step.asked_by = any_pe();
    step.after = conflicts_.add(step, number, !model_.faults_of(step, number).empty());
    step.goes_on = !one_in(stops_one_in_);
    if (one_in(gate_one_in_)) step.gate = any_gate(number);
    for (std::size_t i = below(3); i > 0; --i) step.awaited_by.push_back(any_pe());
    model_.run(step, number);
    program_.steps.push_back(std::move(step));
  }

  std::size_t any_gate(std::size_t step) {
    if (!program_.gates.empty() && one_in(2)) return below(program_.gates.size());
    program_.gates.push_back({any_pe(), any_pe(), step + below(12), one_in(3)});
    return program_.gates.size() - 1;
  }

  random_stream random_;
  int pes_;
  region_program program_;
  contents_model model_;
  conflicts conflicts_;
  bool is_huge_ = false;
  bool has_large_ = false;
  std::size_t stops_one_in_ = 4;
  std::size_t gate_one_in_ = 8;
};

}  // namespace atl::test
