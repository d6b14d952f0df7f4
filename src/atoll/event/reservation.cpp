// This file implements `try_acquire` for reservations. A try succeeds only if the reservation is
// available at once, and never waits in a queue.
//
// The trying PE asks one PE after the other until it reaches the owner. If an asked PE itself waits
// for the reservation, it refuses the try. If an asked PE is not the owner and does not wait
// itself, it answers with a PE that is nearer to the owner. If a PE forwards a request of `acquire`
// and does not share the reservation, it forwards later requests to the requesting PE
// (`lock::towards`). A PE that is not the owner answers a try without storing the trying PE,
// because the try may fail. While the trying PE waits for an answer, it queues the requests that
// other PEs send it. After the last answer, the trying PE serves the queued requests if it is now
// the owner, and otherwise forwards them.

#include "atoll/delegates.hpp"

#include "atoll/event.hpp"
#include "atoll/event/reservation_messages.hpp"
#include "atoll/event/reservation_table.hpp"

#include <algorithm>

namespace atl::events {

std::optional<bool> reservation_table::try_here(name of, std::uint32_t mode, site where) {
  lock& here = locks_[index_of(of, where)];
  if (grants_at_once(here, mode, where.word())) return true;
  const bool held_otherwise = here.leased != 0 && here.mode != mode;
  const bool is_known = owns(here) || here.asked != 0 || here.waiting.first != 0 || held_otherwise;
  if (is_known) return false;
  return {};
}

std::optional<int> reservation_table::begin_try(name of, site where) {
  lock& here = locks_[index_of(of, where)];
  if (here.tries == lock::k_most_tries) return {};
  ++here.tries;
  return int{here.towards};
}

try_answer reservation_table::tried(name of, std::uint32_t mode, int by) {
  if (!knows(of))
    fail(errc::input, "PE {} tries to acquire a reservation of PE {} that was destroyed", by,
         of.pe());
  lock& here = locks_[index_of(of, {})];
  if (here.asked != 0) return {};
  if (!owns(here)) return {try_result::elsewhere, here.towards, 0};
  if (here.waiting.first != 0 || here.others != 0 || !here.admits(mode)) return {};
  if (!here.is_held()) {
    hand_over(here, by);
    return {try_result::owned, 0, here.made};
  }
  ++here.leases;
  ++counted_.leases;
  return {try_result::lent, rank_, here.made};
}

// The function allocates no memory, because it must not fail. The PE that sent `answer` has already
// given the reservation to this PE, and an error could not undo the transfer.
bool reservation_table::end_try(name of, const try_answer& answer, std::uint32_t mode, site where) {
  lock& here = locks_[index_of(of, where)];
  if (answer.result == try_result::owned) {
    own(here, answer.made);
    ++here.come;
    const std::uint32_t first = here.served + 1 + (here.waiting.first != 0 ? 1 : 0);
    for (waiting_pe& each : queues_[here.others]) each.ahead = first - each.ahead;
    count_grant(here, mode, where.word());
  } else if (answer.result == try_result::lent) {
    lease(here, answer.made, mode, answer.pe);
    ++here.come;
    count_grant(here, mode, where.word());
  }
  give_up_try(of);
  return answer.result != try_result::refused;
}

/// Ends a `try_acquire` of this PE. Serves or forwards the requests that other PEs have sent to
/// this PE during the try.
void reservation_table::give_up_try(name of) {
  if (!knows(of)) return;
  lock& here = locks_[index_of(of, {})];
  --here.tries;
  if (here.tries == 0 && !owns(here) && here.asked == 0)
    for (const waiting_pe& each : take_queue(here)) pass_on(here, each);
  serve(here);
  events_.wake();
}

namespace {

/// Asks PE `first`, and then each PE that an answer names. Returns the first answer with a result
/// other than `elsewhere`. If an answer names this PE, the owner of the reservation has changed,
/// and the function returns nothing.
task<std::optional<try_answer>> ask_along(int first, name of, std::uint32_t mode, site where) {
  const auto ask = [of, mode, by = my_pe()] {
    return reservation_table::here().tried(of, mode, by);
  };
  try_answer answer{try_result::elsewhere, first, 0};
  while (answer.result == try_result::elsewhere && answer.pe != my_pe())
    answer = co_await call(answer.pe, ask, where);
  if (answer.result == try_result::elsewhere) co_return std::nullopt;
  co_return answer;
}

}  // namespace

task<bool> try_acquire(name of, std::uint32_t mode, site where) {
  reservation_table& here = reservation_table::here();
  for (;;) {
    if (const std::optional<bool> known = here.try_here(of, mode, where)) co_return *known;
    const std::optional<int> next = here.begin_try(of, where);
    if (!next) {
      co_await yield(where);
      continue;
    }
    std::optional<try_answer> answer;
    try {
      answer = co_await ask_along(*next, of, mode, where);
    } catch (...) {
      here.give_up_try(of);
      throw;
    }
    if (answer) co_return here.end_try(of, *answer, mode, where);
    here.give_up_try(of);
  }
}

}  // namespace atl::events

namespace atl {

using events::reservation_table;

void reservation_mode::refuse_number(site where) {
  fail(errc::input, "{}: the number of a shared mode is below {}", to_string(where), UINT32_MAX);
}

event reservation::acquire(event precondition, reservation_mode mode, site where) const {
  return reservation_table::here().acquire(name_, precondition, mode.word(), where);
}

task<bool> reservation::try_acquire(reservation_mode mode, site where) const {
  return events::try_acquire(name_, mode.word(), where);
}

event reservation::release(event precondition, event held, site where) const {
  return reservation_table::here().release(name_, precondition, held, where);
}

void reservation::destroy(event precondition, site where) const {
  const auto at_home = [of = name_, precondition, from = transport::travelling_site(where)] {
    reservation_table::here().destroy(of, precondition, from);
  };
  if (pe() == my_pe()) return at_home();
  reservation_table::here().check_job(name_, where);
  async_call(pe(), at_home, where);
}

reservation make_reservation(site where) {
  return reservation(reservation_table::here().make(where));
}

void reservation_statistics::add(const reservation_statistics& other) {
  grants += other.grants;
  migrations += other.migrations;
  leases += other.leases;
  most_overtaken = std::max(most_overtaken, other.most_overtaken);
}

reservation_statistics local_reservation_statistics() {
  return reservation_table::here().statistics();
}

}  // namespace atl
