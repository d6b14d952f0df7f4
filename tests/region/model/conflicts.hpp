#pragma once
// Decides which steps of a program must not run at the same time. If two steps use the same
// elements, the later step waits for the earlier step. However, two reads of the same elements, or
// two reductions by the same operation, may run at the same time. No other step on an array may run
// at the same time as a step that makes, destroys or poisons the array. A failed step poisons its
// whole array.

#include "region/model/plan.hpp"

namespace atl::test {

enum class use_kind : std::uint8_t { reads, writes, reduces, takes_all };

class conflicts {
 public:
  /// Adds step `number`, which follows all earlier steps. Returns the steps for which the new step
  /// must wait.
  std::vector<std::size_t> add(const step_plan& step, std::size_t number, bool fails) {
    std::vector<use> uses = {{number, step.to.array, step.to.field, step.to.points,
                              fails ? use_kind::takes_all : kind_of(step), step.reduction}};
    if (step.reads())
      uses.push_back({number, step.from.array, step.from.field, step.from.points, use_kind::reads,
                      step.reduction});
    std::set<std::size_t> found;
    for (const use& earlier : all_)
      for (const use& each : uses)
        if (are_in_conflict(earlier, each)) found.insert(earlier.step);
    all_.insert(all_.end(), uses.begin(), uses.end());
    return {found.begin(), found.end()};
  }

 private:
  struct use {
    std::size_t step;
    std::size_t array;
    element_kind field;
    box points;
    use_kind kind;
    reduction_kind reduction;
  };

  static use_kind kind_of(const step_plan& step) {
    if (!step.moves()) return use_kind::takes_all;
    return step.kind == step_kind::reduced ? use_kind::reduces : use_kind::writes;
  }

  static bool are_in_conflict(const use& a, const use& b) {
    if (a.array != b.array) return false;
    if (a.kind == use_kind::takes_all || b.kind == use_kind::takes_all) return true;
    if (a.field != b.field || !have_common_points(a.points, b.points)) return false;
    if (a.kind != b.kind || a.kind == use_kind::writes) return true;
    return a.kind == use_kind::reduces && a.reduction != b.reduction;
  }

  std::vector<use> all_;
};

}  // namespace atl::test
