#pragma once
// The last step of an iteration of the Leiden algorithm divides each community that is not
// connected into its connected components. The division never lowers the quality.

#include "atoll/kernels/communities/classes.hpp"

#include <numeric>

namespace atl::kernels::communities {

/// Replaces the community of each vertex by the smallest vertex of its connected component. The
/// component has the vertices that can be reached from the vertex by arcs of positive weight within
/// the community.
template <class Id>
class connection {
 public:
  explicit connection(level<Id>& on) : on_(on), least_(on.vertices()) {
    std::iota(least_.begin(), least_.end(), Id{0});
  }

  /// Every PE calls this function.
  task<> all_connect() {
    std::uint64_t changes = 1;
    while (changes != 0) {
      changes_.clear();
      co_await graph::in_stretches(0, on_.rows(), [this](auto b, auto e) { look(b, e); }, k_rows);
      changes = changes_.size();
      const std::span<const move_of<Id>> mine(changes_);
      const auto apply = [this](move_of<Id> one) { least_[one.vertex] = one.to; };
      if (!on_.everywhere) changes = co_await all_apply(mine, apply);
    }
    on_.community = std::move(least_);
  }

 private:
  void look(std::uint64_t begin, std::uint64_t end) {
    for (auto row = begin; row < end; ++row) {
      const Id vertex = on_.vertex_of(row);
      Id least = least_[vertex];
      on_.for_each_arc(row, [&](Id target, std::int64_t weight) {
        if (weight > 0 && on_.community[target] == on_.community[vertex])
          least = std::min(least, least_[target]);
      });
      if (least == least_[vertex]) continue;
      changes_.push_back({vertex, least});
      if (on_.everywhere) least_[vertex] = least;
    }
  }

  level<Id>& on_;
  huge_vector<Id> least_;
  std::vector<move_of<Id>> changes_;
};

}  // namespace atl::kernels::communities
