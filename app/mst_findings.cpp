#include "app/mst_findings.hpp"

namespace atl::app {

bool mst_findings::right() const {
  const auto agree = [this](const kernels::mst::run_outcome& one) {
    const auto& last = trials.back();
    return one.weight == last.weight && one.forest_edges == last.forest_edges;
  };
  return std::ranges::all_of(trials, agree) && (!check || check->right());
}

}  // namespace atl::app
