#include "atoll/event/table.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/collectives.hpp"
#include "atoll/event/messages.hpp"
#include "atoll/event/operations.hpp"
#include "atoll/event/reservation_table.hpp"
#include "atoll/observe/recorder.hpp"

#include <algorithm>
#include <memory>

namespace atl::events {

using mutants::fault;

table::table(pe& self)
    : self_(self),
      rank_(self.rank),
      first_generation_(first_generation(self.job)),
      slots_(*self.account, first_generation_, last_generation(self.job)),
      waiters_(*self.account),
      places_(*self.account),
      faults_(*self.account),
      outside_(*self.account) {
  self.transport->sections().add([this](auto& into) { tell_who_waits(into); });
}

table::~table() {
  for (const auto& [word, waits] : outside_) waits->job_ended();
  keep_names_for_later_jobs();
}

table& table::make_here() {
  pe& self = this_pe();
  const auto made = std::make_shared<table>(self);
  self.memory->keep(made);
  self.events = made.get();
  return *made;
}

std::uint32_t table::distant_slot(name awaited, site where) {
  if (awaited.generation() == 0) return 0;
  place& of = places_.at(awaited.place());
  for (std::uint32_t i = of.pending; i != 0; i = slots_[i].inputs)
    if (slots_[i].place == awaited.word()) return i;
  if (of.known == awaited.generation() || faults_.find(awaited) != nullptr) return 0;
  check_job(awaited, "waited for", where);
  return add_distant(of, awaited);
}

std::uint32_t table::add_distant(place& of, name awaited) {
  const std::uint32_t index = slots_.take(use::distant, {});
  slots_[index].place = awaited.word();
  slots_[index].inputs = std::exchange(of.pending, index);
  send_subscription(awaited);
  return index;
}

void table::subscribe(name asked, site where) {
  const std::uint32_t index = slot_to_wait_at(asked, where);
  if (index != 0 && slots_[index].used_for() == use::distant) slots_[index].stays = 1;
}

bool table::has_ended(name asked, site where) {
  check_job(asked, "asked for", where);
  if (asked.pe() == rank_) return own_slot(asked) == 0;
  const place* const of = asked.generation() == 0 ? nullptr : places_.look(asked.place());
  return asked.generation() == 0 || (of != nullptr && of->known >= asked.generation());
}

// For an event of another job, `is_known` returns false and throws no error. The error is thrown
// later, when a task begins to wait for the event.
bool table::is_known(name asked) {
  if (asked.is_of_other_job_than(first_generation_)) [[unlikely]]
    return false;
  if (asked.pe() == rank_) return own_slot(asked) == 0;
  if (asked.generation() == 0 || faults_.find(asked) != nullptr) return true;
  const place* const of = places_.look(asked.place());
  return of != nullptr && of->known == asked.generation();
}

// For an event of this PE that has not ended, the function returns null even if `faults_` has an
// entry. An event of kind `use::any` triggers as soon as one of its inputs triggers. When an input
// of a `use::any` event fails, `faults_` gets an entry for the event, although another input may
// still trigger the event.
const event_fault* table::fault_of(name asked) const {
  const event_fault* const noted = faults_.find(asked);
  return noted != nullptr && asked.pe() == rank_ && own_slot(asked) != 0 ? nullptr : noted;
}

void table::make_ready_after(name awaited, tasks::frame& suspended) {
  const std::uint32_t index = slot_to_wait_at(awaited, suspended.waiting_at);
  if (index == 0) return self_.tasks->ready(suspended);
  add_waiter(index, waiter::of_task(suspended));
}

void table::note_end(name awaited, transport::nanoseconds& at) {
  if (const std::uint32_t index = slot_to_wait_at(awaited, {}); index != 0)
    add_waiter(index, waiter::of_clock(at));
}

void table::trigger(name triggered, site where) {
  slot& ended = user_slot(triggered, where);
  ended.place = where.word();
  ended.is_ended = 1;
  end(triggered.slot(), false);
  wake();
}

void table::poison(name failed, const event_fault& fault, site where) {
  slot& ended = user_slot(failed, where);
  faults_.add(failed, fault);
  ended.place = where.word();
  ended.is_ended = 1;
  end(failed.slot(), true);
  wake();
}

event table::merge(use purpose, std::span<const event> inputs, site where) {
  const event* open = nullptr;
  const event* failed = nullptr;
  for (const event& each : inputs) {
    if (slot_to_wait_at(each.name(), where) != 0) {
      if (open != nullptr || purpose == use::settled) return merge_open(purpose, inputs, where);
      open = &each;
    } else if (fault_of(each.name()) != nullptr) {
      if (purpose == use::all) return each;
      if (failed == nullptr) failed = &each;
    } else if (purpose == use::any) {
      return event::none;
    }
  }
  if (open != nullptr) return *open;
  return failed != nullptr && purpose == use::any ? *failed : event::none;
}

event table::merge_open(use purpose, std::span<const event> inputs, site where) {
  const name made = make(purpose, where);
  depend(made.slot(), inputs, where);
  wake();
  return event(made);
}

void table::promise(name user, std::span<const event> inputs, site where) {
  slot& promised = user_slot(user, where);
  for (const event& each : inputs) check_job(each.name(), "waited for", where);
  promised.use_for(use::promised);
  depend(user.slot(), inputs, where);
  wake();
}

// If an input has already ended, this function itself calls `input_ended` for the input. Each input
// of the event is therefore counted exactly once.
void table::depend(std::uint32_t index, std::span<const event> inputs, site where) {
  const bool any = slots_[index].used_for() == use::any;
  const std::uint32_t generation = slots_[index].generation;
  const waiter input =
      waiter::of_input(any ? waiter::kind::any_input : waiter::kind::input, index, generation);
  slots_[index].inputs = static_cast<std::uint32_t>(inputs.size());
  if (inputs.empty()) return end(index, false);
  for (const event& each : inputs) {
    if (const std::uint32_t at = slot_to_wait_at(each.name(), where); at != 0) [[likely]] {
      add_waiter(at, input);
    } else {
      input_ended(input, fault_of(each.name()));
      if (slots_[index].generation != generation) return;
    }
  }
}

reservation_table& table::locks() {
  if (!locks_) locks_ = std::make_unique<reservation_table>(*this, self_);
  return *locks_;
}

void table::wait_for(std::uint32_t awaited, std::uint32_t request) {
  const waiter waiting =
      waiter::of_input(waiter::kind::request, request, slots_[request].generation);
  add_waiter(awaited, waiting);
}

void table::end_request(std::uint32_t index, const event_fault* fault) {
  if (fault != nullptr) faults_.add(name_of(index), *fault);
  end(index, fault != nullptr);
}

// Removes from the list `from` the waiters that need not be woken any more. A waiter need not be
// woken if it is an event with several inputs, and another input has already ended the event.
// Without the removal, the waiter list of an event that never ends could take more and more memory.
void table::withdraw_ended(waiter_list& from) {
  std::vector<waiter> staying;
  waiters_.for_each(from, [&](waiter each) {
    if (!each.is_slot() || slots_[each.slot()].generation == each.generation())
      staying.push_back(each);
  });
  waiters_.take(from, [](waiter) {});
  for (const waiter each : staying) waiters_.add(from, each);
}

void table::end(std::uint32_t index, bool fails) {
  slot& ended = slots_[index];
  ended.fails = fails ? 1 : 0;
  const bool keeps_name = mutants::has(fault::used_generation) && index % 4 == 3;
  if (ended.used_for() != use::distant) ++self_.counters->events_ended;
  if (ended.used_for() != use::distant && !keeps_name) ++ended.generation;
  slots_.append(ended_, index);
  fetch_ahead(ended.waiting.first);
}

// Prefetches the slot of the first waiter, which `wake` uses a little later. The slot is often not
// in the cache, because nothing has touched the slot since the waiter was added.
void table::fetch_ahead(waiter first) const {
  if (!first.is_slot()) return;
  __builtin_prefetch(&slots_[first.slot()], 1);
}

// Waking is a loop and not a recursion, because chains of dependent events may be a million events
// long. After 4,096 ended events, the loop stops so that the PE can execute other messages. When
// the loop stops early, the PE sends itself a message, which later continues the loop by `go_on`.
void table::wake() {
  if (wakes_ || is_to_go_on_) return;
  wakes_ = true;
  try {
    for (int woken = 0; ended_.first != 0 && woken < k_most_at_once; ++woken)
      wake_waiters_of(slots_.pop(ended_));
    is_to_go_on_ = ended_.first != 0;
    if (is_to_go_on_) send_go_on(rank_);
  } catch (...) {  // the job must end, because some of the waiters are already woken
    memory::end_job(std::current_exception());
  }
  wakes_ = false;
}

void table::go_on() {
  is_to_go_on_ = false;
  wake();
}

void table::wake_waiters_of(std::uint32_t index) {
  const event_fault* const failed =
      slots_[index].fails != 0 ? faults_.find(name_of_ended(index)) : nullptr;
  std::uint64_t woken = 0;
  if (self_.recorder->trace) [[unlikely]]
    trace_waking(index);
  waiters_.take(slots_[index].waiting, [&](waiter each) {
    ++woken;
    switch (each.what()) {
    case waiter::kind::task:
      return self_.tasks->ready(each.suspended());
    case waiter::kind::pe:
      return send_ended(each.pe(), name_of_ended(index), failed);
    case waiter::kind::request:
      if (slots_[each.slot()].generation == each.generation())
        locks_->precondition_ended(each.slot(), failed);
      return;
    case waiter::kind::clock:
      each.noted() = self_.transport->now();
      return;
    case waiter::kind::outside:
      return tell_outside(name_of_ended(index), failed);
    default:
      return input_ended(each, failed);
    }
  });
  if (locks_) locks_->wait_for_holds();
  charge(work::waiter_woken, woken);
  slots_.give_back(index);
}

// In the trace, an arrow leads from the end of the event to each PE that waits for the event. The
// arrow ends at the time when the waiting tasks of the waiting PE become ready.
void table::trace_waking(std::uint32_t index) {
  using observe::traced;
  const std::uint64_t event = name_of_ended(index).word();
  bool wakes_tasks = false;
  waiters_.for_each(slots_[index].waiting, [&](waiter each) {
    if (each.what() == waiter::kind::pe)
      self_.recorder->note(traced::event_ended, each.pe(), event);
    wakes_tasks |= each.what() == waiter::kind::task;
  });
  if (!wakes_tasks) return;
  if (slots_[index].used_for() != use::distant)
    self_.recorder->note(traced::event_ended, rank_, event);
  self_.recorder->note(traced::event_heard, rank_, event);
}

name table::name_of_ended(std::uint32_t index) const {
  const slot& ended = slots_[index];
  return ended.used_for() == use::distant ? name::from_word(ended.place)
                                          : name(rank_, index, ended.generation - 1);
}

// Handles the end of one input of an event. If the generations of the slot and of `input` differ,
// the function does nothing: the event has already ended, and the slot may hold a newer event.
void table::input_ended(waiter input, const event_fault* failed) {
  slot& of = slots_[input.slot()];
  if (of.generation != input.generation()) return;
  const bool last = --of.inputs == 0 || mutants::has(fault::early_merge);
  const bool any = input.what() == waiter::kind::any_input;
  const name made(rank_, input.slot(), input.generation());
  if (failed == nullptr) {
    if (any) faults_.remove(made);
    if (any || last) end(input.slot(), false);
  } else if (of.used_for() == use::settled) {
    if (last) end(input.slot(), false);
  } else {
    faults_.add(made, *failed);
    if (!any || last) end(input.slot(), true);
  }
}

void table::subscribed(name own, int pe) {
  if (const std::uint32_t index = own_slot(own); index != 0) {
    add_waiter(index, waiter::of_pe(pe));
  } else {
    self_.recorder->note(observe::traced::event_ended, pe, own.word());
    send_ended(pe, own, fault_of(own));
  }
}

void table::heard(name distant) { hear(distant, false); }

void table::heard_fault(name distant, const event_fault& fault) {
  faults_.add(distant, fault);
  hear(distant, true);
}

void table::hear(name distant, bool fails) {
  place& of = places_.at(distant.place());
  of.known = std::max(of.known, distant.generation());
  end(take_from_pending(distant), fails);
  wake();
}

std::uint32_t table::take_from_pending(name distant) {
  std::uint32_t* link = &places_.at(distant.place()).pending;
  while (slots_[*link].place != distant.word()) link = &slots_[*link].inputs;
  const std::uint32_t index = *link;
  *link = slots_[index].inputs;
  return index;
}

}  // namespace atl::events
