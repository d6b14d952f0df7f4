#pragma once
// Phases that this PE has asked for: one event for each, which all its tasks wait for.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace atl::events {

class awaited_phases {
 public:
  explicit awaited_phases(memory_account& account) : places_(account) {}

  /// The event that stands for the phase; none: this PE has not asked for it, or for another one
  /// since it completed.
  std::optional<user_event> find(name barrier, std::uint64_t phase) const {
    const auto found = places_.find(barrier.place());
    if (found == places_.end()) return {};
    if (found->second.last.is(barrier, phase)) return found->second.last.completion;
    for (const awaited& each : found->second.open)
      if (each.is(barrier, phase)) return each.completion;
    return {};
  }

  void add(name barrier, std::uint64_t phase, user_event completion) {
    at(barrier).open.push_back({barrier, phase, completion});
  }

  /// It has completed.
  user_event take(name barrier, std::uint64_t phase) {
    at_place& of = at(barrier);
    const auto found =
        std::ranges::find_if(of.open, [&](const awaited& each) { return each.is(barrier, phase); });
    if (found == of.open.end())
      fail(errc::internal, "a PE is told of phase {} of a barrier, and has not asked for it",
           phase);
    of.last = *found;
    *found = of.open.back();
    of.open.pop_back();
    return of.last.completion;
  }

  /// Calls `visit(barrier, event)` for each phase that has not completed.
  template <class Visit>
  void for_each_open(const Visit& visit) const {
    for (const auto& [key, at] : places_)
      for (const awaited& each : at.open) visit(each.barrier, each.completion);
  }

 private:
  struct awaited {
    name barrier;
    std::uint64_t phase = 0;
    user_event completion;

    bool is(name asked, std::uint64_t at) const { return barrier == asked && phase == at; }
  };
  struct at_place {
    explicit at_place(memory_account& account) : open(account) {}

    awaited last;  ///< that has completed
    charged_vector<awaited> open;
  };

  at_place& at(name barrier) {
    memory_account& account = places_.get_allocator().account();
    return places_.try_emplace(barrier.place(), account).first->second;
  }

  // By PE and slot, so that there are never more than barriers that live at once.
  charged_map<std::uint64_t, at_place> places_;
};

}  // namespace atl::events
