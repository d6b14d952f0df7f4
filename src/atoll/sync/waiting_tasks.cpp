#include "atoll/sync/waiting_tasks.hpp"

#include <utility>

namespace atl::sync {

void waiting_tasks::append(waiter& waiting, tasks::frame& suspended) {
  waiting.suspended = &suspended;
  tasks::root& task = *suspended.owner;
  waiting.worker = this_pe().tasks->give_place_back(task) ? &task : nullptr;
  (empty() ? first_ : last_->next) = &waiting;
  last_ = &waiting;
}

waiter& waiting_tasks::wake_first() {
  waiter& woken = *first_;
  first_ = woken.next;
  this_pe().tasks->ready(*woken.suspended);
  return woken;
}

void waiting_tasks::wake_all() {
  while (!empty()) wake_first();
}

}  // namespace atl::sync
