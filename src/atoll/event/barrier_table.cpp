#include "atoll/event/barrier_table.hpp"

#include "atoll/event/name.hpp"
#include "atoll/memory/heap.hpp"
#include "atoll/task.hpp"
#include "atoll/transport/site_word.hpp"

#include <utility>

namespace atl::events {

barrier_table::barrier_table(pe& self)
    : self_(self),
      first_generation_(first_generation(self.job)),
      slots_(1, *self.account),
      free_(*self.account),
      held_(*self.account),
      awaited_(*self.account) {
  self.transport->sections().add([this](auto& into) { tell_who_waits(into); });
}

barrier_table& barrier_table::make_here() {
  pe& self = this_pe();
  const auto made = std::make_shared<barrier_table>(self);
  self.memory->keep(made);
  table::here().barriers = made.get();
  return *made;
}

name barrier_table::make(std::int64_t expected, value_folding folding, site where) {
  if (free_.empty()) {
    if (slots_.size() == k_most_slots)
      fail(errc::out_of_memory, "a PE can have {} phase barriers, and has them", k_most_slots);
    free_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back().generation = first_generation_;
  }
  const std::uint32_t index = free_.front();
  slots_[index].state =
      std::make_unique<barrier_state>(expected, std::move(folding), where, *self_.account);
  slots_[index].made = where;
  free_.pop_front();
  return {self_.rank, index, slots_[index].generation};
}

void barrier_table::arrive(const barrier_step& arrival, std::span<const std::byte> value,
                           const fold_function& fold) {
  if (arrival.barrier.pe() == self_.rank) return take(arrival, {value}, self_.rank);
  check_job(arrival.barrier, arrival.where);
  if (!gathered_.add(arrival, value, fold)) return;
  const auto send = []() -> task<> {
    co_await room();
    here().send_gathered();
  };
  tasks::spawn_owed(send, arrival.where);
}

void barrier_table::send_gathered() {
  gathered_.take(
      [](const barrier_step& step, std::span<const std::byte> value) { send_step(step, {value}); });
}

void barrier_table::arrive_failed(const barrier_step& arrival, const event_fault& fault) {
  if (arrival.barrier.pe() == self_.rank) return take(arrival, {{}, &fault}, self_.rank);
  check_job(arrival.barrier, arrival.where);
  send_step(arrival, {{}, &fault});
}

stamp barrier_table::alter(const barrier_step& alteration) {
  const int home = alteration.barrier.pe();
  check_job(alteration.barrier, alteration.where);
  if (home != self_.rank) send_step(alteration, {});
  const stamp altered =
      alteration.is_increase() ? stamp(self_.rank, ++increases_sent_[home]) : alteration.after;
  if (home == self_.rank) take(alteration, {}, self_.rank);
  return altered;
}

void barrier_table::destroy(const barrier_step& destruction) {
  if (destruction.barrier.pe() == self_.rank) return take(destruction, {}, self_.rank);
  check_job(destruction.barrier, destruction.where);
  send_gathered();
  send_step(destruction, {});
}

void barrier_table::take(const barrier_step& step, step_load load, int source) {
  if (step.is_increase()) {
    seen_.note(source, step.after);
    held_.push_front({step, {}, {}});
    held_.front().step.after = {};
    count_held();
  } else if (seen_.has(step.after)) {
    count(step, load);
  } else {
    held_.push_back({step,
                     {load.value.begin(), load.value.end()},
                     load.fault != nullptr ? std::optional(*load.fault) : std::nullopt});
  }
}

void barrier_table::count(const barrier_step& step, step_load load) {
  if (step.kind == step_kind::destruction) return destroy_own(step);
  barrier_state& of = find(step.barrier, step.where);
  if (step.kind == step_kind::alteration) {
    of.alter(step.phase, step.amount, step.where);
  } else if (load.fault != nullptr) {
    of.arrive_failed(step.phase, step.amount, *load.fault, step.where);
  } else {
    of.arrive(step.phase, step.amount, load.value, step.where);
  }
  of.advance([&](int pe, std::uint64_t phase, const event_fault* fault) {
    tell(pe, step.barrier, phase, fault);
  });
}

// A step (an operation on a barrier) that depends on an increase of the expected arrivals is held
// until the increase comes. This function executes the held steps whose increases have come. If a
// step throws an error, the function executes the remaining steps and then rethrows the first
// error.
void barrier_table::count_held() {
  std::exception_ptr failure;
  for (const held_step& next : take_countable()) {
    try {
      count(next.step, {next.value, next.fault ? &*next.fault : nullptr});
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

charged_deque<barrier_table::held_step> barrier_table::take_countable() {
  charged_deque<held_step> countable(held_.get_allocator());
  charged_deque<held_step> all(held_.get_allocator());
  all.swap(held_);
  for (held_step& each : all)
    (seen_.has(each.step.after) ? countable : held_).push_back(std::move(each));
  return countable;
}

void barrier_table::destroy_own(const barrier_step& destruction) {
  const name barrier = destruction.barrier;
  find(barrier, destruction.where);
  slot& ended = slots_[barrier.slot()];
  const auto former = std::move(ended.state);
  ended.destroyed = destruction.where;
  if (ended.generation < last_generation(self_.job)) {
    ++ended.generation;
    free_.push_back(barrier.slot());
  }
  const event_fault fault{
      std::make_exception_ptr(error(
          errc::input, fmt::format("the phase barrier made at {} was destroyed at {} while one of "
                                   "its phases is waited for",
                                   to_string(ended.made), to_string(destruction.where)))),
      destruction.where, self_.rank};
  former->for_each_asking([&](int pe, std::uint64_t phase) { tell(pe, barrier, phase, &fault); });
}

event barrier_table::completion(name barrier, std::uint64_t phase, site where) {
  check_job(barrier, where);
  if (const auto known = awaited_.find(barrier, phase)) return *known;
  const bool own = barrier.pe() == self_.rank;
  const barrier_state* const of = own ? look(barrier) : nullptr;
  if (of != nullptr && of->has_completed(phase) && of->fault_of(phase) == nullptr)
    return event::none;
  const user_event made = make_user_event(where);
  awaited_.add(barrier, phase, made);
  if (own) {
    asked(barrier, phase, self_.rank, where);
  } else {
    send_ask(barrier, phase, where);
  }
  return made;
}

void barrier_table::asked(name barrier, std::uint64_t phase, int pe, site where) {
  try {
    barrier_state& of = find(barrier, where);
    if (!of.has_completed(phase)) return of.ask(phase, pe);
    tell(pe, barrier, phase, of.fault_of(phase));
  } catch (const error&) {
    const event_fault fault{std::current_exception(), where, self_.rank};
    tell(pe, barrier, phase, &fault);
  }
}

void barrier_table::tell(int pe, name barrier, std::uint64_t phase, const event_fault* fault) {
  if (pe != self_.rank) return send_completion(pe, barrier, phase, fault);
  told(barrier, phase, fault);
}

void barrier_table::told(name barrier, std::uint64_t phase, const event_fault* fault) {
  const user_event completed = awaited_.take(barrier, phase);
  if (fault == nullptr) return table::here().trigger(completed.name(), {});
  table::here().poison(completed.name(), *fault, fault->where);
}

std::optional<std::span<const std::byte>> barrier_table::value_of(name barrier, std::uint64_t phase,
                                                                  site where) {
  const barrier_state& of = find(barrier, where);
  if (!of.has_completed(phase)) return {};
  if (const event_fault* const fault = of.fault_of(phase)) std::rethrow_exception(fault->failure);
  return of.value_of(phase, where);
}

// Adds entries about barriers to a report on waiting tasks. The report shows each barrier as an
// event, and each awaited phase of the barrier as an event that depends on the barrier's event.
void barrier_table::tell_who_waits(std::vector<observe::finding>& into) const {
  using observe::fact;
  // Maximum number of entries about barriers, because the report of a PE has room for only 400
  // entries in all.
  constexpr std::size_t k_most_told = 64;
  const auto number_of = [](name barrier) { return ~barrier.word(); };
  const std::size_t most = into.size() + k_most_told;
  awaited_.for_each_open([&](name barrier, event waiting) {
    if (into.size() < most)
      into.push_back({fact::follows, {}, {}, waiting.name().word(), number_of(barrier)});
  });
  for (std::uint32_t i = 1; i < slots_.size() && into.size() < most; ++i)
    if (slots_[i].state != nullptr)
      into.push_back(
          {fact::event, slots_[i].made, {}, 1, number_of({self_.rank, i, slots_[i].generation})});
}

barrier_state* barrier_table::look(name barrier) {
  const std::uint32_t index = barrier.slot();
  if (index >= slots_.size() || slots_[index].generation != barrier.generation()) return nullptr;
  return slots_[index].state.get();
}

barrier_state& barrier_table::find(name barrier, site where) {
  barrier_state* const found = look(barrier);
  if (found == nullptr) [[unlikely]]
    refuse(barrier, where);
  return *found;
}

void barrier_table::refuse_ended_job(name barrier, site where) const {
  fail(errc::input, "{} is used at {}", text_of_ended(barrier, "phase barrier"), to_string(where));
}

void barrier_table::keep_names_for_later_jobs() const noexcept {
  std::vector<kept_name> all;
  try {
    for (std::uint32_t i = 1; i < slots_.size() && all.size() < k_most_kept_of_pe; ++i)
      all.push_back({{self_.rank, i, slots_[i].generation},
                     kept_kind::barrier,
                     transport::site_word(*self_.modules, slots_[i].made)});
  } catch (const std::bad_alloc&) {
    return;
  }
  keep_names(std::move(all));
}

void barrier_table::refuse(name barrier, site where) const {
  check_job(barrier, where);
  const std::uint32_t index = barrier.slot();
  if (index == 0 || index >= slots_.size() || slots_[index].generation < barrier.generation())
    fail(errc::input, "a phase barrier is used at {} that was never made", to_string(where));
  const slot& former = slots_[index];
  if (former.state == nullptr)
    fail(errc::input, "the phase barrier made at {} was destroyed at {}, and is used at {}",
         to_string(former.made), to_string(former.destroyed), to_string(where));
  fail(errc::input, "a phase barrier is used at {} that was destroyed long ago", to_string(where));
}

}  // namespace atl::events
