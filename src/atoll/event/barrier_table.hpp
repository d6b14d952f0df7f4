#pragma once
// This file has the table of all phase barriers that one PE has made. The file also has the list of
// phases that tasks of the PE wait for. The class `gathered_arrivals` holds the PE's arrivals at
// barriers of other PEs until the arrivals are sent.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"
#include "atoll/event/barrier_state.hpp"
#include "atoll/event/barrier_step.hpp"
#include "atoll/event/table.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace atl::events {

// The class `awaited_phases` holds the phases whose completion this PE waits for. All tasks of the
// PE that wait for the same phase wait for the same event.

class awaited_phases {
 public:
  explicit awaited_phases(memory_account& account) : places_(account) {}

  /// Returns the event that triggers when `phase` of `barrier` completes. Returns nothing if this
  /// PE has not asked for the phase. Returns nothing for phases before the last completed phase,
  /// because only the event of the last completed phase is remembered.
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

  /// Marks `phase` of `barrier` as completed and returns the event of the phase. This PE must have
  /// asked for the phase.
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

  /// Calls `visit(barrier, event)` for each phase that this PE waits for and that has not
  /// completed.
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

    awaited last;  ///< the phase that has completed last
    charged_vector<awaited> open;
  };

  at_place& at(name barrier) {
    memory_account& account = places_.get_allocator().account();
    return places_.try_emplace(barrier.place(), account).first->second;
  }

  // The key is the PE and the slot of a barrier. Barriers that use the same slot one after the
  // other share one entry, so the map stays small.
  charged_map<std::uint64_t, at_place> places_;
};

// The class `gathered_arrivals` holds this PE's arrivals at barriers of other PEs until the
// arrivals are sent. Arrivals at the same phase are coalesced: the PE sends one message with the
// number of arrivals and their combined value.

class gathered_arrivals {
 public:
  /// Adds an arrival, and uses `fold` to combine `value` with the values of earlier arrivals at the
  /// same phase. Returns true if no arrivals were stored before the call. If the result is true,
  /// the caller must arrange a later call of `take`.
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

  /// Calls `send(step, value)` once for each phase with arrivals, in the order in which the phases
  /// got their first arrivals. Removes all arrivals.
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

  // A search for an earlier arrival at the same phase examines this number of entries. Tasks that
  // run shortly after each other usually arrive at few phases, so the last few entries are enough.
  static constexpr std::size_t k_looked_at = 4;

  gathered* find(const barrier_step& arrival) {
    const std::size_t first = all_.size() - std::min(all_.size(), k_looked_at);
    for (std::size_t i = first; i < all_.size(); ++i)
      if (all_[i].step.counts_with(arrival)) return &all_[i];
    return nullptr;
  }

  std::vector<gathered> all_;
};

// The class `barrier_table` holds the phase barriers of one PE, and the PE's operations on barriers
// of other PEs. Only the PE that owns the table calls the functions.

class barrier_table {
 public:
  explicit barrier_table(pe& self);
  barrier_table(const barrier_table&) = delete;
  barrier_table& operator=(const barrier_table&) = delete;
  ~barrier_table() { keep_names_for_later_jobs(); }

  /// Returns the table of this PE. The first call makes the table.
  static barrier_table& here() {
    barrier_table* const found = table::here().barriers;
    return found != nullptr ? *found : make_here();
  }

  name make(std::int64_t expected, value_folding folding, site where);

  // The functions of phase barrier handles (atoll/phase_barrier.hpp) call the next functions.
  void arrive(const barrier_step& arrival, std::span<const std::byte> value,
              const fold_function& fold);
  void arrive_failed(const barrier_step& arrival, const event_fault& fault);
  stamp alter(const barrier_step& alteration);
  void destroy(const barrier_step& destruction);
  event completion(name barrier, std::uint64_t phase, site where);

  /// Returns the combined value of `phase`. This PE must have made the barrier. Returns nothing if
  /// the phase has not completed. Throws atl::error (input) if the barrier no longer keeps the
  /// value of the phase. If the phase has failed, throws the error of the phase.
  std::optional<std::span<const std::byte>> value_of(name barrier, std::uint64_t phase, site where);

  // The handlers of messages from other PEs call the next functions.
  void take(const barrier_step& step, step_load load, int source);
  void asked(name barrier, std::uint64_t phase, int pe, site where);
  void told(name barrier, std::uint64_t phase, const event_fault* fault);

 private:
  struct slot {
    std::uint32_t generation = 1;
    std::unique_ptr<barrier_state> state;  ///< null if the slot is free
    site made;
    site destroyed;
  };
  /// An operation on a barrier (a step) that waits until an increase of the expected arrivals
  /// comes. The stamp of the step identifies the increase (barrier_step.hpp).
  struct held_step {
    barrier_step step;
    std::vector<std::byte> value;
    std::optional<event_fault> fault;
  };

  static barrier_table& make_here();
  void tell_who_waits(std::vector<observe::finding>& into) const;
  barrier_state* look(name barrier);
  barrier_state& find(name barrier, site where);
  void count(const barrier_step& step, step_load load);
  void count_held();
  charged_deque<held_step> take_countable();
  void destroy_own(const barrier_step& destruction);
  void tell(int pe, name barrier, std::uint64_t phase, const event_fault* fault);
  void send_gathered();
  void check_job(name barrier, site where) const {
    if (barrier.is_of_other_job_than(first_generation_)) [[unlikely]]
      refuse_ended_job(barrier, where);
  }
  void keep_names_for_later_jobs() const noexcept;
  [[noreturn]] void refuse_ended_job(name barrier, site where) const;
  [[noreturn]] void refuse(name barrier, site where) const;

  pe& self_;
  std::uint32_t first_generation_;
  charged_vector<slot> slots_;  ///< slot 0 is unused, because a default-constructed name has slot 0
  charged_deque<std::uint32_t> free_;
  increases_seen seen_;
  charged_deque<held_step> held_;
  /// Number of increases of the expected arrivals that this PE has sent so far, by home PE of the
  /// barrier.
  std::unordered_map<int, std::uint64_t> increases_sent_;
  gathered_arrivals gathered_;
  awaited_phases awaited_;
};

}  // namespace atl::events
