// This file withdraws requests for reservations.
//
// A waiting PE does not know which PE keeps its place in the queue. If a PE gets the reservation
// after a withdrawal, it passes the reservation on. If a waiting request blocks requests that could
// share the hold, the owner tells this to the waiting PE. After such a message, a waiting PE
// reports withdrawals to the owner.

#include "atoll/event/operations.hpp"
#include "atoll/event/reservation_messages.hpp"
#include "atoll/event/reservation_table.hpp"

#include <algorithm>

namespace atl::events {

// A request that still waits for its precondition is in no queue. The entry of such a request among
// the waiters of the precondition contains the generation of the slot. After a withdrawal, the
// entry is therefore ignored.
void reservation_table::withdraw(std::uint32_t slot, site where) {
  lock& of = locks_[lock_of(slot)];
  const site asked = site::from_word(events_.slot_at(slot).place);
  const event_fault fault{withdrawn_failure("reservation asked for", asked, where), where, rank_};
  events_.note_fault(slot, fault);  // throws if there is no memory, and the request still waits
  const bool was_first = take_out(of, slot);
  holds_.erase(slot);
  events_.end_request(slot, &fault);
  serve(of);
  if (was_first) tell_change(of);
  events_.wake();
}

// Removes a request from the queue. For each waiting PE that came after the request, `ahead`
// decreases by one. Returns true if the request was the first one.
bool reservation_table::take_out(lock& of, std::uint32_t slot) {
  const bool was_first = of.waiting.first == slot;
  slot_queue staying;
  std::int32_t before = 0;
  bool found = false;
  for (std::uint32_t each = of.waiting.first; each != 0;) {
    const std::uint32_t next = events_.slot_at(each).waiting.next;
    found |= each == slot;
    before += found ? 0 : 1;
    if (each != slot) events_.append(staying, each);
    each = next;
  }
  of.waiting = staying;
  if (!found) return false;
  --of.come;
  if (of.others == 0 || !owns(of)) return was_first;
  for (waiting_pe& who : queues_[of.others])
    if (static_cast<std::int32_t>(who.ahead - of.served) > before) --who.ahead;
  return was_first;
}

/// Tells the owner that another request of this PE, or none, is now the first one. The message is
/// sent only if this PE knows the owner. This PE knows the owner if the owner has called
/// `send_bars` for it, or if this PE shares the reservation.
void reservation_table::tell_change(const lock& of) {
  if (of.asked == 0 || (of.bars == 0 && of.leased == 0)) return;
  const name known = name::from_word(of.name);
  if (of.waiting.first == 0) return send_leave(of.towards, known);
  send_change(of.towards, known, mode_of(of.waiting.first));
}

/// Tells the first waiting PE, once, that its request blocks requests for the mode in which the
/// reservation is held. PEs that want this mode may have asked the first waiting PE instead of the
/// owner.
void reservation_table::tell_who_bars(lock& of) {
  if (of.others == 0 || of.bars != 0 || !of.is_held() || of.mode == 0) return;
  const waiting_pe& first = queues_[of.others].front();
  if (first.mode == of.mode) return;
  of.bars = 1;
  send_bars(first.pe, name::from_word(of.name), first.mode);
}

// Records that the request of this PE blocks requests of other PEs, which could share the hold. If
// the reservation has already come by a faster message, there is nothing to do.
void reservation_table::bars(name of, std::uint32_t mode, int owner) {
  lock& here = locks_[index_of(of, {})];
  if (here.asked == 0) return;
  here.bars = 1;
  here.towards = owner;
  if (here.waiting.first == 0 || mode_of(here.waiting.first) != mode) tell_change(here);
}

// Changes or removes the request of a waiting PE. A PE that is not in the queue has got the
// reservation meanwhile.
void reservation_table::changed(name of, const waiting_pe& who, bool leaves) {
  lock& here = locks_[index_of(of, {})];
  if (!owns(here) || here.others == 0) return;
  pe_queue& queue = queues_[here.others];
  const auto found = std::ranges::find(queue, who.pe, &waiting_pe::pe);
  if (found == queue.end()) return;
  if (leaves) {
    take_pe(here, found);
    send_left(who.pe, of);
  } else {
    found->mode = who.mode;
  }
  serve(here);
  events_.wake();
}

/// Ends the wait of this PE. Requests that came meanwhile, of this PE and of others, are sent
/// again.
void reservation_table::left(name of, int owner) {
  lock& here = locks_[index_of(of, {})];
  here.asked = 0;
  here.bars = 0;
  here.towards = owner;
  for (const waiting_pe& each : take_queue(here)) pass_on(here, each);
  serve(here);
  events_.wake();
}

}  // namespace atl::events
