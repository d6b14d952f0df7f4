#pragma once
// Events: what tasks, copies and other events wait for; events that depend on several others;
// operations that are withdrawn; and reservations, locks that are acquired by events.

#include "atoll/error.hpp"
#include "atoll/event/name.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <exception>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

namespace atl {

// Events: what a task, a copy or another event waits for, without anybody being blocked. (Deferred
// execution after Treichler, Bauer and Aiken: Realm, PACT 2014.)
//
// An event triggers or fails, once, and stays so: its name may be asked for as long as the job
// lives, although its memory is used for other events. The functions may be called by tasks and
// handlers of any PE; none waits but `co_await`, and none sends more than a message or two.

class outside_event;
class outside_user_event;

/// Why an event has failed: the first error among all that it depends on.
struct event_fault {
  std::exception_ptr failure;  ///< of another PE: an atl::error with its text
  site where;                  ///< the line where it arose
  int pe = 0;                  ///< and the PE
};

namespace events {

/// It has triggered or failed, as far as this PE knows.
bool has_ended(name asked, site where);

/// The same, and this PE knows which of the two.
bool is_known(name asked);

/// Null: it has not failed, as far as this PE knows.
const event_fault* fault_of(name asked);

/// This PE will know when it has ended.
void subscribe(name asked, site where);

/// Makes the frame ready when the event has ended.
void make_ready_after(name awaited, tasks::frame& suspended);

/// Awaitable: the event has ended.
class ending {
 public:
  explicit ending(name awaited) : awaited_(awaited) {}

  bool await_ready() { return is_known(awaited_); }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended, site where = site::current()) {
    suspended.promise().waiting_at = where;
    make_ready_after(awaited_, suspended.promise());
    tasks::root& task = *suspended.promise().owner;
    if (this_pe().tasks->give_place_back(task)) worker_ = &task;
  }

  /// Throws what the event has failed with.
  void await_resume();

 protected:
  const event_fault* resumed();

 private:
  name awaited_;
  tasks::root* worker_ = nullptr;  // that has given its place back meanwhile
};

/// The same, and a failure is what it returns.
struct settled_ending : ending {
  using ending::ending;
  std::optional<event_fault> await_resume();
};

}  // namespace events

/// The name of an event: a value of 64 bits to copy, store in global memory and send. By default,
/// and where memory is zero, it is `event::none`.
class event {
 public:
  constexpr event() = default;
  constexpr explicit event(events::name known) : name_(known) {}

  /// Has always triggered.
  static const event none;

  /// It has triggered, or failed, as far as this PE knows. Of another PE's event that is known some
  /// time after this PE has waited for it or called `subscribe`. Does not communicate. Throws
  /// atl::error (input), like all that follows, where this PE never made such an event, or it is of
  /// a job that has ended.
  bool has_triggered(site where = site::current()) const { return events::has_ended(name_, where); }

  /// It has failed, as far as this PE knows. Does not communicate.
  bool is_poisoned() const { return events::fault_of(name_) != nullptr; }

  /// This PE will know when the event has ended. One message for each PE and event.
  void subscribe(site where = site::current()) const { events::subscribe(name_, where); }

  /// `co_await e`: waits until it has triggered; any number of tasks on any PEs. Throws what it has
  /// failed with.
  auto operator co_await() const { return events::ending(name_); }

  /// `co_await e.settled()`: waits until it has triggered or failed; returns its fault, if any.
  auto settled() const { return events::settled_ending(name_); }

  /// For a thread of this process that is no PE (deferred.hpp). Does not wait; this PE subscribes.
  outside_event outside(site where = site::current()) const;

  /// The PE that has made it.
  constexpr int pe() const { return name_.pe(); }
  constexpr events::name name() const { return name_; }

  friend constexpr bool operator==(const event&, const event&) = default;

 private:
  events::name name_;
};

inline constexpr event event::none{};

/// An event that somebody triggers. A value, as `event`; who has it may trigger it, on any PE.
class user_event : public event {
 public:
  constexpr user_event() = default;
  constexpr explicit user_event(events::name known) : event(known) {}

  /// Triggers it. Does not wait; the event of another PE has triggered when the enclosing scope
  /// ends. Throws atl::error (input) that names both places where it has ended before, or is to
  /// be triggered by `trigger_when`; overflow.
  void trigger(site where = site::current()) const;

  /// Lets it fail: what depends on it is cancelled and fails with the same error. Otherwise as
  /// `trigger`.
  void poison(std::exception_ptr failure, site where = site::current()) const;
  void poison(const error& failure, site where = site::current()) const {
    poison(std::make_exception_ptr(failure), where);
  }

  /// As that of `event`, for a thread that may end it. That of an event of another PE takes the
  /// part of `trigger_when`: nobody else triggers it. Throws atl::error (input) where the PEs are
  /// simulated, beside which there are no threads.
  outside_user_event outside(site where = site::current()) const;
};

/// Makes an event of this PE. Does not communicate. Throws atl::error (out_of_memory).
user_event make_user_event(site where = site::current());

// Events that depend on several others, of any PEs. Made on the PE of the caller; where one of the
// inputs would do, that is what is returned.

namespace events {

template <class Range>
concept of_events = std::ranges::input_range<Range> &&
                    std::convertible_to<std::ranges::range_reference_t<Range>, event>;

/// Calls `function(std::span<const event>)` with these events.
template <of_events Range, class Function>
auto with_span(Range&& range, const Function& function) {
  if constexpr (std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                std::same_as<std::ranges::range_value_t<Range>, event>) {
    return function(std::span<const event>(std::ranges::data(range), std::ranges::size(range)));
  } else {
    std::vector<event> all;
    for (auto&& each : range) all.push_back(each);
    return function(std::span<const event>(all));
  }
}

}  // namespace events

/// Triggers when all inputs have; fails with the first of them that fails, at once. Throws
/// atl::error (out_of_memory).
event merge_events(std::span<const event> inputs, site where = site::current());
inline event merge_events(std::initializer_list<event> inputs, site where = site::current()) {
  return merge_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
template <events::of_events Range>
event merge_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return merge_events(all, where); });
}

/// Triggers with the first input that does; fails when all have, with the first of their errors.
event any_of_events(std::span<const event> inputs, site where = site::current());
inline event any_of_events(std::initializer_list<event> inputs, site where = site::current()) {
  return any_of_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
template <events::of_events Range>
event any_of_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return any_of_events(all, where); });
}

/// Triggers when all inputs have triggered or failed, and never fails: what waits for it goes on
/// whatever has become of them.
event ignore_faults(std::span<const event> inputs, site where = site::current());
inline event ignore_faults(std::initializer_list<event> inputs, site where = site::current()) {
  return ignore_faults(std::span<const event>(inputs.begin(), inputs.size()), where);
}
inline event ignore_faults(event input, site where = site::current()) {
  return ignore_faults(std::span<const event>(&input, 1), where);
}
template <events::of_events Range>
event ignore_faults(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return ignore_faults(all, where); });
}

// Operations that are not to begin any more.

/// Withdraws the operation that has given this event, as long as what it depends on has not
/// triggered: then it never begins, its memory is given back, and its event fails with an
/// atl::error (withdrawn) that names the place where it was asked for and this one. That may be a
/// `spawn_when`, `copy_when` or `fill_when`; a user event after `trigger_when`; the acquisition of
/// a reservation that is not held yet, or a release that waits for its precondition. On any PE.
///
/// `co_await withdraw(e)` is true if this call has withdrawn it, and false where it may begin, has
/// begun, has ended or was withdrawn by another call: it either runs or is withdrawn. Takes a
/// message or two to the PEs that have made and that hold it, and time by the number of those who
/// wait for the same precondition. Throws atl::error (input) where the event is not that of an
/// operation; overflow.
task<bool> withdraw(event result, site where = site::current());

// Locks whose acquisition is deferred: who wants one is told by an event, and nobody is blocked.
// (The reservations of Treichler, Bauer and Aiken: Realm, PACT 2014.)
//
// One PE at a time owns a reservation and grants it; a PE that asks becomes the owner in its turn,
// and the requests that wait go along. Who holds it in a shared mode may be on several PEs.

/// How a reservation is held: by one alone, or together with all that hold it in the same mode.
class lock_mode {
 public:
  /// Exclusive.
  constexpr lock_mode() = default;
  /// Shared; modes of different numbers exclude each other. Throws atl::error (input) where the
  /// number is not below 2^32 - 1.
  static constexpr lock_mode shared(std::uint32_t number = 0, site where = site::current()) {
    if (number == UINT32_MAX) refuse_number(where);
    return lock_mode(number + 1);
  }

  constexpr bool is_exclusive() const { return word_ == 0; }
  constexpr std::uint32_t word() const { return word_; }
  static constexpr lock_mode from_word(std::uint32_t word) { return lock_mode(word); }

  friend constexpr bool operator==(lock_mode, lock_mode) = default;

 private:
  constexpr explicit lock_mode(std::uint32_t word) : word_(word) {}
  [[noreturn]] static void refuse_number(site where);

  std::uint32_t word_ = 0;
};

inline constexpr lock_mode exclusive{};

/// The name of a reservation: a value of 64 bits to copy, store in global memory and send. Its
/// functions may be called by tasks and handlers of any PE; none but `try_acquire` waits. What a PE
/// has acquired, that PE releases.
class reservation {
 public:
  constexpr reservation() = default;
  constexpr explicit reservation(events::name known) : name_(known) {}

  /// Asks for it when `precondition` has triggered. The event triggers when it is held, and fails
  /// where the precondition does: then it is not held. Requests of a PE are granted in their order;
  /// those of the PE that owns it may overtake another's which waits, --unfairness times, and so
  /// may those of each PE that holds it in a shared mode. Throws atl::error (out_of_memory), and
  /// (input) where this PE knows that it was destroyed; otherwise the job ends with that.
  event acquire(event precondition = event::none, lock_mode mode = exclusive,
                site where = site::current()) const;

  /// `co_await door.try_acquire()` is true where it is held now, and false where it was not free:
  /// held in a way that excludes this one, or waited for by others than those that `acquire` may
  /// overtake here. The owner hears a message later that another PE has released what it shared.
  /// Suspends for some messages where another PE owns it, never until it is released. Throws as
  /// `acquire` does, and where it was destroyed.
  task<bool> try_acquire(lock_mode mode = exclusive, site where = site::current()) const;

  /// Releases it when `precondition` has triggered, or failed. The event triggers then, or fails.
  /// Throws atl::error (input) where this PE does not hold it, or lets the event fail with that.
  /// `held` is what `acquire` gave on this PE. The release never comes before `held` has triggered,
  /// also where the precondition fails or triggers early: then the reservation is given back as
  /// soon as it is granted. Where `held` fails nothing is released, and the event fails with it.
  event release(event precondition = event::none, event held = event::none,
                site where = site::current()) const;

  /// Gives its memory back when `precondition` has triggered and nobody holds it or waits for it
  /// any more. Once. It is not destroyed where the precondition fails. Requests whose precondition
  /// triggers later fail.
  void destroy(event precondition = event::none, site where = site::current()) const;

  /// The PE that has made it.
  constexpr int pe() const { return name_.pe(); }
  constexpr events::name name() const { return name_; }

  friend constexpr bool operator==(const reservation&, const reservation&) = default;

 private:
  events::name name_;
};

/// Makes a reservation that this PE owns and nobody holds. Does not communicate. Throws atl::error
/// (out_of_memory).
reservation make_reservation(site where = site::current());

/// What the reservations of one PE have done.
struct reservation_statistics {
  std::uint64_t grants = 0;      ///< of requests of this PE
  std::uint64_t migrations = 0;  ///< reservations that other PEs were given
  std::uint64_t leases = 0;      ///< shared grants to other PEs
  /// Grants of one PE past another that waited, at most. Of a PE that shared it with the owner, all
  /// of a lease but the first count.
  std::uint64_t most_overtaken = 0;

  void add(const reservation_statistics& other);
};

/// Those of this PE so far. Does not communicate.
reservation_statistics local_reservation_statistics();

}  // namespace atl
