#include "atoll/event/operations.hpp"

#include "atoll/deferred.hpp"
#include "atoll/event/table.hpp"

namespace atl::events {

operations::operations(table& events, pe& self)
    : events_(events), held_(*self.account), expected_(*self.account) {
  self.tasks->frames().for_each([this](void* memory) {
    const auto coroutine = std::coroutine_handle<tasks::frame>::from_address(memory);
    if (coroutine.done()) return;
    const tasks::root* const task = coroutine.promise().owner;
    if (task == &coroutine.promise() && task->operation() != 0)
      held_.insert_or_assign(task->operation(), held{task, {}});
  });
  events.for_each_waiting_task([this](name awaited, const tasks::frame& waits) {
    if (waits.owner != &waits) return;
    if (const auto found = held_.find(waits.owner->operation()); found != held_.end())
      found->second.precondition = awaited;
  });
}

operations::~operations() = default;

void operations::note(name promised, name precondition, const tasks::root& task) {
  if (const auto found = expected_.find(promised.word()); found != expected_.end()) {
    found->second.has_come = true;
    std::rethrow_exception(
        withdrawn_failure("operation asked for", task.spawned_at, found->second.withdrawn));
  }
  held_.insert_or_assign(promised.in_job(), held{&task, precondition});
}

// If the task of the operation no longer waits for the precondition, a withdrawal is too late: the
// task is ready, has begun or is destroyed.
withdrawal operations::withdraw(name promised, site where) {
  const auto found = held_.find(promised.in_job());
  if (found == held_.end()) {
    ++expected_.try_emplace(promised.word(), expected{where}).first->second.askers;
    return withdrawal::not_here;
  }
  const auto [held_task, precondition] = found->second;
  auto& task = const_cast<tasks::root&>(*held_task);
  if (!events_.remove_waiter(precondition, waiter::of_task(task))) return withdrawal::too_late;
  try {
    conclude(promised, withdrawn_failure("operation asked for", task.spawned_at, where), where);
  } catch (...) {  // the event could not be made to fail, so the operation must wait again
    held_.insert_or_assign(promised.in_job(), held{&task, precondition});
    make_ready_after(precondition, task);
    throw;
  }
  message::activity& scope = *task.scope;
  std::coroutine_handle<tasks::root>::from_promise(task).destroy();
  scope.end();
  return withdrawal::withdrawn;
}

bool operations::was_withdrawn(name promised) {
  const auto found = expected_.find(promised.word());
  const bool withdrawn = std::exchange(found->second.has_come, false);
  if (--found->second.askers == 0) expected_.erase(found);
  return withdrawn;
}

void note_operation(name promised, name precondition, const tasks::root& task) {
  operations* const kept = table::here().operations_if_kept();
  if (kept != nullptr && promised != name()) [[unlikely]]
    kept->note(promised, precondition, task);
}

void forget_operation(name promised) {
  if (operations* const kept = table::here().operations_if_kept(); kept != nullptr) [[unlikely]]
    kept->forget(promised);
}

std::exception_ptr withdrawn_failure(const char* what, site asked, site withdrawn) {
  return std::make_exception_ptr(
      error(errc::withdrawn, fmt::format("the {} at {} was withdrawn at {}", what, to_string(asked),
                                         to_string(withdrawn))));
}

}  // namespace atl::events
