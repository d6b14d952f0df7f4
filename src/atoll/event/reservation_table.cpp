#include "atoll/event/reservation_table.hpp"

#include "atoll/base/charged.hpp"
#include "atoll/base/mutants.hpp"
#include "atoll/event/name.hpp"
#include "atoll/event/reservation_messages.hpp"
#include "atoll/transport/site_word.hpp"

#include <utility>

namespace atl::events {
namespace {

constexpr const char* k_destroyed = "waited for a reservation that was destroyed meanwhile";

}  // namespace

reservation_table::reservation_table(table& of, pe& self)
    : events_(of),
      rank_(self.rank),
      unfairness_(self.options->unfairness < k_without_bound ? self.options->unfairness
                                                             : UINT64_MAX),
      account_(*self.account),
      locks_(1),
      free_(account_),
      distant_(account_),
      modes_(account_),
      holds_(account_),
      queues_(account_),
      free_queues_(account_) {
  queues_.emplace_back(account_);
}

reservation_table::~reservation_table() {
  account_.release(charged_);
  keep_names_for_later_jobs();
}

void reservation_table::keep_names_for_later_jobs() const noexcept {
  std::vector<kept_name> all;
  try {
    for (const lock& each : locks_)
      if (name::from_word(each.name).pe() == rank_ && each.made != 0 &&
          all.size() < k_most_kept_of_pe)
        all.push_back({name::from_word(each.name), kept_kind::reservation, each.made});
  } catch (const std::bad_alloc&) {
    return;
  }
  keep_names(std::move(all));
}

name reservation_table::make(site where) {
  // The entry of a destroyed reservation is not reused for a while. Until the entry is reused, the
  // PE can report an error if the program uses the destroyed reservation.
  const bool again = free_.size() > k_least_free;
  const std::uint32_t index = again ? free_.front() : add();
  if (again) free_.pop_front();
  lock& made = locks_[index];
  const name last = name::from_word(made.name);
  const std::uint32_t next = again ? last.generation() + 1 : events_.first_generation_of_job();
  made.name = name(rank_, index, next).word();
  made.made = transport::site_word(*this_pe().modules, where);
  made.towards = rank_;
  return name::from_word(made.name);
}

std::uint32_t reservation_table::add() {
  if (locks_.size() == locks_.capacity()) {
    const std::size_t larger = std::max<std::size_t>(64, 2 * locks_.capacity());
    grow_charged(account_, charged_, larger * sizeof(lock), [&] { locks_.reserve(larger); });
    charged_ = larger * sizeof(lock);
  }
  if (locks_.size() == k_most_slots)
    fail(errc::out_of_memory, "a PE can know {} reservations, and knows them", k_most_slots);
  locks_.emplace_back();
  return static_cast<std::uint32_t>(locks_.size() - 1);
}

std::uint32_t reservation_table::index_of(name of, site where) {
  if (!knows(of)) [[unlikely]]
    refuse_unknown(of, where);
  return of.pe() == rank_ ? of.slot() : index_of_distant(of, where);
}

std::uint32_t reservation_table::index_of_distant(name of, site where) {
  place* known = &distant_.at(of.place());
  if (known->known == of.generation()) [[likely]]
    return known->pending;
  const bool is_old = of.is_of_other_job_than(events_.first_generation_of_job());
  if (known->known > of.generation() || is_old) refuse_unknown(of, where);
  const std::uint32_t index = known->pending != 0 ? known->pending : add();
  locks_[index] = {};
  locks_[index].name = of.word();
  locks_[index].towards = of.pe();
  known->known = of.generation();
  known->pending = index;
  return index;
}

void reservation_table::refuse_unknown(name of, site where) const {
  if (of.is_of_other_job_than(events_.first_generation_of_job()))
    fail(errc::input, "{} is used at {}", text_of_ended(of, "reservation"), to_string(where));
  fail(
      errc::input,
      "{} uses a reservation of PE {} that was destroyed, or never made (number {}, generation {})",
      to_string(where), of.pe(), of.slot(), of.generation());
}

// The slot of the event stores the kind of a request and the index of its reservation. A shared
// mode is stored in a separate list, because most requests have no shared mode.
std::uint32_t reservation_table::request(std::uint32_t index, verb what, std::uint32_t mode,
                                         site where) {
  const std::uint32_t slot = events_.make(use::requested, where).slot();
  if (mode != 0 && slot >= modes_.size()) modes_.resize(std::size_t{2} * slot);
  if (mode != 0) modes_[slot] = mode;
  events_.slot_at(slot).inputs = index << k_index_shift |
                                 last_bits_of(locks_[index]) << k_verb_bits |
                                 static_cast<std::uint32_t>(what);
  return slot;
}

event reservation_table::acquire(name of, event precondition, std::uint32_t mode, site where) {
  const std::uint32_t index = index_of(of, where);
  const verb what = mode == 0 ? verb::acquire : verb::acquire_shared;
  const std::uint32_t awaited = events_.slot_to_wait_at(precondition.name(), where);
  if (awaited == 0 && events_.fault_of(precondition.name()) != nullptr) return precondition;
  if (awaited == 0 && grants_at_once(locks_[index], mode, where.word())) return event::none;
  const std::uint32_t slot = request(index, what, mode, where);
  const event result(events_.name_of(slot));
  if (awaited != 0) {
    events_.wait_for(awaited, slot);
  } else {
    wait_in_turn(index, slot);
    events_.wake();
  }
  return result;
}

event reservation_table::release(name of, event precondition, event held, site where) {
  const std::uint32_t index = index_of(of, where);
  check_hold(held.name(), where);
  const std::uint32_t awaited = events_.slot_to_wait_at(precondition.name(), where);
  if (awaited != 0) {
    const std::uint32_t slot = request(index, verb::release, 0, where);
    if (held != event::none) holds_.insert_or_assign(slot, hold{held.name()});
    events_.wait_for(awaited, slot);
    return event(events_.name_of(slot));
  }
  if (!events_.is_known(held.name()))
    return release_after(index, precondition.name(), held.name(), where);
  if (events_.fault_of(held.name()) != nullptr) return held;
  release_now(index, where);
  events_.wake();
  return precondition;
}

// Makes a release wait until its acquisition `held` is granted. The caller calls this function only
// after the precondition of the release has ended. If the precondition has failed, its error is
// kept until the acquisition is granted.
event reservation_table::release_after(std::uint32_t index, name precondition, name held,
                                       site where) {
  const std::uint32_t slot = request(index, verb::release, 0, where);
  hold& of = holds_.insert_or_assign(slot, hold{held}).first->second;
  if (const event_fault* const fault = events_.fault_of(precondition)) of.fault = *fault;
  wait_for_hold(slot);
  return event(events_.name_of(slot));
}

// Checks that this PE has made the acquisition `held`, which a release is about to end. Without the
// check, a release with a wrong argument could end the acquisition of another task. A failed event
// of another PE is accepted as `held`, because `acquire` returns the event of its precondition if
// the precondition has failed.
void reservation_table::check_hold(name held, site where) const {
  events_.check_job(held, "waited for", where);
  // The function `is_known` throws an error if this PE never made the event `held`.
  if (held.pe() == rank_) return void(events_.is_known(held));
  if (held == name() || events_.fault_of(held) != nullptr) return;
  fail(errc::input,
       "{} releases on PE {} a reservation that PE {} has acquired; the PE that has acquired it "
       "releases it",
       to_string(where), rank_, held.pe());
}

void reservation_table::destroy(name own, event precondition, site where) {
  const std::uint32_t index = index_of(own, where);
  const std::uint32_t awaited = events_.slot_to_wait_at(precondition.name(), where);
  const std::uint32_t slot = request(index, verb::destroy, 0, where);
  if (awaited != 0) return events_.wait_for(awaited, slot);
  precondition_ended(slot, events_.fault_of(precondition.name()));
  events_.wake();
}

void reservation_table::precondition_ended(std::uint32_t slot, const event_fault* fault) {
  const std::uint32_t index = lock_of(slot);
  if (verb_of(slot) == verb::release) {
    release_in_turn(slot, fault);
  } else if (is_of_another(slot)) {
    fail_request(slot, k_destroyed);
  } else if (fault != nullptr) {
    events_.end_request(slot, fault);
  } else if (verb_of(slot) == verb::destroy && locks_[index].dies != 0) {
    fail_request(slot, "destroys a reservation a second time");
  } else {
    wait_in_turn(index, slot);
  }
}

void reservation_table::fail_request(std::uint32_t slot, const char* why) {
  const site where = site::from_word(events_.slot_at(slot).place);
  const event_fault refused{
      std::make_exception_ptr(error(errc::input, fmt::format("{} {}", to_string(where), why))),
      where, rank_};
  events_.end_request(slot, &refused);
}

// Executes a release, or makes the release wait until its acquisition is granted. Even if the
// precondition of a release has failed, the release waits for the acquisition.
void reservation_table::release_in_turn(std::uint32_t slot, const event_fault* fault) {
  const auto found = holds_.find(slot);
  if (found == holds_.end()) return release_or_fail(slot, fault);
  hold& of = found->second;
  if (!events_.is_known(of.held) && !mutants::has(mutants::fault::early_release)) {
    if (fault != nullptr) of.fault = *fault;
    return events_.append(early_, slot);
  }
  const hold belongs = std::move(of);
  holds_.erase(found);
  if (const event_fault* const not_held = events_.fault_of(belongs.held))
    return events_.end_request(slot, not_held);
  release_or_fail(slot, belongs.fault ? &*belongs.fault : fault);
}

void reservation_table::wait_for_hold(std::uint32_t slot) {
  const site where = site::from_word(events_.slot_at(slot).place);
  const std::uint32_t awaited = events_.slot_to_wait_at(holds_.find(slot)->second.held, where);
  if (awaited != 0) return events_.wait_for(awaited, slot);
  release_in_turn(slot, nullptr);
}

void reservation_table::release_or_fail(std::uint32_t slot, const event_fault* fault) {
  if (is_of_another(slot)) return fail_request(slot, k_destroyed);
  const site where = site::from_word(events_.slot_at(slot).place);
  try {
    release_now(lock_of(slot), where);
    events_.end_request(slot, fault);
  } catch (const error&) {
    const event_fault refused{std::current_exception(), where, rank_};
    events_.end_request(slot, &refused);
  }
}

void reservation_table::release_now(std::uint32_t index, site where) {
  lock& of = locks_[index];
  if (of.holders == 0) refuse_release(of, where);
  --of.holders;
  of.used = where.word();
  if (of.holders == 0) serve(of);
}

void reservation_table::refuse_release(const lock& of, site where) const {
  const std::string last = of.used == 0 ? "it was never held here"
                                        : fmt::format("it was held here last at {}",
                                                      to_string(site::from_word(of.used)));
  fail(errc::input, "{} releases a reservation that PE {} does not hold, made at {} on PE {}: {}",
       to_string(where), rank_, to_string(transport::site_of_word(of.made)),
       name::from_word(of.name).pe(), last);
}

}  // namespace atl::events
