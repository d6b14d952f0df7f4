// Requests for reservations that are not to be granted any more.

#include "atoll/event/lock_table.hpp"
#include "atoll/event/operations.hpp"

namespace atl::events {

// One that waits for its precondition is in no queue; its word among the waiters there says which
// generation of the slot was meant.
void lock_table::withdraw(std::uint32_t slot, site where) {
  lock& of = locks_[lock_of(slot)];
  const site asked = site::from_word(events_.slot_at(slot).place);
  const event_fault fault{withdrawn_failure("reservation asked for", asked, where), where, rank_};
  events_.note_fault(slot, fault);  // no memory for it: the request goes on waiting
  take_out(of, slot);
  held_.erase(slot);
  events_.end_request(slot, &fault);
  serve(of);
  events_.wake();
}

// Nobody has waited for it: who came later has one request less before it.
void lock_table::take_out(lock& of, std::uint32_t slot) {
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
  if (!found) return;
  --of.come;
  if (of.others == 0 || !owns(of)) return;
  for (waiting_pe& who : queues_[of.others])
    if (static_cast<std::int32_t>(who.ahead - of.served) > before) --who.ahead;
}

}  // namespace atl::events
