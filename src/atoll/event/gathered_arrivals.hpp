#pragma once
// Arrivals of this PE at barriers of other PEs, on their way: those that the tasks ready at the
// same time make at one phase travel together, with their values folded.

#include "atoll/event/barrier_step.hpp"
#include "atoll/event/value_folding.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace atl::events {

class gathered_arrivals {
 public:
  /// True if this is the first one, so that somebody has to take them.
  bool add(const barrier_step& arrival, std::span<const std::byte> value,
           const fold_function& fold) {
    const bool first = all_.empty();
    if (gathered* const same = find(arrival)) {
      same->step.amount += arrival.amount;
      if (same->value.empty())
        same->value.assign(value.begin(), value.end());
      else if (!value.empty())
        fold(same->value.data(), value.data());
    } else {
      all_.push_back({arrival, {value.begin(), value.end()}});
    }
    return first;
  }

  /// Calls `send(step, value)` for each, in the order in which they came.
  template <class Send>
  void take(const Send& send) {
    const std::vector<gathered> taken = std::exchange(all_, {});
    for (const gathered& each : taken) send(each.step, std::span(each.value));
  }

 private:
  struct gathered {
    barrier_step step;
    std::vector<std::byte> value;
  };

  // Tasks that are ready together mostly arrive at one phase, or at a few.
  static constexpr std::size_t k_looked_at = 4;

  gathered* find(const barrier_step& arrival) {
    const std::size_t first = all_.size() - std::min(all_.size(), k_looked_at);
    for (std::size_t i = first; i < all_.size(); ++i)
      if (all_[i].step.counts_with(arrival)) return &all_[i];
    return nullptr;
  }

  std::vector<gathered> all_;
};

}  // namespace atl::events
