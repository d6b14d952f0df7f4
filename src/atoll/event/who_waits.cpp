// This file reports which tasks of a PE wait for which events, so that a program that hangs can be
// diagnosed. The reports are made from the waiter lists of the events, so a PE stores nothing else
// for the reports.

#include "atoll/event/reservation_table.hpp"
#include "atoll/event/table.hpp"
#include "atoll/transport/site_word.hpp"

#include <map>
#include <utility>

namespace atl::events {
namespace {

using observe::fact;

// Maximum number of entries of one kind that a PE adds to a report. The hang watch collects the
// reports, and each report has room for 400 entries of all kinds.
constexpr std::size_t k_most_told = 64;

}  // namespace

std::uint32_t table::own_slots_in_use() const {
  std::uint32_t used = 0;
  for (std::uint32_t i = 1; i < slots_.size(); ++i) {
    const use purpose = slots_[i].used_for();
    used += purpose != use::free && purpose != use::distant ? 1 : 0;
  }
  return used;
}

// Adds an entry to the report `into` for each event that has waiters. If no task waits for event A,
// but event B depends on event A, the final report shows A below B.
void table::tell_who_waits(std::vector<observe::finding>& into) const {
  std::size_t told = 0;
  for (std::uint32_t i = 1; i < slots_.size() && told < k_most_told; ++i) {
    const slot& awaited = slots_[i];
    if (awaited.used_for() == use::free || !awaited.waiting.first) continue;
    told += tell_waiters_of(i, into);
  }
  if (locks_) locks_->tell_who_waits(into);
}

std::size_t table::tell_waiters_of(std::uint32_t index, std::vector<observe::finding>& into) const {
  const slot& awaited = slots_[index];
  const bool own = awaited.used_for() != use::distant;
  const std::uint64_t word = own ? name(rank_, index, awaited.generation).word() : awaited.place;
  std::map<std::uint64_t, std::uint64_t> tasks;  // number of waiting tasks by source line
  std::size_t inputs = 0;
  waiters_.for_each(awaited.waiting, [&](waiter each) {
    if (each.what() == waiter::kind::task) {
      ++tasks[each.suspended().waiting_at.word()];
    } else if (each.is_slot() && inputs++ < k_most_told) {
      const name follower(rank_, each.slot(), each.generation());
      into.push_back({fact::follows, {}, {}, follower.word(), word});
    }
  });
  if (own) into.push_back({fact::event, site::from_word(awaited.place), {}, 1, word});
  for (const auto& [where, count] : tasks)
    into.push_back({fact::waits_event, site::from_word(where), {}, count, word});
  return 1 + inputs + tasks.size();
}

void reservation_table::tell_who_waits(std::vector<observe::finding>& into) const {
  std::size_t told = 0;
  for (std::uint32_t slot = 1; slot < events_.slots_ever() && told < k_most_told; ++slot)
    told += tell_request(slot, into);
  told = 0;
  for (const lock& each : locks_) {
    const bool is_waited_for =
        each.waiting.first != 0 || each.others != 0 || each.leases != 0 || each.leased != 0;
    if (each.holders == 0 || !is_waited_for) continue;
    if (told++ == k_most_told) return;
    into.push_back({fact::reservation, transport::site_of_word(each.made),
                    site::from_word(each.used), each.holders, each.name});
  }
}

std::size_t reservation_table::tell_request(std::uint32_t slot,
                                            std::vector<observe::finding>& into) const {
  if (events_.slot_at(slot).used_for() != use::requested) return 0;
  const bool releases = verb_of(slot) == verb::release;
  const std::uint64_t word = events_.name_of(slot).word();
  into.push_back(
      {releases ? fact::releases : fact::requests, {}, {}, word, locks_[lock_of(slot)].name});
  if (releases)
    into.push_back({fact::event, site::from_word(events_.slot_at(slot).place), {}, 1, word});
  return 1;
}

}  // namespace atl::events
