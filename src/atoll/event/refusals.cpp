// The functions of this file throw errors for events that were never made, belong to an ended job,
// or are triggered twice.

#include "atoll/event/name.hpp"
#include "atoll/event/table.hpp"
#include "atoll/transport/site_word.hpp"

namespace atl::events {

slot& table::user_slot(name ended, site where) {
  check_job(ended, "triggered", where);
  if (ended.slot() >= slots_.size()) refuse_unknown(ended, where);
  slot& of = slots_[ended.slot()];
  const bool is_open = of.used_for() == use::user || of.used_for() == use::operation;
  if (of.generation != ended.generation() || !is_open) [[unlikely]]
    refuse_second(ended, where);
  return of;
}

void table::refuse_unknown(name asked, site where) const {
  check_job(asked, "waited for", where);
  fail(errc::input,
       "an event of PE {} was asked for that it has not made in this job (slot {}, generation {})",
       asked.pe(), asked.slot(), asked.generation());
}

void table::refuse_ended_job(name asked, const char* used, site where) const {
  fail(errc::input, "{} is {} at {}", text_of_ended(asked, "event"), used, to_string(where));
}

// Remembers the events of this PE for errors in later jobs. If the program has triggered an event,
// the source line of the trigger is remembered. If the program has not triggered the event, the
// source line that made the event is remembered.
void table::keep_names_for_later_jobs() const noexcept {
  std::vector<kept_name> all;
  try {
    for (std::uint32_t i = 1; i < slots_.size() && all.size() < k_most_kept_of_pe; ++i) {
      const slot& each = slots_[i];
      if (each.used_for() == use::distant || each.place == 0) continue;
      const bool ended = each.used_for() == use::free;
      all.push_back({ended ? name_of_ended(i) : name_of(i),
                     ended && each.is_ended != 0 ? kept_kind::triggered_event : kept_kind::event,
                     transport::site_word(*self_.modules, site::from_word(each.place))});
    }
  } catch (const std::bad_alloc&) {
    return;
  }
  keep_names(std::move(all));
}

void table::refuse_second(name ended, site where) const {
  const slot& of = slots_[ended.slot()];
  const std::string place = to_string(site::from_word(of.place));
  const std::string second = to_string(where);
  if (of.generation == ended.generation() && of.used_for() == use::promised)
    fail(errc::input,
         "the event made at {} is to be triggered by trigger_when, and is triggered at {} too",
         place, second);
  if (of.generation <= ended.generation()) refuse_unknown(ended, where);
  if (of.generation == ended.generation() + 1 && of.used_for() == use::free && of.is_ended != 0)
    fail(errc::input, "the event triggered at {} is triggered at {} again", place, second);
  if (of.generation == ended.generation() + 1 && of.used_for() == use::free)
    fail(errc::input, "the event made at {} has triggered, and is triggered at {} again", place,
         second);
  fail(errc::input, "an event is triggered at {} that has triggered long ago", second);
}

}  // namespace atl::events
