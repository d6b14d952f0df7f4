#pragma once
// Operations that begin when an event has triggered, without a task that waits. Each gives an event
// that triggers when the operation has ended. If the precondition fails, the operation is
// cancelled: it never begins, and its event fails with the same error. What shall begin whatever
// has become of the precondition gets `ignore_faults(precondition)`.
//
// Operations count in the enclosing scope, from the call to the end, as spawned tasks do. An
// exception that leaves one goes to whoever waits for its event, and not to the scope.

#include "atoll/event/merge.hpp"
#include "atoll/event/timed.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task/own_addresses.hpp"

namespace atl {
namespace events {

/// The event of an operation that PE `holder` is to hold until it begins.
name make_promise(int holder, site where);

/// The operation asked for at `where` has ended; its event may be one of another PE.
void conclude(name promised, const std::exception_ptr& failure, site where);

/// The operation may begin. Else its event has failed, as the precondition has.
bool may_begin(name promised, name precondition, site where);

/// A deferred operation, as the closure of the task that it runs in.
template <class Operation>
struct deferred {
  Operation operation;
  name precondition;
  name promised;
  site where;
  [[no_unique_address]] operation_clock<Operation> clock{};

  task<> operator()() {
    if (!may_begin(promised, precondition, where)) co_return;
    clock.begin();
    std::exception_ptr failure;
    try {
      if constexpr (tasks::is_task<std::invoke_result_t<Operation&>>) {
        co_await operation();
      } else {
        operation();
      }
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    clock.end(operation);
    conclude(promised, failure, where);
  }
};

/// The task, which has not begun, counts in its scope and is ready when `precondition` has ended.
/// `promised` is its event, by which it can be withdrawn; no name: it cannot. Throws, and destroys
/// it, where that cannot be, or it was withdrawn before it came.
void begin_after(name precondition, name promised, tasks::root& task);

/// Makes a task of this PE for the operation.
template <class Operation>
void defer(name precondition, name promised, Operation operation, site where) {
  deferred<Operation> closure{std::move(operation), precondition, promised, where};
  closure.clock.ask(where);
  transport::nanoseconds* const ready = closure.clock.ready();
  begin_after(precondition, promised,
              tasks::make_root(this_pe().messages->enclosing(), std::move(closure), where));
  note_end(precondition, ready);
}

/// The same on another PE. What goes wrong there is told by the event.
template <class Operation>
void defer_at(int pe, name precondition, name promised, const Operation& operation, site where) {
  tasks::check_closure_in_debug(operation, where);
  const auto there = [precondition, promised, operation, from = transport::travelling_site(where)] {
    try {
      defer(precondition, promised, operation, from);
    } catch (...) {
      conclude(promised, std::current_exception(), from);
    }
  };
  this_pe().messages->send<message::traffic::tracked>(pe, there, where);
}

/// The event of an operation of PE `holder` that `ask(promised)` asks for. It fails if that throws.
template <class Ask>
event promised_by(int holder, site where, const Ask& ask) {
  const name promised = make_promise(holder, where);
  try {
    ask(promised);
  } catch (...) {
    conclude(promised, std::current_exception(), where);
    throw;
  }
  return event(promised);
}

}  // namespace events

/// Runs `operation`, a function or a coroutine without arguments, as a task on `pe` when
/// `precondition` has triggered; it is trivially copyable. Does not wait. Throws atl::error
/// (out_of_memory, overflow).
template <class Operation>
[[nodiscard]] event spawn_when(int pe, event precondition, Operation operation,
                               site where = site::current()) {
  static_assert(message::travels<Operation>, "what travels must be trivially copyable");
  return events::promised_by(pe, where, [&](events::name promised) {
    if (pe == my_pe()) return events::defer(precondition.name(), promised, operation, where);
    events::defer_at(pe, precondition.name(), promised, operation, where);
  });
}

/// The same on this PE, for any operation.
template <class Operation>
[[nodiscard]] event spawn_when(event precondition, Operation operation,
                               site where = site::current()) {
  return events::promised_by(my_pe(), where, [&](events::name promised) {
    events::defer(precondition.name(), promised, std::move(operation), where);
  });
}

/// The user event triggers when `precondition` has, and fails with it. It is triggered by nobody
/// else. Does not wait; counts in no scope. Throws as `user_event::trigger`.
void trigger_when(user_event user, event precondition, site where = site::current());

/// The same for all of several preconditions.
void trigger_when(user_event user, std::span<const event> preconditions,
                  site where = site::current());
template <events::of_events Range>
void trigger_when(user_event user, Range&& preconditions, site where = site::current()) {
  events::with_span(preconditions, [&](auto all) { trigger_when(user, all, where); });
}

}  // namespace atl
