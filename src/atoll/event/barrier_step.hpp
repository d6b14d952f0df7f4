#pragma once
// Messages to the home of a phase barrier, the folding of values, and the rules for counting
// arrivals that come early.

#include "atoll/event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::events {

// Stamps determine which arrivals may be counted. A PE that expects more arrivals notifies the home
// of the barrier and, by other messages, the tasks that will arrive. Their arrivals may be faster.
// Therefore the handle that `alter_expected` returns carries a stamp, which names an increase of
// that PE. Arrivals through the handle count after that increase has come. An increase counts as
// soon as it comes: a phase then ends late, never early. (After the timestamps of Realm's
// barriers.)

/// The number of an increase among those that a PE has sent to the home of the barrier.
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

/// The increases that one PE has received, for any of its barriers.
class increases_seen {
 public:
  /// Records the next increase of `pe`, which was made through a handle with the stamp `earlier`.
  void note(int pe, stamp earlier);

  /// Returns true if the increase `asked` and all that it followed have come.
  bool has(stamp asked) const;

 private:
  struct gap {
    stamp later;
    stamp missing;
  };

  std::unordered_map<int, std::uint64_t> seen_;  ///< how many, by PE
  std::vector<gap> gaps_;                        ///< increases before one that they follow
};

// Values that arrivals carry are folded into one, by code that does not know their type.

/// A function that folds `value` into `into`.
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

/// Describes how the values of a barrier are folded. A barrier without values has an empty
/// identity.
struct value_folding {
  std::vector<std::byte> identity;
  fold_function fold;
};

template <class T, class Combine>
value_folding value_folding_by(const Combine& combine, const T& identity) {
  const auto bytes = std::as_bytes(std::span(&identity, 1));
  return {{bytes.begin(), bytes.end()}, folding_by<T>(combine)};
}

// Steps are sent to the home of a phase barrier. All steps of one PE use one kind of message, so
// that they come in the order in which they were sent.

enum class step_kind : std::uint8_t {
  arrival,         ///< with a value, where the barrier has values
  failed_arrival,  ///< with a fault
  alteration,
  destruction
};

struct barrier_step {
  name barrier;
  std::uint64_t phase = 0;
  stamp after;              ///< stamp of the handle that made the step
  std::int64_t amount = 0;  ///< arrivals, or the change of the expected arrivals
  step_kind kind = step_kind::arrival;
  site where;

  bool counts_with(const barrier_step& other) const {
    return barrier == other.barrier && phase == other.phase && after == other.after;
  }
  bool is_increase() const { return kind == step_kind::alteration && amount > 0; }
};

/// The payload of a step.
struct step_load {
  std::span<const std::byte> value;
  const event_fault* fault = nullptr;
};

/// Sends a step to the home of the barrier, which must be another PE. The enclosing scope counts
/// the message. Throws atl::error (overflow).
void send_step(const barrier_step& step, step_load load);

/// Asks the home of `barrier` to notify this PE when `phase` completes.
void send_ask(name barrier, std::uint64_t phase, site where);

/// Notifies PE `pe` that `phase` has completed or, if `fault` is not null, failed.
void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault);

}  // namespace atl::events
