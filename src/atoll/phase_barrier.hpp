#pragma once
// Phase barriers: an event that triggers when so many arrivals have come, again and again, and a
// value that the arrivals have folded. Arriving and waiting are separate, and each may be done by
// any task or handler of any PE. (After the barriers of Realm; phasers of Habanero Java.)

#include "atoll/delegates.hpp"
#include "atoll/event.hpp"
#include "atoll/event/barrier_step.hpp"
#include "atoll/event/value_folding.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace atl {

/// One phase of a barrier: a small value to copy, store in global memory and send. The first handle
/// is that of phase 0. Only what is awaited waits, and only where nothing else is said does a
/// function send more than a message.
///
/// A phase completes when all arrivals have come that it expects, and all phases before it have
/// completed. Where nothing is expected any more, all phases have.
class phase_barrier {
 public:
  constexpr phase_barrier() = default;
  constexpr phase_barrier(events::name barrier, std::uint64_t phase, events::stamp after)
      : barrier_(barrier), phase_(phase), after_(after) {}

  /// So many arrivals at this phase, or at a later one before it has begun, once `precondition`
  /// has triggered. If that fails they count, and the phase fails with the same error, the first
  /// of several; later phases do not. Those of the tasks that are ready together travel together.
  /// An arrival at a barrier of another PE has come when the scope ends of the task that was first
  /// among these. Throws atl::error (input) beyond what is expected, which names the place where
  /// the barrier was made and this one; where the barrier is another PE's, that leaves the scope.
  void arrive(std::uint64_t count = 1, event precondition = event::none,
              site where = site::current()) const;

  /// The following phase.
  phase_barrier next() const { return advance(1); }
  phase_barrier advance(std::uint64_t phases) const { return {barrier_, phase_ + phases, after_}; }

  /// This phase and all later ones expect so many more arrivals, or fewer. Whoever calls it for
  /// more has to be among those that this phase still waits for. What it has made room for is done
  /// through the handle that is returned, which may be sent anywhere: it counts after this, however
  /// messages travel. Counted by the enclosing scope. Throws atl::error (overflow; input where the
  /// phase has completed, or has got more arrivals than would be left, as `arrive`).
  phase_barrier alter_expected(std::int64_t delta, site where = site::current()) const;

  /// Triggers when this phase completes, which may have been long ago or be phases ahead; fails
  /// with the first precondition that has, or where the barrier was destroyed. An event of this PE,
  /// and the same for all its tasks: one message for each PE and phase there and one back.
  event completion(site where = site::current()) const;
  operator event() const { return completion({}); }

  /// `co_await b` waits for its completion.
  auto operator co_await() const;

  /// The barrier is not used any more; who waits for a phase is told with an error. Once, when all
  /// has come that other PEs do with it. Counted by the enclosing scope. Throws atl::error
  /// (overflow).
  void destroy(site where = site::current()) const;

  /// The PE that has made it.
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

/// Makes a barrier of this PE whose phases expect so many arrivals, at least one. Does not
/// communicate. Throws atl::error (input, out_of_memory).
phase_barrier make_phase_barrier(std::uint64_t expected, site where = site::current());

namespace events {

/// Awaitable: the phase has completed.
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
  /// Throws what the phase has failed with.
  void await_resume() { completion_.await_resume(); }

 private:
  phase_barrier awaited_;
  ending completion_{name()};
};

}  // namespace events

inline auto phase_barrier::operator co_await() const { return events::phase_ending(*this); }

namespace events {

/// Arrives when the precondition has triggered or failed.
void arrive_after(event precondition, const barrier_step& arrival, std::span<const std::byte> value,
                  fold_function fold);

/// A barrier with values.
name make_barrier(std::uint64_t expected, value_folding folding, site where);

/// The value of a phase of a barrier of this PE; false: it has not completed.
bool copy_value(name barrier, std::uint64_t phase, std::span<std::byte> to, site where);

}  // namespace events

/// A phase barrier whose arrivals bring values of T, folded by `Combine`, a function of two values
/// that is associative and commutative: they are folded in any order. Otherwise as `phase_barrier`.
template <class T, class Combine>
class reducing_barrier : public phase_barrier {
  static_assert(message::travels<T> && message::travels<Combine>,
                "values and the operation travel, so they must be trivially copyable");

 public:
  constexpr reducing_barrier(phase_barrier phase, const Combine& combine)
      : phase_barrier(phase), combine_(combine) {}

  /// One arrival with a value.
  void arrive(const T& value, event precondition = event::none,
              site where = site::current()) const {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    events::arrive_after(precondition, step(events::step_kind::arrival, 1, where), bytes,
                         events::folding_by<T>(combine_));
  }

  reducing_barrier next() const { return advance(1); }
  reducing_barrier advance(std::uint64_t phases) const {
    return {phase_barrier::advance(phases), combine_};
  }
  reducing_barrier alter_expected(std::int64_t delta, site where = site::current()) const {
    return {phase_barrier::alter_expected(delta, where), combine_};
  }

  /// Waits until the phase has completed and returns its value; throws what the phase has failed
  /// with, and atl::error (input) where its value is not kept any more: those of the last 16 phases
  /// are that have got any. One message there and one back.
  task<T> result(site where = site::current()) const {
    const reducing_barrier self = *this;
    co_await self.completion(where);
    co_return *co_await self.try_result(where);
  }

  /// The same without waiting for the phase: empty where it has not completed.
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

/// Makes a barrier of this PE, whose value is `identity` before anybody has arrived with one.
/// Otherwise as `make_phase_barrier`.
template <class T, class Combine>
reducing_barrier<T, Combine> make_reducing_barrier(std::uint64_t expected, const T& identity,
                                                   const Combine& combine,
                                                   site where = site::current()) {
  const events::name made =
      events::make_barrier(expected, events::value_folding_by<T>(combine, identity), where);
  return {phase_barrier(made, 0, {}), combine};
}

/// Operations for `make_reducing_barrier`, beside std::plus<>.
struct minimum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return std::min(a, b);
  }
};
struct maximum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return std::max(a, b);
  }
};

}  // namespace atl
