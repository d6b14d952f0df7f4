#pragma once
// Stealable tasks are tasks that any PE may run. This file keeps and runs stealable tasks, and
// sends them to other PEs.

#include "atoll/base/charged.hpp"
#include "atoll/message/engine_inline.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"
#include "atoll/task/stealing.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstring>
#include <memory>

namespace atl::tasks {

/// Makes a task of `scope` from a closure that is not a coroutine, and runs the task to its end.
template <class Closure>
void run_now(message::activity& scope, Closure& closure, site where) {
  scheduler& tasks = *this_pe().tasks;
  root task(scope, where);
  tasks.take_place(task);
  tasks.enter(task);
  tasks.task_started(task);
  try {
    if (!scope.failure) closure();
  } catch (...) {
    fail_in_scope(task, std::current_exception());
  }
  tasks.task_ended(task);
  scope.end();
}

/// Runs a coroutine until its first suspension, as a task of `scope`.
template <class Closure>
  requires is_task<std::invoke_result_t<Closure&>>
void run_now(message::activity& scope, Closure& closure, site where) {
  scheduler& tasks = *this_pe().tasks;
  try {
    root& task = make_root(scope, closure, where);
    tasks.take_place(task);
    tasks.resume(task);
  } catch (const error&) {  // there is no memory for the task
    fail_in_scope(root(scope, where), std::current_exception());
    scope.end();
  }
}

/// A stealable task in the form that is sent to another PE. The receiving PE adds the task to its
/// own stealable tasks.
template <class Closure>
struct shipped_task {
  Closure closure;
  transport::travelling_site spawned_at;

  void operator()() const;
};

/// Operations on stealable tasks whose closure has the type `Closure`. A closure that does not fit
/// into a `stealable` is stored in an allocation of its own, a box.
template <class Closure>
struct stealable_of {
  static_assert(message::bitwise_copyable<Closure>,
                "a stealable task is trivially copyable: it may travel");
  static constexpr bool fits =
      sizeof(Closure) <= stealable::capacity && alignof(Closure) <= alignof(void*);

  static void put(stealable& into, const Closure& closure, message::activity& scope, site where) {
    into.kind = &kind;
    into.scope = &scope;
    into.spawned_at = where;
    if constexpr (fits) {
      std::memcpy(into.closure, &closure, sizeof closure);
    } else {
      const auto* const box = boxed(closure);
      std::memcpy(into.closure, &box, sizeof box);
    }
  }

  static const Closure* boxed(const Closure& closure) {
    std::unique_ptr<const Closure> box;
    const auto take = [&] { box = std::make_unique<const Closure>(closure); };
    grow_charged(*this_pe().account, 0, sizeof closure, take);
    return box.release();
  }

  static const Closure& closure_of(const stealable& task) {
    if constexpr (fits) {
      return *reinterpret_cast<const Closure*>(task.closure);
    } else {
      const Closure* box = nullptr;
      std::memcpy(&box, task.closure, sizeof box);
      return *box;
    }
  }

  static void drop(const stealable& task) {
    if constexpr (fits) return;
    delete &closure_of(task);
    this_pe().account->release(sizeof(Closure));
  }

  static Closure take(const stealable& from) {
    const Closure taken = closure_of(from);
    drop(from);
    return taken;
  }

  static void start(stealable& task) {
    Closure closure = take(task);
    run_now(*task.scope, closure, task.spawned_at);
  }

  static void ship(stealable& task, int destination) {
    message::engine& messages = *this_pe().messages;
    messages.enter(&task.scope);
    messages.send<message::traffic::tracked>(
        destination, shipped_task<Closure>{closure_of(task), task.spawned_at}, task.spawned_at);
    drop(task);
    task.scope->end();
  }

  static constexpr stealable_kind kind{&start, &ship};
};

template <class Closure>
void add_stealable(const Closure& closure, site where) {
  pe& self = this_pe();
  message::activity& scope = self.messages->enclosing();
  stealable_deque& tasks = self.tasks->stealables().tasks();
  try {
    stealable_of<Closure>::put(tasks.next_place(), closure, scope, where);
  } catch (...) {
    rethrow_naming(where);
  }
  tasks.push();
  scope.begin();
}

template <class Closure>
void shipped_task<Closure>::operator()() const {
  add_stealable(closure, spawned_at);
}

}  // namespace atl::tasks
