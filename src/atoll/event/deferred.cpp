#include "atoll/deferred.hpp"

#include "atoll/event/messages.hpp"
#include "atoll/event/operations.hpp"
#include "atoll/event/table.hpp"

namespace atl {
namespace events {

name make_promise(int holder, site where) {
  table& here = table::here();
  const name made = here.make(use::operation, where);
  here.slot_at(made.slot()).inputs = static_cast<std::uint32_t>(holder);
  return made;
}

void conclude(name promised, const std::exception_ptr& failure, site where) {
  forget_operation(promised);
  const user_event ended(promised);
  if (failure) return ended.poison(failure, where);
  ended.trigger(where);
}

bool may_begin(name promised, name precondition, site where) {
  const event_fault* const fault = fault_of(precondition);
  if (fault == nullptr) return true;
  forget_operation(promised);
  if (promised.pe() != my_pe()) {
    send_poison(promised, *fault);
  } else {
    table::here().poison(promised, event_fault(*fault), where);
  }
  return false;
}

void begin_after(name precondition, name promised, tasks::root& task) {
  task.is_owed = true;
  task.waiting_at = task.spawned_at;
  task.set_operation(promised.in_job());
  try {
    note_operation(promised, precondition, task);
    make_ready_after(precondition, task);
  } catch (...) {
    forget_operation(promised);
    std::coroutine_handle<tasks::root>::from_promise(task).destroy();
    throw;
  }
  task.scope->begin();
}

}  // namespace events

void trigger_when(user_event user, event precondition, site where) {
  if (user.pe() == my_pe())
    return events::table::here().promise(user.name(), std::span(&precondition, 1), where);
  events::table::here().check_job(user.name(), "triggered", where);
  events::send_promise(user.name(), precondition.name(), where);
}

void trigger_when(user_event user, std::span<const event> preconditions, site where) {
  if (user.pe() == my_pe()) return events::table::here().promise(user.name(), preconditions, where);
  trigger_when(user, merge_events(preconditions, where), where);
}

}  // namespace atl
