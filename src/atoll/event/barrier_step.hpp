#pragma once
// The home of a phase barrier is the PE that made the barrier. This file has the messages to and
// from the home, and functions that combine the values of arrivals. With the class `stamp`, the
// home notices if an arrival comes before the message that increases the number of expected
// arrivals.

#include "atoll/event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::events {

// To increase the number of arrivals that a barrier expects, a PE sends a message to the home of
// the barrier. The PE also sends a handle of the barrier to the tasks that will arrive at the
// barrier. An arrival from another PE can therefore overtake the message that increases the number
// of expected arrivals. The handle that `alter_expected` returns contains a stamp, which identifies
// the increase of the expected number. If a handle has a stamp, the home counts arrivals through
// the handle only after it has received the increase with this stamp. The home applies an increase
// of the expected number as soon as it receives the message. If the home applied an increase later,
// a phase could complete too early. (Barriers of the Realm runtime have timestamps for the same
// purpose.)

/// Identifies an increase of the number of expected arrivals by two numbers: the rank of the
/// increasing PE, and a sequence number. A PE numbers its increases for the same home PE in the
/// order of sending. A default-constructed stamp stands for no increase of the number of expected
/// arrivals.
class stamp {
 public:
  constexpr stamp() = default;
  constexpr stamp(int pe, std::uint64_t number)
      : word_(static_cast<std::uint64_t>(pe) << k_number_bits | number) {}

  constexpr bool is_none() const { return word_ == 0; }
  constexpr int pe() const { return static_cast<int>(word_ >> k_number_bits); }
  constexpr std::uint64_t number() const { return word_ & ((1ull << k_number_bits) - 1); }

  friend constexpr bool operator==(const stamp&, const stamp&) = default;

 private:
  static constexpr int k_number_bits = 48;

  std::uint64_t word_ = 0;
};

/// Records which increases of expected arrivals this PE has received so far, for all barriers that
/// this PE has made.
class increases_seen {
 public:
  /// Records that this PE has received the next increase of expected arrivals from PE `pe`. PE `pe`
  /// has made the increase through a handle with the stamp `earlier`.
  void note(int pe, stamp earlier);

  /// Returns true if this PE has received the increase with the stamp `asked`, and all increases on
  /// which that increase depends. An increase depends on an earlier increase if it was made through
  /// a handle with the stamp of the earlier increase.
  bool has(stamp asked) const;

 private:
  struct gap {
    stamp later;
    stamp missing;
  };

  std::unordered_map<int, std::uint64_t> seen_;  ///< number of increases received from each PE
  std::vector<gap> gaps_;  ///< received increases that depend on increases not received yet
};

// Arrivals may carry values. The home folds the values of a phase: it combines them into one value
// by the operation of the barrier. The code that combines values handles them as bytes, because it
// does not know their type.

/// A function that combines the values at `into` and `value`, and stores the result at `into`.
using fold_function = std::function<void(std::byte* into, const std::byte* value)>;

template <class T, class Combine>
fold_function folding_by(const Combine& combine) {
  return [combine](std::byte* into, const std::byte* value) {
    T present;
    T added;
    std::memcpy(&present, into, sizeof(T));
    std::memcpy(&added, value, sizeof(T));
    present = combine(present, added);
    std::memcpy(into, &present, sizeof(T));
  };
}

/// The operation by which the values of a barrier are combined, and the identity element of the
/// operation. If the barrier has no values, `identity` is empty.
struct value_folding {
  std::vector<std::byte> identity;
  fold_function fold;
};

template <class T, class Combine>
value_folding value_folding_by(const Combine& combine, const T& identity) {
  const auto bytes = std::as_bytes(std::span(&identity, 1));
  return {{bytes.begin(), bytes.end()}, folding_by<T>(combine)};
}

// A step is an operation on a phase barrier, which a PE sends to the home in a message. All steps
// use one kind of message, because only messages of one kind arrive in the order of sending.

enum class step_kind : std::uint8_t {
  arrival,         ///< arrivals at a phase, with a value if the barrier has values
  failed_arrival,  ///< arrivals whose precondition has failed, with the error of the precondition
  alteration,
  destruction
};

struct barrier_step {
  name barrier;
  std::uint64_t phase = 0;
  /// Stamp of the handle through which the program asked for the step. The home executes the step
  /// only after it has received the increase of expected arrivals with this stamp.
  stamp after;
  std::int64_t amount = 0;  ///< number of arrivals, or change of the expected number
  step_kind kind = step_kind::arrival;
  site where;

  bool counts_with(const barrier_step& other) const {
    return barrier == other.barrier && phase == other.phase && after == other.after;
  }
  bool is_increase() const { return kind == step_kind::alteration && amount > 0; }
};

/// The value or the error that is sent with a step.
struct step_load {
  std::span<const std::byte> value;
  const event_fault* fault = nullptr;
};

/// Sends `step` to the home of the barrier, which must be another PE. The enclosing scope waits
/// until the message has been executed. Throws atl::error (overflow).
void send_step(const barrier_step& step, step_load load);

/// Asks the home of `barrier` to notify this PE when `phase` completes.
void send_ask(name barrier, std::uint64_t phase, site where);

/// Notifies PE `pe` that `phase` of `barrier` has completed. If the phase has failed, `fault` is
/// its error. If the phase has not failed, `fault` is null.
void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault);

}  // namespace atl::events
