#pragma once
// The model of a random program executes its steps one after another. The model computes the
// contents of arrays, and the outcome and the possible errors of each step.

#include "region/model/plan.hpp"

namespace atl::test {

/// All values are less than this number, and sums are taken modulo this number. Values therefore
/// fit in any type of element.
inline constexpr std::int64_t k_modulus = 30'011;

struct array_state {
  bool is_there = false;
  error_set poison{};
  std::array<std::vector<std::int64_t>, 3> fields{};

  /// Returns the errors with which an operation that needs elements may fail.
  error_set faults() const { return is_there ? poison : error_set{k_not_there}; }
  const std::vector<std::int64_t>& of(element_kind field) const {
    return fields[static_cast<std::size_t>(field)];
  }
};

class contents_model {
 public:
  explicit contents_model(const region_program& of) : program_(of) {}

  const array_state& state(std::size_t array) const { return states_[array]; }

  /// Adds an array that no step has made yet.
  void add_array() { states_.emplace_back(); }

  std::int64_t value_at(const part_plan& part, const triple& own) const {
    return states_[part.array].of(part.field)[place_of(part, own)];
  }

  /// Returns the errors with which `step` may fail if it begins now.
  error_set faults_of(const step_plan& step, std::size_t number) const {
    if (step.kind == step_kind::made) return {};
    if (step.kind == step_kind::destroyed)
      return states_[step.to.array].is_there ? error_set{} : error_set{k_not_there};
    if (step.to.points.volume() == 0) return {};
    error_set faults = states_[step.to.array].faults();
    if (step.reads()) faults.merge(states_[step.from.array].faults());
    if (faults.empty() && meets_refused(step)) faults.insert(k_first_of_steps + number);
    return faults;
  }

  /// Executes the next step in the model, and stores the expected outcome in `step`.
  void run(step_plan& step, std::size_t number) {
    step.errors = faults_before(step);
    if (!step.errors.empty()) {
      step.end = outcome::cancelled;
      return;
    }
    step.errors = faults_of(step, number);
    step.end = step.errors.empty() ? outcome::done : outcome::failed;
    if (step.end == outcome::done) return change(step);
    array_state& to = states_[step.to.array];
    if (to.is_there && to.poison.empty()) to.poison = step.errors;
  }

 private:
  error_set faults_before(const step_plan& step) const {
    error_set faults;
    if (!step.goes_on)
      for (const std::size_t before : step.after) {
        const error_set& errors = program_.steps[before].errors;
        faults.insert(errors.begin(), errors.end());
      }
    if (step.gate && program_.gates[*step.gate].fails) faults.insert(*step.gate);
    return faults;
  }

  bool meets_refused(const step_plan& step) const {
    if (!step.refused) return false;
    bool is_met = false;
    for_each_in(step.from.extents(), [&](const triple& own) {
      is_met = is_met || value_at(step.from, own) == *step.refused;
    });
    return is_met;
  }

  void change(const step_plan& step) {
    array_state& to = states_[step.to.array];
    if (step.kind == step_kind::made) return make(step.to.array);
    if (step.kind == step_kind::destroyed) {
      to.is_there = false;
      return;
    }
    auto& field = to.fields[static_cast<std::size_t>(step.to.field)];
    for_each_in(step.to.extents(), [&](const triple& own) {
      std::int64_t& element = field[place_of(step.to, own)];
      element = changed(step, element, own);
    });
  }

  void make(std::size_t array) {
    const array_plan& plan = program_.arrays[array];
    states_[array].is_there = true;
    for (const element_kind each : k_element_kinds)
      if (plan.has(each))
        states_[array].fields[static_cast<std::size_t>(each)].assign(
            static_cast<std::size_t>(plan.bounds.volume()), 0);
  }

  std::int64_t changed(const step_plan& step, std::int64_t before, const triple& own) const {
    if (step.kind == step_kind::filled) return step.value;
    const std::int64_t other = value_at(step.from, own);
    if (step.kind == step_kind::copied) return other;
    switch (step.reduction) {
    case reduction_kind::sum:
      return (before + other) % k_modulus;
    case reduction_kind::min:
      return std::min(before, other);
    default:
      return std::max(before, other);
    }
  }

  std::size_t place_of(const part_plan& part, const triple& own) const {
    const box& bounds = program_.arrays[part.array].bounds;
    const triple p = part.in_array(own);
    std::int64_t place = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      place = place * bounds.extent(axis) + p[axis] - bounds.low[axis];
    return static_cast<std::size_t>(place);
  }

  const region_program& program_;
  std::vector<array_state> states_;
};

}  // namespace atl::test
