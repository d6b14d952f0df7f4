#pragma once
// This file has the messages to the home of a phase barrier, the folding of values, and the rules
// for counting arrivals that come early.

#include "atoll/event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::events {

// Stamps determine which arrivals the home of a barrier may count. A PE may increase the number of
// expected arrivals. The PE sends the increase to the home and, by other messages, a handle to the
// tasks that will arrive. The arrivals of these tasks may be faster than the increase. The handle
// that `alter_expected` returns therefore carries a stamp, which identifies the increase. Arrivals
// through this handle are counted after the increase has come. An increase is counted as soon as it
// comes, because a phase may end late but never early. (The idea comes from the timestamps of
// Realm's barriers.)

/// The number of an increase, among all increases that one PE has sent to the home of the barrier.
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

/// The increases that one PE has received, for any barrier of which it is the home.
class increases_seen {
 public:
  /// Records the next increase of PE `pe`. The increase was made through a handle with the stamp
  /// `earlier`.
  void note(int pe, stamp earlier);

  /// Returns true if the increase `asked`, and all increases that it follows, have come.
  bool has(stamp asked) const;

 private:
  struct gap {
    stamp later;
    stamp missing;
  };

  std::unordered_map<int, std::uint64_t> seen_;  ///< number of increases that have come, by PE
  std::vector<gap> gaps_;  ///< increases that came before one that they follow
};

// Arrivals carry values, which are folded into one value by code that does not know their type. To
// fold is to combine by the operation of the barrier.

/// A function that combines `value` with the value at `into`, and stores the result at `into`.
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

/// Says how the values of a barrier are folded. A barrier without values has an empty identity.
struct value_folding {
  std::vector<std::byte> identity;
  fold_function fold;
};

template <class T, class Combine>
value_folding value_folding_by(const Combine& combine, const T& identity) {
  const auto bytes = std::as_bytes(std::span(&identity, 1));
  return {{bytes.begin(), bytes.end()}, folding_by<T>(combine)};
}

// Steps are the operations that are sent to the home of a phase barrier. All steps of a PE use one
// kind of message, so that they arrive in the order in which they were sent.

enum class step_kind : std::uint8_t {
  arrival,         ///< with a value if the barrier has values
  failed_arrival,  ///< with a fault
  alteration,
  destruction
};

struct barrier_step {
  name barrier;
  std::uint64_t phase = 0;
  stamp after;              ///< stamp of the handle that made the step
  std::int64_t amount = 0;  ///< number of arrivals, or change of the expected number
  step_kind kind = step_kind::arrival;
  site where;

  bool counts_with(const barrier_step& other) const {
    return barrier == other.barrier && phase == other.phase && after == other.after;
  }
  bool is_increase() const { return kind == step_kind::alteration && amount > 0; }
};

/// The value or fault that travels with a step.
struct step_load {
  std::span<const std::byte> value;
  const event_fault* fault = nullptr;
};

/// Sends a step to the home of the barrier, which must be another PE. The enclosing scope waits for
/// the message. Throws atl::error (overflow).
void send_step(const barrier_step& step, step_load load);

/// Asks the home of `barrier` to notify this PE when `phase` completes.
void send_ask(name barrier, std::uint64_t phase, site where);

/// Notifies PE `pe` that `phase` has completed. If `fault` is not null, the phase has failed.
void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault);

}  // namespace atl::events
