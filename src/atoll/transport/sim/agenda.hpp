#pragma once
// Which PE goes on next: the one with the earliest time. A PE that runs is not in the agenda.

#include "atoll/transport/transport.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace atl::transport::sim {

class agenda {
 public:
  struct entry {
    nanoseconds time;  ///< `forever`: it waits for what is not under way
    int pe;
  };

  explicit agenda(int pes) : times_(static_cast<std::size_t>(pes)) {}

  bool empty() const { return order_.empty(); }

  /// The time of the next PE; `forever` where there is none.
  nanoseconds earliest() const { return order_.empty() ? forever : order_.begin()->first; }

  entry take() {
    const auto [time, pe] = *order_.begin();
    order_.erase(order_.begin());
    return {time, pe};
  }

  void add(int pe, nanoseconds time) {
    times_[static_cast<std::size_t>(pe)] = time;
    order_.emplace(time, pe);
  }

  /// A PE of the agenda goes on at `time`, if that is earlier.
  void hasten(int pe, nanoseconds time) {
    nanoseconds& present = times_[static_cast<std::size_t>(pe)];
    if (time >= present) return;
    auto moved = order_.extract({present, pe});  // needs no memory: no PE is ever lost
    if (moved.empty()) return;
    present = time;
    moved.value().first = time;
    order_.insert(std::move(moved));
  }

 private:
  std::vector<nanoseconds> times_;  // by PE
  std::set<std::pair<nanoseconds, int>> order_;
};

}  // namespace atl::transport::sim
