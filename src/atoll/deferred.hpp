#pragma once
// Deferred operations: tasks, copies and fills that begin when an event has triggered, the times
// they took, and events of threads that are no PE.

#include "atoll/array.hpp"
#include "atoll/event.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task/own_addresses.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace atl {

// Deferred operations that tell when they were asked for, could begin, began and ended. (Realm's
// profiling requests; Treichler, Bauer and Aiken, Realm, PACT 2014.)

/// Nanoseconds of the clock of the PE where the operation ran, and which was asked then.
struct operation_times {
  transport::nanoseconds asked = 0;
  transport::nanoseconds ready = 0;  ///< the precondition had triggered, as far as that PE knew
  transport::nanoseconds begun = 0;
  transport::nanoseconds ended = 0;
  site where;  ///< the line that asked
};

/// As what `timed` is given, nothing is told.
struct no_report {
  void operator()(const operation_times&) const {}
};

namespace events {

template <class Operation, class Report>
struct timed_operation {
  Operation operation;
  Report report;

  auto operator()() { return operation(); }
};

/// Notes in `at` when the event ends. Nothing where there is no memory for it, where it has ended,
/// or where `at` is null.
void note_end(name awaited, transport::nanoseconds* at);

/// The clock of an operation that is not timed.
template <class Operation>
struct operation_clock {
  void ask(site) {}
  transport::nanoseconds* ready() const { return nullptr; }
  void begin() {}
  void end(Operation&) {}
};

/// Where it notes the times stays the same when the operation moves.
template <class Operation, class Report>
struct operation_clock<timed_operation<Operation, Report>> {
  std::unique_ptr<operation_times> times{};

  void ask(site where) {
    times = std::make_unique<operation_times>();
    times->where = where;
    times->asked = times->ready = this_pe().transport->now();
  }
  transport::nanoseconds* ready() const { return &times->ready; }
  void begin() { times->begun = this_pe().transport->now(); }
  void end(timed_operation<Operation, Report>& ended) {
    times->ended = this_pe().transport->now();
    ended.report(std::as_const(*times));
  }
};

}  // namespace events

/// `operation` for `spawn_when`, and `report(operation_times)` is called on its PE when it has
/// ended, before its event does, also where an exception has left it; not where it was cancelled.
/// The report does not wait, and does not throw.
template <class Operation, class Report>
auto timed(Operation operation, Report report) {
  if constexpr (std::is_same_v<Report, no_report>)
    return operation;
  else
    return events::timed_operation<Operation, Report>{std::move(operation), std::move(report)};
}

// Operations that begin when an event has triggered, without a task that waits. Each gives an event
// that triggers when the operation has ended. If the precondition fails, the operation is
// cancelled: it never begins, and its event fails with the same error. What shall begin whatever
// has become of the precondition gets `ignore_faults(precondition)`.
//
// Operations count in the enclosing scope, from the call to the end, as spawned tasks do. An
// exception that leaves one goes to whoever waits for its event, and not to the scope.

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

// Copies and fills that begin when an event has triggered: between the global memory
// of any two PEs, asked for on a third.

/// Consecutive elements of a global array. A value, as the array. Made of an array it is all of it.
template <class T>
struct array_part {
  global_array<T> array;
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  array_part(global_array<T> whole) : array(whole), count(whole.size()) {}
  array_part(global_array<T> of, std::uint64_t first_, std::uint64_t count_,
             site where = site::current())
      : array(of), first(first_), count(count_) {
    if (first > array.size() || count > array.size() - first)
      memory::refuse_elements(first, count, array.size(), where);
  }
};

namespace events {

/// Calls `visit(pe, offset, done, count)` for each stretch of the part that lies on one PE, `done`
/// elements being before it.
template <class T, class Visit>
void for_each_stretch(const array_part<T>& part, site where, const Visit& visit) {
  for (std::uint64_t done = 0; done < part.count;) {
    const std::uint64_t i = part.first + done;
    const std::uint64_t to_block_end = part.array.block_size() - i % part.array.block_size();
    const auto count = std::min<std::uint64_t>(part.count - done, to_block_end);
    const global_address<T> begin = part.array[i];
    memory::check_access(begin.pe(), begin.offset(), count * sizeof(T), where);
    visit(begin.pe(), begin.offset(), done, count);
    done += count;
  }
}

/// Each owner of a stretch puts it where it belongs.
template <class T>
task<> copy_now(array_part<T> to, array_part<T> from, site where) {
  const auto ask_owners = [&] {
    for_each_stretch(
        from, where, [&](int pe, std::uint64_t offset, std::uint64_t done, std::uint64_t count) {
          const auto put_there = [to = to.array, first = to.first + done, offset, count,
                                  place = transport::travelling_site(where)] {
            return put(to, first, std::span<const T>(&object_at<T>(offset), count), place);
          };
          async_call(pe, put_there, where);
        });
  };
  co_await finish(ask_owners, where);
}

template <class T>
task<> fill_now(array_part<T> to, T value, site where) {
  const auto ask_owners = [&] {
    const auto fill_stretch = [&](int pe, std::uint64_t offset, std::uint64_t,
                                  std::uint64_t count) {
      const auto fill = [offset, count, value] {
        std::fill_n(&object_at<T>(offset), count, value);
      };
      async_call(pe, fill, where);
    };
    for_each_stretch(to, where, fill_stretch);
  };
  co_await finish(ask_owners, where);
}

}  // namespace events

/// Copies the elements of `from` to those of `to`, of which there are as many, and which lie
/// elsewhere, when `precondition` has triggered. Does not wait. Throws atl::error: input where the
/// parts are of different lengths; out_of_memory. `report` is told the times of it, as by `timed`.
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<array_part<T>> to,
                              array_part<T> from, Report report = {},
                              site where = site::current()) {
  if (to.count != from.count) memory::refuse_elements(to.first, from.count, to.count, where);
  const auto copy = [to, from, where] { return events::copy_now<T>(to, from, where); };
  return spawn_when(precondition, timed(copy, std::move(report)), where);
}

/// Stores `value` in all elements of `to` when `precondition` has triggered. Does not wait. Throws
/// atl::error (out_of_memory). `report` as for `copy_when`.
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, array_part<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  const auto fill = [to, value, where] { return events::fill_now<T>(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// As these, for all of an array.
template <class T, class Report = no_report>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<global_array<T>> to,
                              global_array<T> from, Report report = {},
                              site where = site::current()) {
  return copy_when<T>(precondition, array_part<T>(to), array_part<T>(from), std::move(report),
                      where);
}
template <class T, class Report = no_report>
[[nodiscard]] event fill_when(event precondition, global_array<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  return fill_when<T>(precondition, array_part<T>(to), value, std::move(report), where);
}

// Events for threads that are no PE: a thread that the program itself has started in the process of
// a PE, as for input and output, a window, or the callbacks of a library. A task makes a handle and
// gives it to the thread. (external_wait is Realm's word.)

namespace events {
class outside_wait;
class outside_sender;
}  // namespace events

/// What such a thread has of an event: a value to copy, and to keep beyond the end of the job. Its
/// functions may be called by any thread of the process, but for that of the PE, which they would
/// stop for ever.
class outside_event {
 public:
  explicit outside_event(std::shared_ptr<events::outside_wait> ending)
      : ending_(std::move(ending)) {}

  /// Waits until the event has triggered. Blocks the thread, which sleeps. Throws what the event
  /// has failed with, as an atl::error of its kind and text; atl::error (environment) where the job
  /// ends without it.
  void external_wait(site where = site::current()) const;

  /// The same for so long at most. False: it has neither triggered nor failed.
  bool external_wait_for(std::chrono::nanoseconds longest, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_wait> ending_;
};

/// The same of a user event, which such a thread may end. As long as one that has not been used
/// exists, the job waits for it where it would otherwise be said to hang.
class outside_user_event : public outside_event {
 public:
  outside_user_event(const outside_event& event, std::shared_ptr<events::outside_sender> sender)
      : outside_event(event), sender_(std::move(sender)) {}

  /// Triggers it: the PE does soon, and is woken for that. Does not wait. Throws atl::error (input)
  /// that names both places where this handle or a copy has ended it before; (environment) where
  /// the job has ended; what comes as it ends may go unheard. That a task has ended it meanwhile
  /// ends the job with an error.
  void trigger(site where = site::current()) const;

  /// Lets it fail. Otherwise as `trigger`.
  void poison(const error& failure, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_sender> sender_;
};

}  // namespace atl
