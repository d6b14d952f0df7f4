#pragma once
// Generates random programs for tests of events. The seed decides which kinds of events are
// frequent. Some programs consist of merges only. In other programs, tasks compete for one
// reservation or repeatedly arrive at a barrier.
//
// No program can hang under any schedule, for two reasons. An event waits only for earlier events
// of the program. A task that holds a reservation waits only for reservations with higher numbers.

#include "event/model/maker.hpp"

#include <array>

namespace atl::test {

class program_generator : program_maker {
 public:
  program_generator(std::uint64_t seed, int pes) : program_maker(seed, pes) {
    for (std::uint64_t& weight : weights_) weight = below(3) * below(4);
    if (one_in(4)) weights_.fill(0);
    weights_[0] = 1 + below(3);
    for (int most = 0; most < 2; ++most) weights_[below(k_event_kinds)] += below(12);
    fails_one_in_ = std::array{3, 8, 30}[below(3)];
    nevers_ = one_in(2);
    program_.reservations = below(4);
    program_.barriers.resize(below(3));
    for (barrier_plan& each : program_.barriers) begin(each);
  }

  program_plan make() {
    const std::size_t size = 10 + below(190);
    for (int i = 0; i < 3; ++i) add_user();
    while (program_.events.size() < size) add_one();
    while (!held_.empty()) release_one();
    find_who_is_inside();
    return take();
  }

 private:
  static constexpr std::uint64_t k_phases = 8;
  static constexpr std::size_t k_most_members = 20;

  /// A member of a barrier, which arrives in one phase after another.
  struct member {
    std::size_t barrier;
    std::int64_t amount;   ///< number of arrivals per phase
    std::uint64_t joins;   ///< the first phase in which the member takes part
    std::size_t step = 0;  ///< the step of the member's last action
    /// The member must stay until phase `bound`, because it has added other members for this phase.
    std::uint64_t bound = 0;
    bool has_left = false;
    bool has_stopped = false;
  };

  ends random_end() { return one_in(fails_one_in_) ? ends::failed : ends::triggered; }
  std::size_t add(event_plan plan) { return program_maker::add(std::move(plan), 3); }

  /// Returns an event that certainly ends, or nothing if no event certainly ends. A scope must wait
  /// only for events that certainly end, because the scope would otherwise stay open forever.
  std::optional<std::size_t> any_that_ends() {
    const std::size_t chosen = any_event();
    return at(chosen).end == ends::never ? std::nullopt : std::optional(chosen);
  }

  void add_one() {
    const auto kind = random_kind();
    switch (kind) {
    case event_kind::user:
      return add_user();
    case event_kind::spawned:
    case event_kind::filled:
    case event_kind::copied:
      return add_operation(kind);
    case event_kind::acquired:
      if (program_.reservations > 0 && held_.size() < 12) acquire_one();
      return;
    case event_kind::released:
      if (!held_.empty()) release_one();
      return;
    case event_kind::phase:
      if (!program_.barriers.empty()) add_phase(below(program_.barriers.size()));
      return;
    default:
      return add_merged(kind);
    }
  }

  event_kind random_kind() {
    std::uint64_t all = 0;
    for (const std::uint64_t weight : weights_) all += weight;
    std::uint64_t left = below(all);
    for (std::size_t kind = 0;; ++kind) {
      if (left < weights_[kind]) return static_cast<event_kind>(kind);
      left -= weights_[kind];
    }
  }

  void add_user() {
    const bool never = nevers_ && one_in(16);
    program_maker::add_user(never ? ends::never : random_end(), next() + below(12) * below(6), 3);
  }

  void add_merged(event_kind kind) {
    event_plan plan = some(kind);
    const std::size_t most = one_in(16) ? 40 : 5;
    for (std::size_t i = 1 + below(most); i > 0; --i) plan.inputs.push_back(any_event());
    add(std::move(plan));
  }

  void add_operation(event_kind kind) {
    const auto input = any_that_ends();
    if (!input) return;
    event_plan plan = some(kind, {*input});
    plan.own_end = random_end();
    plan.source = words_complete_before(*input);
    add(std::move(plan));
  }

  /// Returns a fill or copy operation that has certainly ended when event `number` has ended.
  std::optional<std::size_t> words_complete_before(std::size_t number) {
    for (int tries = 0; tries < 6; ++tries) {
      const std::size_t chosen = any_event();
      const event_kind kind = at(chosen).kind;
      const bool has_words = kind == event_kind::filled || kind == event_kind::copied;
      if (has_words && at(number).before[chosen]) return chosen;
    }
    return {};
  }

  /// Adds an acquisition of a reservation to the program, and one or two operations that run while
  /// the reservation is held.
  void acquire_one() {
    event_plan plan = some(event_kind::acquired);
    if (!one_in(4)) plan.inputs = {any_event()};
    plan.of = below(program_.reservations);
    plan.mode = static_cast<std::uint32_t>(one_in(2) ? 0 : 1 + below(2));
    const std::size_t acquired = add(std::move(plan));
    if (at(acquired).end == ends::never) return;
    held_.push_back(acquired);
    for (std::size_t i = 0, tasks = 1 + below(2); i < tasks; ++i) {
      event_plan body = some(event_kind::spawned, {acquired + i});
      body.own_end = random_end();
      add(std::move(body));
    }
  }

  void release_one() {
    const std::size_t chosen = below(held_.size());
    const std::size_t acquired = held_[chosen];
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(chosen));
    event_plan plan = some(event_kind::released);
    plan.of = at(acquired).of;
    plan.made_by = at(acquired).made_by;
    plan.inputs = {precondition_to_release(acquired), acquired};
    add(std::move(plan));
  }

  std::size_t precondition_to_release(std::size_t acquired) {
    if (one_in(2)) {
      const event_kind kind = one_in(2) ? event_kind::all : event_kind::settled;
      const std::size_t merged = add(some(kind, {acquired + 1, any_event()}));
      if (may_release(acquired, merged)) return merged;
    }
    for (int tries = 0; tries < 8; ++tries) {
      const std::size_t chosen = acquired + below(next() - acquired);
      if (may_release(acquired, chosen)) return chosen;
    }
    return acquired + 1;
  }

  /// Returns true if the release of the acquisition `acquired` may wait for the event `after`. The
  /// event `after` must certainly end, and must end after `acquired`. The event `after` must not
  /// wait for a reservation whose number is at most the number of the acquired reservation.
  bool may_release(std::size_t acquired, std::size_t after) const {
    if (at(after).end == ends::never || !at(after).before[acquired]) return false;
    event_set seen;
    seen.set(acquired);
    std::vector<std::size_t> left{after};
    while (!left.empty()) {
      const std::size_t number = left.back();
      left.pop_back();
      if (seen[number]) continue;
      seen.set(number);
      if (at(number).kind == event_kind::acquired && at(number).of <= at(acquired).of) return false;
      left.insert(left.end(), at(number).inputs.begin(), at(number).inputs.end());
    }
    return true;
  }

  void begin(barrier_plan& barrier) {
    const auto index = static_cast<std::size_t>(&barrier - program_.barriers.data());
    barrier.home = any_pe();
    for (std::size_t count = 1 + below(5); count > 0; --count)
      barrier.expected += add_member(index, 0, 0);
  }

  std::int64_t add_member(std::size_t barrier, std::uint64_t joins, std::size_t step) {
    members_.push_back(
        {barrier, one_in(4) ? 2 + static_cast<std::int64_t>(below(3)) : 1, joins, step});
    program_.barrier_of.push_back(barrier);
    return members_.back().amount;
  }

  void add_phase(std::size_t barrier) {
    barrier_plan& of = program_.barriers[barrier];
    if (of.phases.size() == k_phases) return;
    event_plan plan = some(event_kind::phase);
    plan.of = barrier;
    plan.phase = of.phases.size();
    if (plan.phase > 0) plan.inputs.push_back(of.phases.back());
    of.sums.push_back(0);
    // Members that the loop adds to the barrier also take part in the phase `plan.phase`.
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_[i].barrier == barrier && members_[i].joins <= plan.phase) go_on(i, plan);
    of.phases.push_back(add(std::move(plan)));
    if (at(next() - 1).end != ends::never)
      for (std::size_t i = below(3); i > 0; --i) add_move(move_kind::look, below(next()));
  }

  /// Plans the actions of a member in one phase. The member may add other members first. In each
  /// phase, the member arrives, leaves the barrier, or does nothing.
  void go_on(std::size_t i, event_plan& plan) {
    if (members_[i].has_stopped) plan.own_end = ends::never;
    if (members_[i].has_left || members_[i].has_stopped) return;
    members_[i].step += below(1 + next() / 4);
    if (one_in(4) && members_.size() < k_most_members) invite(i, plan.phase);
    member& who = members_[i];
    who.has_stopped = nevers_ && one_in(40);
    if (who.has_stopped) plan.own_end = ends::never;
    if (who.has_stopped) return;
    who.has_left = plan.phase >= who.bound && one_in(10);
    if (who.has_left)
      add_move(move_kind::leave, who.step, i).amount = who.amount;
    else
      arrive(i, plan);
  }

  void arrive(std::size_t i, event_plan& plan) {
    member& who = members_[i];
    const auto precondition = one_in(3) ? any_that_ends() : std::nullopt;
    if (precondition) who.step = std::max(who.step, *precondition);
    move_plan& move = add_move(move_kind::arrive, who.step, i);
    move.amount = who.amount;
    move.precondition = precondition;
    move.value = who.amount == 1 ? static_cast<std::int64_t>(below(1000)) : 0;
    if (precondition) plan.inputs.push_back(*precondition);
    if (!precondition || at(*precondition).end == ends::triggered)
      program_.barriers[plan.of].sums.back() += move.value;
  }

  void invite(std::size_t i, std::uint64_t phase) {
    move_plan& move = add_move(move_kind::invite, members_[i].step, i);
    move.ahead = below(2) * below(3);
    move.amount = 0;
    for (std::size_t count = 1 + below(2); count > 0; --count) {
      move.invited.push_back(members_.size());
      move.amount += add_member(members_[i].barrier, phase + move.ahead, members_[i].step);
    }
    members_[i].bound = std::max(members_[i].bound, phase + move.ahead);
  }

  /// Adds an action of a PE (move) to the program. The move belongs to the next phase, or to the
  /// newest existing phase if the kind is `look`.
  move_plan& add_move(move_kind kind, std::size_t step, std::size_t member = 0) {
    move_plan move;
    move.kind = kind;
    move.step = step;
    move.event = kind == move_kind::look ? next() - 1 : next();
    move.pe = any_pe();
    move.member = member;
    program_.moves.push_back(std::move(move));
    return program_.moves.back();
  }

  /// Finds the tasks that certainly run while a reservation is held. A task certainly runs while a
  /// reservation is held if it begins after the acquisition and ends before the event that allows
  /// the release.
  void find_who_is_inside() {
    for (const event_plan& release : program_.events) {
      if (release.kind != event_kind::released) continue;
      const auto [after, acquired] = std::pair(release.inputs[0], release.inputs[1]);
      if (at(acquired).end != ends::triggered) continue;
      for (std::size_t i = acquired; i <= after; ++i) {
        event_plan& task = program_.events[i];
        if (task.kind == event_kind::spawned && at(after).before[i] &&
            at(task.inputs[0]).before[acquired])
          task.inside.push_back(acquired);
      }
    }
  }

  std::array<std::uint64_t, k_event_kinds> weights_{};
  std::size_t fails_one_in_ = 8;
  bool nevers_ = false;
  std::vector<member> members_;
  std::vector<std::size_t> held_;  ///< acquisitions for which the program has no release yet
};

}  // namespace atl::test
