#pragma once
// Deferred operations are tasks, copies and fills that begin when an event has triggered. This
// header also has the times of such operations, and events for threads that are not PEs.

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

// The times of a deferred operation tell when it was requested, could begin, began and ended. (The
// idea is that of the profiling requests of Realm; Treichler, Bauer and Aiken, Realm, PACT 2014.)

/// The times of one deferred operation, in nanoseconds of the clock of the PE where the operation
/// ran. `asked` is the time when the request reached the PE of the operation.
struct operation_times {
  transport::nanoseconds asked = 0;
  /// Time at which the PE of the operation learned that the precondition had triggered.
  transport::nanoseconds ready = 0;
  transport::nanoseconds begun = 0;
  transport::nanoseconds ended = 0;
  site where;  ///< the line that requested the operation
};

/// A report function that does nothing. With this report, `timed` measures no times.
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

/// Stores the time when the event `awaited` ends in `*at`. Does nothing if `at` is null, if the
/// event has already ended, or if memory is short.
void note_end(name awaited, transport::nanoseconds* at);

/// The clock of an operation that is not timed. The functions of this clock do nothing.
template <class Operation>
struct operation_clock {
  void ask(site) {}
  transport::nanoseconds* ready() const { return nullptr; }
  void begin() {}
  void end(Operation&) {}
};

/// The clock of a timed operation. The times have a fixed address on the heap, so that the
/// operation can be moved.
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

/// Makes an operation for `spawn_when` that reports its times. When `operation` has ended, its PE
/// calls `report(operation_times)`. The report comes before the event of the operation triggers or
/// fails. A cancelled operation has no report. The report must neither wait nor throw.
template <class Operation, class Report>
auto timed(Operation operation, Report report) {
  if constexpr (std::is_same_v<Report, no_report>)
    return operation;
  else
    return events::timed_operation<Operation, Report>{std::move(operation), std::move(report)};
}

// A deferred operation begins when an event has triggered, without a task that waits. Each call
// returns an event that triggers when the operation has ended. If the precondition fails, the
// operation is cancelled: it never begins, and its event fails with the same error. To begin an
// operation in any case, use `ignore_faults(precondition)` as its precondition.
//
// Like a spawned task, an operation belongs to the enclosing scope: the scope waits until the
// operation has ended. An exception that escapes the operation makes its event fail, and does not
// reach the scope.

namespace events {

/// Makes the event of an operation. PE `holder` will hold the operation until it begins.
name make_promise(int holder, site where);

/// Ends the event of the operation that was requested at `where` and has ended. A null `failure`
/// means success. The event may belong to another PE.
void conclude(name promised, const std::exception_ptr& failure, site where);

/// Returns whether the operation may begin. If the precondition has failed, makes the event of the
/// operation fail with the same error and returns false.
bool may_begin(name promised, name precondition, site where);

/// A deferred operation, in the form of the closure that its task runs.
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

/// When `precondition` has ended, makes `task` ready to begin. The scope of the task counts the
/// task from now on. `promised` is the event by which the operation can be withdrawn; an operation
/// without an event cannot be withdrawn. If an error occurs, or if the operation was withdrawn
/// before it arrived on this PE, destroys the task and throws an exception.
void begin_after(name precondition, name promised, tasks::root& task);

/// Makes a task of this PE that begins the operation when `precondition` has triggered.
template <class Operation>
void defer(name precondition, name promised, Operation operation, site where) {
  deferred<Operation> closure{std::move(operation), precondition, promised, where};
  closure.clock.ask(where);
  transport::nanoseconds* const ready = closure.clock.ready();
  begin_after(precondition, promised,
              tasks::make_root(this_pe().messages->enclosing(), std::move(closure), where));
  note_end(precondition, ready);
}

/// Makes a task of PE `pe` that begins the operation when `precondition` has triggered. If the task
/// cannot be made on PE `pe`, the event `promised` fails.
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

/// Makes the event of an operation of PE `holder`, and calls `ask(promised)` to request the
/// operation. If `ask` throws, the event fails and the exception is rethrown.
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

/// Runs `operation` as a task on PE `pe` when `precondition` has triggered. `operation` is a
/// function or a coroutine without arguments, and must be trivially copyable. The returned event
/// triggers when the operation has ended. Tasks and handlers may call this function, which does not
/// block. Throws atl::error (out_of_memory, overflow).
template <class Operation>
[[nodiscard]] event spawn_when(int pe, event precondition, Operation operation,
                               site where = site::current()) {
  static_assert(message::bitwise_copyable<Operation>, "what travels must be trivially copyable");
  return events::promised_by(pe, where, [&](events::name promised) {
    if (pe == my_pe()) return events::defer(precondition.name(), promised, operation, where);
    events::defer_at(pe, precondition.name(), promised, operation, where);
  });
}

/// Runs `operation` as a task on this PE when `precondition` has triggered. `operation` is a
/// function or a coroutine without arguments, and need not be trivially copyable. The returned
/// event triggers when the operation has ended. Does not block. Throws atl::error (out_of_memory).
template <class Operation>
[[nodiscard]] event spawn_when(event precondition, Operation operation,
                               site where = site::current()) {
  return events::promised_by(my_pe(), where, [&](events::name promised) {
    events::defer(precondition.name(), promised, std::move(operation), where);
  });
}

/// Makes the event `user` trigger when `precondition` has triggered, and fail when `precondition`
/// fails. Nothing else may trigger `user`. Does not block, and no scope waits for the event to
/// trigger. Throws the errors of `user_event::trigger`.
void trigger_when(user_event user, event precondition, site where = site::current());

/// Makes the event `user` trigger when all `preconditions` have triggered, and fail when the first
/// of them fails. Nothing else may trigger `user`. Does not block. Throws the errors of
/// `user_event::trigger`.
void trigger_when(user_event user, std::span<const event> preconditions,
                  site where = site::current());
/// Makes the event `user` trigger when all `preconditions` have triggered, and fail when the first
/// of them fails. Throws the errors of `user_event::trigger`.
template <events::of_events Range>
void trigger_when(user_event user, Range&& preconditions, site where = site::current()) {
  events::with_span(preconditions, [&](auto all) { trigger_when(user, all, where); });
}

// The next operations copy and fill global memory of any PEs when an event has triggered. The
// requesting PE need not own any of this memory.

/// Consecutive elements of a global array. A part is a trivially copyable value, like the handle of
/// the array. An array converts to the part that has all of its elements. The constructor of a
/// smaller part throws atl::error (input) if the array has too few elements.
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

/// Calls `visit(pe, offset, done, count)` for each stretch of the part that lies on one PE. `done`
/// is the number of elements of the part before the stretch.
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

/// Copies `from` to `to`. The owner of each stretch of `from` copies the stretch to its place in
/// `to`.
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

/// When `precondition` has triggered, copies the elements of `from` to the elements of `to`. The
/// parts must have the same length and must not overlap. The returned event triggers when all
/// elements are stored. Tasks and handlers may call this function, which does not block. `report`
/// is called with the times of the copy, as for `timed`. Throws atl::error (input) if the lengths
/// differ. Also throws atl::error (out_of_memory).
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<array_part<T>> to,
                              array_part<T> from, Report report = {},
                              site where = site::current()) {
  if (to.count != from.count) memory::refuse_elements(to.first, from.count, to.count, where);
  const auto copy = [to, from, where] { return events::copy_now<T>(to, from, where); };
  return spawn_when(precondition, timed(copy, std::move(report)), where);
}

/// Stores `value` in all elements of `to` when `precondition` has triggered. The returned event
/// triggers when all elements are stored. Does not block. `report` is called with the times of the
/// fill, as for `timed`. Throws atl::error (out_of_memory).
template <class T, class Report = no_report>
  requires std::invocable<Report, operation_times>
[[nodiscard]] event fill_when(event precondition, array_part<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  const auto fill = [to, value, where] { return events::fill_now<T>(to, value, where); };
  return spawn_when(precondition, timed(fill, std::move(report)), where);
}

/// When `precondition` has triggered, copies the elements of the array `from` to the elements of
/// the array `to`. The rules are those of the function of the same name for parts of arrays.
template <class T, class Report = no_report>
[[nodiscard]] event copy_when(event precondition, std::type_identity_t<global_array<T>> to,
                              global_array<T> from, Report report = {},
                              site where = site::current()) {
  return copy_when<T>(precondition, array_part<T>(to), array_part<T>(from), std::move(report),
                      where);
}
/// Stores `value` in all elements of the array `to` when `precondition` has triggered. The rules
/// are those of the function of the same name for parts of arrays.
template <class T, class Report = no_report>
[[nodiscard]] event fill_when(event precondition, global_array<T> to, std::type_identity_t<T> value,
                              Report report = {}, site where = site::current()) {
  return fill_when<T>(precondition, array_part<T>(to), value, std::move(report), where);
}

// The next classes are events for threads that are not PEs. The program itself starts such a thread
// in the process of a PE: for input and output, a window, or the callbacks of a library. A task
// makes a handle and gives it to the thread. (The name external_wait is that of Realm.)

namespace events {
class outside_wait;
class outside_sender;
}  // namespace events

/// The handle of an event for a thread that is not a PE. The handle is a value that can be copied,
/// and may outlive the job. Any thread of the process except the PE's own may call the functions.
/// The PE's own thread would block forever.
class outside_event {
 public:
  explicit outside_event(std::shared_ptr<events::outside_wait> ending)
      : ending_(std::move(ending)) {}

  /// Blocks the calling thread until the event has triggered. The waiting thread sleeps. If the
  /// event fails, throws an atl::error with the code and text of the failure. Throws atl::error
  /// (environment) if the job ends before the event.
  void external_wait(site where = site::current()) const;

  /// Blocks the calling thread until the event has triggered, for at most `longest`. Returns false
  /// if the event has neither triggered nor failed in this time. Throws the errors of
  /// `external_wait`.
  bool external_wait_for(std::chrono::nanoseconds longest, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_wait> ending_;
};

/// The handle of a user event for a thread that is not a PE. The thread may trigger the event or
/// make it fail. While an unused handle exists, the job does not end, and is not reported as
/// hanging.
class outside_user_event : public outside_event {
 public:
  outside_user_event(const outside_event& event, std::shared_ptr<events::outside_sender> sender)
      : outside_event(event), sender_(std::move(sender)) {}

  /// Requests that the event triggers; the PE is woken and triggers the event soon. Does not wait.
  /// If this handle or a copy of it was used before, throws atl::error (input), whose text names
  /// both places. Throws atl::error (environment) if the job has ended; a call at the end of the
  /// job may have no effect. If a task has ended the event meanwhile, the job ends with an error.
  void trigger(site where = site::current()) const;

  /// Requests that the event fails with `failure`; the PE is woken and makes the event fail soon.
  /// Does not wait. Throws the errors of `trigger`.
  void poison(const error& failure, site where = site::current()) const;

 private:
  std::shared_ptr<events::outside_sender> sender_;
};

}  // namespace atl
