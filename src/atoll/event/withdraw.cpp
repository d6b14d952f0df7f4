#include "atoll/event.hpp"

#include "atoll/delegates.hpp"
#include "atoll/event/messages.hpp"
#include "atoll/event/operations.hpp"
#include "atoll/event/reservation_table.hpp"
#include "atoll/event/table.hpp"
#include "atoll/loops.hpp"

namespace atl {
namespace events {

int table::withdraw(name made, site where) {
  const std::uint32_t index = own_slot(made);
  if (index == 0) return k_too_late;
  slot& of = slots_[index];
  if (of.used_for() == use::operation) return static_cast<int>(of.inputs);
  const site place = site::from_word(of.place);
  if (of.used_for() == use::requested) {
    locks_->withdraw(index, where);
  } else if (of.used_for() == use::promised) {
    faults_.add(made, {withdrawn_failure("event made", place, where), where, rank_});
    of.place = where.word();
    of.is_ended = 1;
    end(index, true);
    wake();
  } else if (of.used_for() == use::user) {
    return k_not_promised;
  } else {
    refuse_withdrawal(made, where);
  }
  return k_withdrawn;
}

void table::refuse_withdrawal(name made, site where) const {
  fail(errc::input, "the event made at {} is not that of an operation, and is withdrawn at {}",
       to_string(site::from_word(slots_[made.slot()].place)), to_string(where));
}

operations& table::held_operations() {
  if (!operations_) operations_ = std::make_unique<operations>(*this, self_);
  return *operations_;
}

std::uint32_t table::slot_awaited(name awaited) const {
  if (awaited.pe() == rank_) return awaited == name() ? 0 : own_slot(awaited);
  const place* const of = places_.look(awaited.place());
  std::uint32_t index = of != nullptr ? of->pending : 0;
  while (index != 0 && slots_[index].place != awaited.word()) index = slots_[index].inputs;
  return index;
}

bool table::remove_waiter(name awaited, waiter removed) {
  const std::uint32_t index = slot_awaited(awaited);
  if (index == 0 || !waiters_.remove(slots_[index].waiting, removed)) return false;
  slot& of = slots_[index];
  const bool is_idle = of.used_for() == use::distant && !of.waiting.first && of.stays == 0;
  if (is_idle && of.leaves == 0) {
    of.leaves = 1;
    send_unsubscription(awaited);
  }
  return true;
}

void table::unsubscribed(name own, int pe) {
  const std::uint32_t index = own_slot(own);
  if (index == 0) return;  // this PE has already sent the message that the event has ended
  waiters_.remove(slots_[index].waiting, waiter::of_pe(pe));
  send_forgotten(pe, own);
}

// Handles the message by which PE `distant.pe()` confirms that this PE is no longer subscribed to
// the event `distant`. If a task of this PE waits for the event again, this PE subscribes again.
void table::forgotten(name distant) {
  const std::uint32_t index = slot_awaited(distant);
  slot& of = slots_[index];
  of.leaves = 0;
  if (of.waiting.first || of.stays != 0) return send_subscription(distant);
  take_from_pending(distant);
  slots_.give_back(index);
}

}  // namespace events

namespace {

using events::table;

/// Asks the PE that made the event `result` to withdraw the operation of the event. If the asked PE
/// knows of no `trigger_when` for a user event, a message of `trigger_when` from any PE may still
/// be in flight. After the answer `k_not_promised`, the function waits until all messages of
/// `trigger_when` have been executed, and asks again.
task<int> ask_home(event result, site where) {
  const transport::travelling_site from(where);
  const auto ask = [name = result.name(), from] { return table::here().withdraw(name, from); };
  const int first = co_await call(result.pe(), ask, where);
  if (first != table::k_not_promised) co_return first;
  const auto behind_all = [home = result.pe(), from] { events::send_nothing(home, from); };
  co_await on_all_pes(behind_all, where);
  const auto ask_again = [name = result.name(), from] {
    const int answer = table::here().withdraw(name, from);
    if (answer == table::k_not_promised) table::here().refuse_withdrawal(name, from);
    return answer;
  };
  co_return co_await call(result.pe(), ask_again, where);
}

}  // namespace

task<bool> withdraw(event result, site where) {
  if (result.name().generation() == 0) co_return false;
  table::here().check_job(result.name(), "withdrawn", where);
  const transport::travelling_site from(where);
  const int holder = co_await ask_home(result, where);
  if (holder < 0) co_return holder == table::k_withdrawn;
  const auto ask_holder = [name = result.name(), from] {
    return table::here().held_operations().withdraw(name, from);
  };
  const events::withdrawal done = co_await call(holder, ask_holder, where);
  if (done != events::withdrawal::not_here) co_return done == events::withdrawal::withdrawn;
  co_await result.settled();
  const auto ask_again = [name = result.name()] {
    return table::here().held_operations().was_withdrawn(name);
  };
  co_return co_await call(holder, ask_again, where);
}

}  // namespace atl
