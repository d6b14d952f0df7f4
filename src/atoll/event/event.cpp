#include "atoll/event.hpp"

#include "atoll/deferred.hpp"
#include "atoll/event/messages.hpp"
#include "atoll/event/table.hpp"

#include <utility>

namespace atl {
namespace events {

bool has_ended(name asked, site where) { return table::here().has_ended(asked, where); }
bool is_known(name asked) { return table::here().is_known(asked); }
const event_fault* fault_of(name asked) { return table::here().fault_of(asked); }
void subscribe(name asked, site where) { table::here().subscribe(asked, where); }

void make_ready_after(name awaited, tasks::frame& suspended) {
  table::here().make_ready_after(awaited, suspended);
}

void note_end(name awaited, transport::nanoseconds* at) {
  if (at == nullptr) return;
  try {
    table::here().note_end(awaited, *at);
  } catch (const error&) {  // an error is ignored, because the time is only for statistics
  }
}

const event_fault* ending::resumed() {
  if (worker_ != nullptr) this_pe().tasks->take_place(*worker_);
  return fault_of(awaited_);
}

void ending::await_resume() {
  if (const event_fault* const failed = resumed()) std::rethrow_exception(failed->failure);
}

std::optional<event_fault> settled_ending::await_resume() {
  const event_fault* const failed = resumed();
  return failed != nullptr ? std::optional(*failed) : std::nullopt;
}

}  // namespace events

user_event make_user_event(site where) {
  return user_event(events::table::here().make(events::use::user, where));
}

void user_event::trigger(site where) const {
  if (pe() == my_pe()) return events::table::here().trigger(name(), where);
  events::table::here().check_job(name(), "triggered", where);
  events::send_trigger(name(), where);
}

void user_event::poison(std::exception_ptr failure, site where) const {
  const event_fault fault{std::move(failure), where, my_pe()};
  if (pe() == my_pe()) return events::table::here().poison(name(), fault, where);
  events::table::here().check_job(name(), "triggered", where);
  events::send_poison(name(), fault);
}

event merge_events(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::all, inputs, where);
}

event any_of_events(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::any, inputs, where);
}

event ignore_faults(std::span<const event> inputs, site where) {
  return events::table::here().merge(events::use::settled, inputs, where);
}

}  // namespace atl
