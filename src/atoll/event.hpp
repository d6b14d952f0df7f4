#pragma once
// Tasks, copies and other events can wait for an event. This header also has events that depend on
// several others, the withdrawal of operations, and reservations: locks that a program requests
// without blocking. The page docs/explanation/memory-model.md says what is visible after an event.

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

// A task, a copy or another event can wait for an event without blocking anything. (Deferred
// execution follows Treichler, Bauer and Aiken: Realm, PACT 2014.)
//
// An event triggers or fails once, and never changes after that. The name of an event stays valid
// as long as the job lives, although the event's memory is reused for other events. Tasks and
// handlers of any PE may call the functions below. Only `co_await` suspends the task. `withdraw`
// may send many messages, and any other call sends at most two.

class outside_event;
class outside_user_event;

/// The reason why an event has failed: the first error among all events that it depends on.
struct event_fault {
  std::exception_ptr failure;  ///< if from another PE, an atl::error with its text
  site where;                  ///< the line that raised the error
  int pe = 0;                  ///< the PE that raised the error
};

namespace events {

/// Returns whether the event has triggered or failed, as far as this PE knows.
bool has_ended(name asked, site where);

/// Returns true if this PE knows how the event has ended: that the event has triggered, or that it
/// has failed.
bool is_known(name asked);

/// Returns the fault of the event. Returns null if the event has not failed, as far as this PE
/// knows.
const event_fault* fault_of(name asked);

/// Makes the PE of the event notify this PE when the event has ended.
void subscribe(name asked, site where);

/// Makes the task of the frame `suspended` ready when the event `awaited` has ended.
void make_ready_after(name awaited, tasks::frame& suspended);

/// Suspends the task until the event has ended. This class is an awaitable.
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

  /// If the event has failed, throws its failure.
  void await_resume();

 protected:
  const event_fault* resumed();

 private:
  name awaited_;
  // The waiting task, if the task has given up its place as a worker (see the setting `workers`)
  // while it waits; null otherwise.
  tasks::root* worker_ = nullptr;
};

/// Suspends the task until the event has ended, and returns its fault, if there is one. This class
/// is an awaitable.
struct settled_ending : ending {
  using ending::ending;
  std::optional<event_fault> await_resume();
};

}  // namespace events

/// The name of an event: a value of 64 bits, which can be copied, stored in global memory and sent.
/// A default-constructed event is `event::none`, and so is an event in zeroed memory.
class event {
 public:
  constexpr event() = default;
  constexpr explicit event(events::name known) : name_(known) {}

  /// An event that has always triggered.
  static const event none;

  /// Returns whether the event has triggered or failed, as far as this PE knows. Does not
  /// communicate. For an event of another PE, the answer is reliable only after a wait, or some
  /// time after `subscribe`. Throws atl::error (input) if this PE never made such an event, or if
  /// the event belongs to a job that has ended. Other functions of this class throw the same errors
  /// for such events.
  bool has_triggered(site where = site::current()) const { return events::has_ended(name_, where); }

  /// Returns whether the event has failed, as far as this PE knows. Does not communicate.
  bool is_poisoned() const { return events::fault_of(name_) != nullptr; }

  /// Makes the PE of the event notify this PE of the end of the event, so that `has_triggered`
  /// becomes true on this PE. Does not block. Sends one message per PE and event.
  void subscribe(site where = site::current()) const { events::subscribe(name_, where); }

  /// Suspends the task until the event has triggered: `co_await e`. Any number of tasks on any PEs
  /// may await an event. If the event fails, throws its failure.
  auto operator co_await() const { return events::ending(name_); }

  /// Suspends the task until the event has triggered or failed: `co_await e.settled()`. Returns the
  /// fault of the event, if there is one.
  auto settled() const { return events::settled_ending(name_); }

  /// Makes a handle of the event for a thread of this process that is not a PE (deferred.hpp). Does
  /// not block. This PE subscribes to the event.
  outside_event outside(site where = site::current()) const;

  /// Returns the PE that has made the event.
  constexpr int pe() const { return name_.pe(); }
  constexpr events::name name() const { return name_; }

  friend constexpr bool operator==(const event&, const event&) = default;

 private:
  events::name name_;
};

inline constexpr event event::none{};

/// An event that the program triggers itself. A user event is a value, like `event`. Any task or
/// handler on any PE that has the value may trigger the event.
class user_event : public event {
 public:
  constexpr user_event() = default;
  constexpr explicit user_event(events::name known) : event(known) {}

  /// Triggers the event. Does not block. If the event belongs to another PE, the event has
  /// triggered when the enclosing scope ends. If the event has ended before, or `trigger_when` was
  /// called for it, throws atl::error (input), whose text names both places. If the event belongs
  /// to another PE, the enclosing scope gets the input error instead. Also throws atl::error
  /// (overflow).
  void trigger(site where = site::current()) const;

  /// Makes the event fail with `failure`. Everything that depends on the event is cancelled and
  /// fails with the same error. Does not block. Throws the errors of `trigger`.
  void poison(std::exception_ptr failure, site where = site::current()) const;
  /// Makes the event fail with `failure`. Everything that depends on the event is cancelled and
  /// fails with the same error. Does not block. Throws the errors of `trigger`.
  void poison(const error& failure, site where = site::current()) const {
    poison(std::make_exception_ptr(failure), where);
  }

  /// Makes a handle for a thread of this process that is not a PE. The thread may also trigger the
  /// event. For an event of another PE, this call acts like `trigger_when`: nothing else may
  /// trigger the event. Does not block. Throws atl::error (input) if PEs are simulated, because
  /// there are no threads beside simulated PEs.
  outside_user_event outside(site where = site::current()) const;
};

/// Makes an event of this PE. Does not communicate. Throws atl::error (out_of_memory).
user_event make_user_event(site where = site::current());

// The next functions make events that depend on several other events of any PEs. The new event
// belongs to the PE of the caller. If an input would behave the same as the new event, the function
// returns that input.

namespace events {

template <class Range>
concept of_events = std::ranges::input_range<Range> &&
                    std::convertible_to<std::ranges::range_reference_t<Range>, event>;

/// Calls `function(std::span<const event>)` with the events of `range`.
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

/// Returns an event that triggers when all `inputs` have triggered. As soon as an input fails, the
/// event fails with the error of that input. Does not block. Throws atl::error (out_of_memory).
event merge_events(std::span<const event> inputs, site where = site::current());
/// Returns an event that triggers when all `inputs` have triggered, and fails as soon as an input
/// fails.
inline event merge_events(std::initializer_list<event> inputs, site where = site::current()) {
  return merge_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
/// Returns an event that triggers when all `inputs` have triggered, and fails as soon as an input
/// fails.
template <events::of_events Range>
event merge_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return merge_events(all, where); });
}

/// Returns an event that triggers when the first of `inputs` triggers. If all inputs fail, the
/// event fails with the first of their errors. Does not block. Throws atl::error (out_of_memory).
event any_of_events(std::span<const event> inputs, site where = site::current());
/// Returns an event that triggers when the first of `inputs` triggers, and fails when all inputs
/// have failed.
inline event any_of_events(std::initializer_list<event> inputs, site where = site::current()) {
  return any_of_events(std::span<const event>(inputs.begin(), inputs.size()), where);
}
/// Returns an event that triggers when the first of `inputs` triggers, and fails when all inputs
/// have failed.
template <events::of_events Range>
event any_of_events(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return any_of_events(all, where); });
}

/// Returns an event that triggers when all `inputs` have triggered or failed, and never fails. An
/// operation that waits for this event begins in any case. Does not block. Throws atl::error
/// (out_of_memory).
event ignore_faults(std::span<const event> inputs, site where = site::current());
/// Returns an event that triggers when all `inputs` have triggered or failed, and never fails.
inline event ignore_faults(std::initializer_list<event> inputs, site where = site::current()) {
  return ignore_faults(std::span<const event>(inputs.begin(), inputs.size()), where);
}
/// Returns an event that triggers when `input` has triggered or failed, and never fails.
inline event ignore_faults(event input, site where = site::current()) {
  return ignore_faults(std::span<const event>(&input, 1), where);
}
/// Returns an event that triggers when all `inputs` have triggered or failed, and never fails.
template <events::of_events Range>
event ignore_faults(Range&& inputs, site where = site::current()) {
  return events::with_span(inputs, [where](auto all) { return ignore_faults(all, where); });
}

// The next function withdraws operations that have not begun.

/// Withdraws the operation of the event `result`, if the operation has not begun. A withdrawn
/// operation never begins, its memory is freed, and `result` fails with atl::error (withdrawn). The
/// text of the error names the places of the request and of the withdrawal. `co_await withdraw(e)`
/// returns true if this call has withdrawn the operation. The call returns false if the operation
/// may begin, has begun, has ended, or was withdrawn by another call.
///
/// `result` may be the event of `spawn_when`, `copy_when` or `fill_when`, or a user event after
/// `trigger_when`. `result` may also be the event of an `acquire` that was not granted yet, or of a
/// `release` that waits for its precondition. A task of any PE may call this function.
///
/// The task is suspended until two PEs have answered: the PE that made the event, and the PE that
/// holds the operation. For a user event without `trigger_when`, the task waits for messages from
/// all PEs. The time of a withdrawal grows with the number of waiters for the same precondition.
/// Throws atl::error (input) if `result` is not the event of an operation. Also throws atl::error
/// (overflow).
task<bool> withdraw(event result, site where = site::current());

// A reservation is a lock whose acquisition is deferred: an event tells when the lock is held, and
// nothing blocks. (Reservations come from Treichler, Bauer and Aiken: Realm, PACT 2014.)
//
// One PE at a time owns a reservation and grants it. Another PE that requests the reservation
// becomes the owner in turn, and the waiting requests move with the ownership. A reservation in a
// shared mode may be held on several PEs at once.

/// The mode in which a reservation is held: by one holder alone, or together with all holders of
/// the same shared mode.
class reservation_mode {
 public:
  /// Makes the exclusive mode.
  constexpr reservation_mode() = default;
  /// Makes a shared mode. Shared modes with different numbers exclude each other. Throws atl::error
  /// (input) if `number` is 2^32 - 1.
  static constexpr reservation_mode shared(std::uint32_t number = 0, site where = site::current()) {
    if (number == UINT32_MAX) refuse_number(where);
    return reservation_mode(number + 1);
  }

  constexpr bool is_exclusive() const { return word_ == 0; }
  constexpr std::uint32_t word() const { return word_; }
  static constexpr reservation_mode from_word(std::uint32_t word) { return reservation_mode(word); }

  friend constexpr bool operator==(reservation_mode, reservation_mode) = default;

 private:
  constexpr explicit reservation_mode(std::uint32_t word) : word_(word) {}
  [[noreturn]] static void refuse_number(site where);

  std::uint32_t word_ = 0;
};

inline constexpr reservation_mode exclusive{};

/// The name of a reservation: a value of 64 bits, which can be copied, stored in global memory and
/// sent. Tasks and handlers of any PE may call the functions. Only `try_acquire` suspends the task.
/// The PE that has acquired a reservation must release it.
class reservation {
 public:
  constexpr reservation() = default;
  constexpr explicit reservation(events::name known) : name_(known) {}

  /// Requests the reservation when `precondition` has triggered. The returned event triggers when
  /// the reservation is held. If the precondition fails, the event fails and the reservation is not
  /// held. Does not block.
  ///
  /// Requests of one PE are granted in their order. Requests of the owning PE may overtake a
  /// waiting request of another PE, but at most --unfairness times. If several PEs share the
  /// reservation, the limit --unfairness applies to each sharing PE separately.
  ///
  /// Throws atl::error (input) if this PE knows that the reservation was destroyed. Also throws
  /// atl::error (out_of_memory). If only another PE knows that the reservation was destroyed, the
  /// job ends with the error.
  event acquire(event precondition = event::none, reservation_mode mode = exclusive,
                site where = site::current()) const;

  /// Acquires the reservation if it is free: `co_await door.try_acquire()` returns true if the
  /// reservation is held now. Returns false if the reservation is held in a mode that excludes
  /// `mode`, or if an `acquire` on this PE would have to wait behind other requests. If another PE
  /// has released its share of the reservation, the owner learns this only by a message, so the
  /// call may still return false.
  ///
  /// If another PE owns the reservation, the task is suspended until some messages have been
  /// answered, but never until the reservation is released. Throws the errors of `acquire`, and
  /// atl::error (input) if the reservation was destroyed.
  task<bool> try_acquire(reservation_mode mode = exclusive, site where = site::current()) const;

  /// Releases the reservation when `precondition` has triggered or failed. The returned event
  /// triggers when the reservation is released, or fails with the error of a failed `precondition`.
  /// Does not block. If this PE does not hold the reservation, throws atl::error (input), or makes
  /// the event fail with this error.
  ///
  /// `held` is the event that `acquire` returned on this PE. The release never comes before `held`
  /// has triggered. If the precondition triggers or fails earlier, the reservation is released as
  /// soon as it is granted. If `held` fails, nothing is released, and the returned event fails with
  /// the same error.
  event release(event precondition = event::none, event held = event::none,
                site where = site::current()) const;

  /// Frees the memory of the reservation when `precondition` has triggered and no task holds the
  /// reservation or waits for it. Call this function once. Does not block. If the precondition
  /// fails, the reservation is not destroyed. A request fails if its own precondition triggers only
  /// after the destruction.
  void destroy(event precondition = event::none, site where = site::current()) const;

  /// Returns the PE that has made the reservation.
  constexpr int pe() const { return name_.pe(); }
  constexpr events::name name() const { return name_; }

  friend constexpr bool operator==(const reservation&, const reservation&) = default;

 private:
  events::name name_;
};

/// Makes a reservation that this PE owns and that is free. Does not communicate. Throws atl::error
/// (out_of_memory).
reservation make_reservation(site where = site::current());

/// Statistics of the reservations on one PE.
struct reservation_statistics {
  std::uint64_t grants = 0;      ///< number of requests of this PE that were granted
  std::uint64_t migrations = 0;  ///< number of times that another PE became the owner
  /// Number of times that another PE was allowed to share a reservation.
  std::uint64_t leases = 0;
  /// The largest number of grants by which one PE overtook a waiting request of another PE. If a PE
  /// shared a reservation with its owner, every grant on that PE counts as overtaking, except for
  /// the first grant.
  std::uint64_t most_overtaken = 0;

  /// Adds the numbers of another PE. The member `most_overtaken` becomes the larger of the two
  /// values.
  void add(const reservation_statistics& other);
};

/// Returns the statistics of this PE so far. Does not communicate.
reservation_statistics local_reservation_statistics();

}  // namespace atl
