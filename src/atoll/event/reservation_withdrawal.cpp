// This file withdraws requests for reservations that were not granted yet.
//
// A waiting PE usually does not know which PE is the owner, so the waiting PE cannot report a
// withdrawal. If a PE gets a reservation that it no longer needs, the PE passes the reservation on.
// While a reservation is shared, a waiting request for another mode blocks later requests that
// could share the reservation immediately. The owner sends a message (`send_bars`) to the PE whose
// request blocks later requests. If a PE has received this message and then withdraws its request,
// the PE reports the withdrawal to the owner.

#include "atoll/event/operations.hpp"
#include "atoll/event/reservation_messages.hpp"
#include "atoll/event/reservation_table.hpp"

#include <algorithm>

namespace atl::events {

// A request that still waits for its precondition is in no queue of a reservation. After the
// withdrawal, the waiter list of the precondition still contains the request. The entry in the
// waiter list is later ignored, because the entry contains an old generation of the slot.
void reservation_table::withdraw(std::uint32_t slot, site where) {
  lock& of = locks_[lock_of(slot)];
  const site asked = site::from_word(events_.slot_at(slot).place);
  const event_fault fault{withdrawn_failure("reservation asked for", asked, where), where, rank_};
  // If memory is exhausted, the next call throws, and the request still waits.
  events_.note_fault(slot, fault);
  const bool was_first = take_out(of, slot);
  holds_.erase(slot);
  events_.end_request(slot, &fault);
  serve(of);
  if (was_first) tell_change(of);
  events_.wake();
}

// Removes the request in `slot` from the queue of this PE's requests. The member `ahead` of a
// waiting PE counts the requests of this PE that came earlier. The function decreases `ahead` by
// one for each waiting PE that came later than the removed request. Returns true if the removed
// request was the first in the queue.
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

/// Reports to the owner that the first waiting request of this PE has changed, or that no request
/// waits any more. The message is sent only if this PE knows the owner. This PE knows the owner
/// after a message of `send_bars`, or if this PE shares the reservation.
void reservation_table::tell_change(const lock& of) {
  if (of.asked == 0 || (of.bars == 0 && of.leased == 0)) return;
  const name known = name::from_word(of.name);
  if (of.waiting.first == 0) return send_leave(of.towards, known);
  send_change(of.towards, known, mode_of(of.waiting.first));
}

/// Tells the first waiting PE, once, that its request blocks other requests. The message is sent if
/// the reservation is held in a shared mode and the first waiting PE wants another mode. The owner
/// sends the message even if it knows no blocked request, because the queue of the first waiting PE
/// can contain blocked requests.
void reservation_table::tell_who_bars(lock& of) {
  if (of.others == 0 || of.bars != 0 || !of.is_held() || of.mode == 0) return;
  const waiting_pe& first = queues_[of.others].front();
  if (first.mode == of.mode) return;
  of.bars = 1;
  send_bars(first.pe, name::from_word(of.name), first.mode);
}

// Handles the message of `send_bars` and stores the sender as the owner. The function does nothing
// if this PE no longer waits for the reservation.
void reservation_table::bars(name of, std::uint32_t mode, int owner) {
  lock& here = locks_[index_of(of, {})];
  if (here.asked == 0) return;
  here.bars = 1;
  here.towards = owner;
  if (here.waiting.first == 0 || mode_of(here.waiting.first) != mode) tell_change(here);
}

// If `leaves` is true, removes PE `who.pe` from the queue of waiting PEs. If `leaves` is false,
// records that PE `who.pe` now waits for the mode `who.mode`. If PE `who.pe` is not in the queue,
// the function does nothing, because PE `who.pe` was granted the reservation meanwhile.
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

/// Handles the owner's confirmation that this PE no longer waits. The function forwards requests of
/// other PEs that have come since the withdrawal, and asks again if requests of this PE wait.
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
