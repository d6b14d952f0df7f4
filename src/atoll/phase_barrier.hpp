#pragma once
// A phase barrier is a sequence of phases. Each phase has an event that triggers when a given
// number of arrivals have come. Arrivals may have values, which are folded (combined) into one
// value. Arriving and waiting are separate; any task or handler of any PE may do either. (Phase
// barriers follow the barriers of Realm, and the phasers of Habanero Java.)

#include "atoll/delegates.hpp"
#include "atoll/event.hpp"
#include "atoll/event/barrier_step.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace atl {

/// One phase of a barrier: a small value, which can be copied, stored in global memory and sent.
/// The first handle is the handle of phase 0. Tasks and handlers of any PE may call the functions.
/// Only awaited calls suspend the task. If the comment of a function says nothing else, a call
/// sends at most one message.
///
/// A phase completes when all arrivals that it expects have come and all phases before it have
/// completed. If no more arrivals are expected at all, all phases have completed.
class phase_barrier {
 public:
  constexpr phase_barrier() = default;
  constexpr phase_barrier(events::name barrier, std::uint64_t phase, events::stamp after)
      : barrier_(barrier), phase_(phase), after_(after) {}

  /// When `precondition` has triggered, makes `count` arrivals at this phase. The phase need not
  /// have begun. If the precondition fails, the arrivals are made nevertheless, and this phase
  /// fails with the error of the first failed precondition. Phases after a failed phase do not
  /// fail. Does not block.
  ///
  /// The arrivals of tasks that are ready at the same time are sent in one message. If the barrier
  /// belongs to another PE, the enclosing scope of the first arriving task waits until the message
  /// has come.
  ///
  /// If there are more arrivals than expected, throws atl::error (input), whose text names the
  /// places of the barrier and of this call. If the barrier belongs to another PE, the enclosing
  /// scope of the first arriving task gets the error.
  void arrive(std::uint64_t count = 1, event precondition = event::none,
              site where = site::current()) const;

  /// Returns the handle of the next phase. Does not communicate.
  phase_barrier next() const { return advance(1); }
  /// Returns the handle of the phase `phases` later. Does not communicate.
  phase_barrier advance(std::uint64_t phases) const { return {barrier_, phase_ + phases, after_}; }

  /// Makes this phase and all later ones expect `delta` more arrivals, or fewer if `delta` is
  /// negative. Only a caller whose own arrival at this phase is still missing may add arrivals.
  /// Otherwise, this phase could complete before the change. Use the returned handle for the added
  /// arrivals, on any PE. Added arrivals are counted after this increase, even if their messages
  /// come earlier.
  ///
  /// Does not block. The enclosing scope waits for the call. Throws atl::error (overflow). Throws
  /// atl::error (input) if the phase has completed, or if fewer arrivals would be expected than
  /// have come. For a barrier of another PE, the scope gets the input error.
  phase_barrier alter_expected(std::int64_t delta, site where = site::current()) const;

  /// Returns an event of this PE that triggers when this phase completes. The phase may have
  /// completed already, or may not have begun. The event fails if the barrier was destroyed, or if
  /// the precondition of an arrival has failed. All tasks of this PE get the same event, so that
  /// only one request and one answer are sent per PE and phase.
  event completion(site where = site::current()) const;
  operator event() const { return completion({}); }

  /// Suspends the task until the phase has completed: `co_await b`. If the phase has failed, throws
  /// its failure.
  auto operator co_await() const;

  /// Destroys the barrier. Call this function once, after all operations of other PEs on the
  /// barrier have arrived. Tasks that wait for a phase get an error. Does not block. The enclosing
  /// scope waits for the call. Throws atl::error (overflow).
  void destroy(site where = site::current()) const;

  /// Returns the PE that has made the barrier.
  constexpr int pe() const { return barrier_.pe(); }
  constexpr std::uint64_t phase() const { return phase_; }
  constexpr events::name barrier() const { return barrier_; }

  friend constexpr bool operator==(const phase_barrier&, const phase_barrier&) = default;

 protected:
  events::barrier_step step(events::step_kind kind, std::uint64_t amount, site where) const {
    return {barrier_, phase_, after_, static_cast<std::int64_t>(amount), kind, where};
  }

 private:
  events::name barrier_;
  std::uint64_t phase_ = 0;
  events::stamp after_;
};

/// Makes a barrier of this PE whose phases expect `expected` arrivals, at least 1. Does not
/// communicate. Throws atl::error (input, out_of_memory).
phase_barrier make_phase_barrier(std::uint64_t expected, site where = site::current());

namespace events {

/// Suspends the task until the phase has completed. This class is an awaitable.
class phase_ending {
 public:
  explicit phase_ending(const phase_barrier& awaited) : awaited_(awaited) {}

  bool await_ready(site where = site::current()) {
    completion_ = ending(awaited_.completion(where).name());
    return completion_.await_ready();
  }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended, site where = site::current()) {
    completion_.await_suspend(suspended, where);
  }
  /// If the phase has failed, throws its failure.
  void await_resume() { completion_.await_resume(); }

 private:
  phase_barrier awaited_;
  ending completion_{name()};
};

}  // namespace events

inline auto phase_barrier::operator co_await() const { return events::phase_ending(*this); }

namespace events {

/// When the precondition has triggered or failed, makes the arrival.
void arrive_after(event precondition, const barrier_step& arrival, std::span<const std::byte> value,
                  fold_function fold);

/// Makes a barrier whose phases expect `expected` arrivals. `folding` is empty for a barrier
/// without values.
name make_barrier(std::uint64_t expected, value_folding folding, site where);

/// Copies the value of a phase of a barrier of this PE to `to`. Returns false if the phase has not
/// completed.
bool copy_value(name barrier, std::uint64_t phase, std::span<std::byte> to, site where);

}  // namespace events

/// A phase barrier whose arrivals carry values of type T. `Combine` folds two values. The function
/// must be associative and commutative, because values are folded in any order. The other rules are
/// those of `phase_barrier`.
template <class T, class Combine>
class reducing_barrier : public phase_barrier {
  static_assert(message::bitwise_copyable<T> && message::bitwise_copyable<Combine>,
                "values and the operation travel, so they must be trivially copyable");

 public:
  constexpr reducing_barrier(phase_barrier phase, const Combine& combine)
      : phase_barrier(phase), combine_(combine) {}

  /// When `precondition` has triggered, makes one arrival with `value` at this phase. The other
  /// rules are those of `phase_barrier::arrive`.
  void arrive(const T& value, event precondition = event::none,
              site where = site::current()) const {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    events::arrive_after(precondition, step(events::step_kind::arrival, 1, where), bytes,
                         events::folding_by<T>(combine_));
  }

  /// Returns the handle of the next phase. Does not communicate.
  reducing_barrier next() const { return advance(1); }
  /// Returns the handle of the phase `phases` later. Does not communicate.
  reducing_barrier advance(std::uint64_t phases) const {
    return {phase_barrier::advance(phases), combine_};
  }
  /// Makes this phase and all later ones expect `delta` more arrivals, or fewer if `delta` is
  /// negative. The rules are those of `phase_barrier::alter_expected`.
  reducing_barrier alter_expected(std::int64_t delta, site where = site::current()) const {
    return {phase_barrier::alter_expected(delta, where), combine_};
  }

  /// Suspends the task until the phase has completed, and returns its value. If the phase has
  /// failed, throws its failure. Throws atl::error (input) if the value is no longer kept: the
  /// values of the last 16 phases with values are kept. The call needs at most two requests and two
  /// answers.
  task<T> result(site where = site::current()) const {
    const reducing_barrier self = *this;
    co_await self.completion(where);
    co_return *co_await self.try_result(where);
  }

  /// Returns the value of the phase without waiting for the phase. Returns nothing if the phase has
  /// not completed. Suspends the task until the answer has arrived. Throws the errors of `result`.
  task<std::optional<T>> try_result(site where = site::current()) const {
    const auto read = [barrier = barrier(), phase = phase(),
                       from = transport::travelling_site(where)] {
      found_value found{};
      found.known = events::copy_value(barrier, phase,
                                       std::as_writable_bytes(std::span(&found.value, 1)), from);
      return found;
    };
    const found_value found = co_await call(pe(), read, where);
    co_return found.known ? std::optional<T>(found.value) : std::nullopt;
  }

 private:
  struct found_value {
    T value;
    bool known;
  };

  [[no_unique_address]] Combine combine_;
};

/// Makes a barrier of this PE whose arrivals carry values. The value of a phase is `identity`
/// before the first arrival with a value. `expected` is the number of arrivals per phase, at least
/// 1. Does not communicate. Throws atl::error (input, out_of_memory).
template <class T, class Combine>
reducing_barrier<T, Combine> make_reducing_barrier(std::uint64_t expected, const T& identity,
                                                   const Combine& combine,
                                                   site where = site::current()) {
  const events::name made =
      events::make_barrier(expected, events::value_folding_by<T>(combine, identity), where);
  return {phase_barrier(made, 0, {}), combine};
}

/// Folds two values into the smaller one, for `make_reducing_barrier`.
struct minimum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return std::min(a, b);
  }
};
/// Folds two values into the larger one, for `make_reducing_barrier`.
struct maximum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return std::max(a, b);
  }
};

}  // namespace atl
