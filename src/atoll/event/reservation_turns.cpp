// This file decides the order in which a reservation is granted to requests of this PE and of other
// PEs. The owner of a reservation is the PE that grants it. If the reservation is held in a shared
// mode, the owner may give another PE a lease: the permission to share the reservation. The owner's
// requests may overtake a waiting PE, but at most as often as the setting `unfairness` allows.

#include "atoll/event/reservation_messages.hpp"
#include "atoll/event/reservation_table.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/transport/site_word.hpp"
#include "atoll/work.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace atl::events {

using mutants::fault;

/// Returns how many requests of this PE came later than the request of the waiting PE `who`, but
/// were granted earlier.
std::uint32_t reservation_table::overtaken(const lock& of, const waiting_pe& who) {
  return static_cast<std::uint32_t>(std::max(0, static_cast<std::int32_t>(of.served - who.ahead)));
}

std::uint32_t reservation_table::grants_of_lease() const {
  constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max() - 1;
  return static_cast<std::uint32_t>(std::min(unfairness_, k_most) + 1);
}

std::uint32_t reservation_table::more_than_first(const lock& leased) const {
  const std::uint32_t granted = grants_of_lease() - leased.leases;
  return granted == 0 ? 0 : granted - 1;
}

bool reservation_table::has_turn(const lock& of) const {
  if (of.others == 0 || unfairness_ == UINT64_MAX) return true;
  const waiting_pe& next = queues_[of.others].front();
  return static_cast<std::int32_t>(of.served - next.ahead) < static_cast<std::int64_t>(unfairness_);
}

bool reservation_table::may_have(const lock& of, std::uint32_t mode) const {
  if (mutants::has(fault::double_grant) && of.served % 16 == 7) return owns(of);
  if (owns(of)) return of.admits(mode) && has_turn(of);
  return of.leased != 0 && of.mode == mode && of.leases != 0;
}

bool reservation_table::grants_at_once(lock& of, std::uint32_t mode, std::uint64_t where) {
  if (of.waiting.first != 0 || !may_have(of, mode)) return false;
  ++of.come;
  count_grant(of, mode, where);
  return true;
}

void reservation_table::count_grant(lock& of, std::uint32_t mode, std::uint64_t where) {
  of.mode = mode;
  of.used = where;
  ++of.holders;
  ++of.served;
  ++counted_.grants;
  charge(work::reservation_granted, 1);
  if (of.leased != 0) --of.leases;
  if (of.others != 0 && owns(of))
    counted_.most_overtaken =
        std::max<std::uint64_t>(counted_.most_overtaken, overtaken(of, queues_[of.others].front()));
}

void reservation_table::wait_in_turn(std::uint32_t index, std::uint32_t slot) {
  lock& of = locks_[index];
  events_.append(of.waiting, slot);
  ++of.come;
  if (verb_of(slot) == verb::destroy) of.dies = 1;
  serve(of);
}

void reservation_table::grant_first(lock& of) {
  const std::uint32_t slot = events_.pop(of.waiting);
  if (verb_of(slot) == verb::destroy)
    retire(of);
  else
    count_grant(of, mode_of(slot), events_.slot_at(slot).place);
  events_.end_request(slot, nullptr);
}

void reservation_table::retire(lock& of) {
  const name known = name::from_word(of.name);
  of = {};
  of.name = known.word();
  of.towards = k_free;
  if (known.generation() != last_generation(this_pe().job)) free_.push_back(known.slot());
}

void reservation_table::serve(lock& of) {
  if (owns(of))
    serve_as_owner(of);
  else if (of.leased != 0)
    serve_leased(of);
  else if (of.asked == 0 && of.waiting.first != 0)
    ask(of, mode_of(of.waiting.first));
}

void reservation_table::serve_as_owner(lock& of) {
  while (owns(of)) {
    const bool goes_on = of.waiting.first != 0 && has_turn(of)
                             ? serve_first(of)
                             : of.others != 0 && serve_next_pe(of);
    if (!goes_on) return tell_who_bars(of);
  }
}

/// Serves the first request of this PE. If the first request is to destroy the reservation, the
/// request is moved behind all other requests. Returns false if the first request must wait.
bool reservation_table::serve_first(lock& of) {
  const std::uint32_t slot = of.waiting.first;
  if (!of.admits(mode_of(slot))) return false;
  const bool is_last = slot == of.waiting.last;
  if (verb_of(slot) == verb::destroy && !is_last)
    events_.append(of.waiting, events_.pop(of.waiting));
  else if (verb_of(slot) == verb::destroy && of.others != 0)
    return serve_next_pe(of);
  else
    grant_first(of);
  return true;
}

/// Grants the reservation to the first PE in the queue of waiting PEs. Returns false if the first
/// PE in the queue must still wait.
bool reservation_table::serve_next_pe(lock& of) {
  const waiting_pe next = queues_[of.others].front();
  if (!of.admits(next.mode)) return false;
  take_first_pe(of);
  if (!of.is_held()) {
    give(of, next.pe);
  } else {
    ++of.leases;
    ++counted_.leases;
    send_lease(next.pe, name::from_word(of.name), of.made, of.mode);
  }
  return true;
}

/// Makes PE `pe` the owner of the reservation. If requests of this PE still wait, this PE is queued
/// at the new owner behind the other waiting PEs.
void reservation_table::give(lock& of, int pe) {
  pe_queue waiting = take_queue(of);
  for (waiting_pe& each : waiting) each.ahead = overtaken(of, each);
  if (of.waiting.first != 0) waiting.push_back({rank_, mode_of(of.waiting.first), 0});
  of.asked = of.waiting.first != 0 ? 1 : 0;
  hand_over(of, pe);
  const std::size_t most = most_in_ownership();
  const auto sent = std::span(waiting).first(std::min(most, waiting.size()));
  send_ownership(pe, name::from_word(of.name), of.made, sent);
  for (const waiting_pe& each : std::span(waiting).subspan(sent.size()))
    send_ask(pe, name::from_word(of.name), each);
}

void reservation_table::hand_over(lock& of, int pe) {
  of.towards = pe;
  ++counted_.migrations;
  ++this_pe().counters->reservations_migrated;
}

void reservation_table::given(name of, std::uint64_t made, std::span<const waiting_pe> waiting) {
  lock& here = locks_[index_of(of, {})];
  const pe_queue asked_here = take_queue(here);
  own(here, made);
  queue_behind_first(here, waiting);
  queue_behind_first(here, asked_here);
  serve(here);
  events_.wake();
}

/// Adds the waiting PEs `all` to the queue, behind the first request of this PE. In each entry of
/// `all`, `ahead` is the number of requests that have overtaken the PE of the entry.
void reservation_table::queue_behind_first(lock& of, std::span<const waiting_pe> all) {
  const std::uint32_t first_is_next = of.waiting.first != 0 ? 1 : 0;
  for (const waiting_pe& each : all)
    queue_pe(of, {each.pe, each.mode, of.served + first_is_next - each.ahead});
}

void reservation_table::own(lock& of, std::uint64_t made) {
  of.asked = 0;
  of.bars = 0;
  of.made = made;
  of.towards = rank_;
}

// Asks for the reservation: sends a request to a PE that is nearer to the owner. While a
// `try_acquire` of this PE is unanswered, nothing is sent, because the answer may make this PE the
// owner.
void reservation_table::ask(lock& of, std::uint32_t mode) {
  if (of.tries != 0) return;
  of.asked = 1;
  send_ask(of.towards, name::from_word(of.name), {rank_, mode, 0});
}

void reservation_table::asked(name of, waiting_pe who) {
  if (!knows(of))
    fail(errc::input, "PE {} asks for a reservation of PE {} that was destroyed", who.pe, of.pe());
  lock& here = locks_[index_of(of, {})];
  if (owns(here)) {
    who.ahead = here.come;
    queue_pe(here, who);
    serve(here);
    events_.wake();
  } else if (here.asked != 0 || here.tries != 0) {
    queue_pe(here, who);
  } else {
    pass_on(here, who);
  }
}

void reservation_table::pass_on(lock& of, const waiting_pe& who) {
  send_ask(of.towards, name::from_word(of.name), who);
  if (of.leased == 0) of.towards = who.pe;
}

void reservation_table::lent(name of, std::uint64_t made, std::uint32_t mode, int owner) {
  lock& held = locks_[index_of(of, {})];
  held.asked = 0;
  held.bars = 0;
  lease(held, made, mode, owner);
  serve(held);
  events_.wake();
}

void reservation_table::lease(lock& of, std::uint64_t made, std::uint32_t mode, int owner) {
  const name known = name::from_word(of.name);
  // Gives the old lease back to its owner.
  if (of.leased != 0) send_return(owner, known, more_than_first(of));
  of.leased = 1;
  of.made = made;
  of.mode = mode;
  of.towards = owner;
  of.leases = grants_of_lease();
  for (const waiting_pe& each : take_queue(of)) send_ask(owner, known, each);
}

// Serves requests of this PE that may share the reservation under a lease. A lease permits a
// limited number of grants. After the last grant of a lease, this PE at once asks the owner for a
// new lease. Asking only after all holders have released the reservation could cause a deadlock:
// the holders may wait for tasks that still need the reservation. The request for a new lease waits
// in the owner's queue like any other request.
void reservation_table::serve_leased(lock& of) {
  while (of.waiting.first != 0 && of.leases != 0 && mode_of(of.waiting.first) == of.mode)
    grant_first(of);
  if (of.holders == 0) {
    const std::uint32_t more = more_than_first(of);
    of.leased = 0;
    of.leases = 0;
    send_return(of.towards, name::from_word(of.name), more);
  }
  const bool waits = of.waiting.first != 0 && of.asked == 0;
  if (waits && (of.leased == 0 || mode_of(of.waiting.first) == of.mode))
    ask(of, mode_of(of.waiting.first));
}

// Ends a lease that another PE returns. The owner does not know which requests under the lease came
// before the request of the first waiting PE. The statistics therefore assume that all grants under
// the lease except the first have overtaken the first waiting PE.
void reservation_table::returned(name of, std::uint32_t more) {
  lock& own = locks_[index_of(of, {})];
  if (own.others != 0 && !own.admits(queues_[own.others].front().mode))
    counted_.most_overtaken = std::max<std::uint64_t>(counted_.most_overtaken, more);
  --own.leases;
  serve(own);
  events_.wake();
}

void reservation_table::queue_pe(lock& of, const waiting_pe& who) {
  if (of.others == 0 && free_queues_.empty()) {
    const std::size_t number = queues_.size();
    queues_.emplace_back(account_);
    free_queues_.reserve(queues_.capacity());  // `take_queue` must not fail for lack of memory
    of.others = static_cast<std::uint32_t>(number);
  } else if (of.others == 0) {
    of.others = free_queues_.back();
    free_queues_.pop_back();
  }
  queues_[of.others].push_back(who);
}

void reservation_table::take_first_pe(lock& of) { take_pe(of, queues_[of.others].begin()); }

void reservation_table::take_pe(lock& of, pe_queue::iterator taken) {
  pe_queue& queue = queues_[of.others];
  if (taken == queue.begin()) of.bars = 0;
  queue.erase(taken);
  if (queue.empty()) take_queue(of);
}

reservation_table::pe_queue reservation_table::take_queue(lock& of) {
  if (of.others == 0) return pe_queue(account_);
  of.bars = 0;
  free_queues_.push_back(of.others);
  return std::exchange(queues_[std::exchange(of.others, 0)], pe_queue(account_));
}

}  // namespace atl::events
