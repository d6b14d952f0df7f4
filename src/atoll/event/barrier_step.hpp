#pragma once
// What PEs tell the home of a phase barrier, how the values of arrivals are folded, and which
// arrivals may be counted already.

#include "atoll/event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace atl::events {

// Which arrivals may be counted already. A PE that expects more arrivals tells the home of the
// barrier and, by other messages, those that are to arrive: they may be faster. So the handle that
// `alter_expected` returns carries a stamp, an increase of that PE, and what is done through the
// handle counts when that increase has come. An increase itself counts as soon as it comes: a phase
// then ends late, never early. (After the timestamps of Realm's barriers.)

/// The n-th increase that a PE has sent to the home of the barrier.
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

/// The increases that have come to one PE, for whichever of its barriers.
class increases_seen {
 public:
  /// The next one of `pe` has come, made through a handle with the stamp `earlier`.
  void note(int pe, stamp earlier);

  /// That increase has come, and all that it followed.
  bool has(stamp asked) const;

 private:
  struct gap {
    stamp later;
    stamp missing;
  };

  std::unordered_map<int, std::uint64_t> seen_;  ///< how many, by PE
  std::vector<gap> gaps_;                        ///< came before what they followed
};

// How the values that arrivals carry become one, where their type is not known.

/// Folds the value into what is there.
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

/// How the values of a barrier are folded. Without bytes there are none.
struct value_folding {
  std::vector<std::byte> identity;
  fold_function fold;
};

template <class T, class Combine>
value_folding value_folding_by(const Combine& combine, const T& identity) {
  const auto bytes = std::as_bytes(std::span(&identity, 1));
  return {{bytes.begin(), bytes.end()}, folding_by<T>(combine)};
}

// What PEs tell the home of a phase barrier: everything of one PE in one kind of message, so that
// it comes in the order in which it was sent.

enum class step_kind : std::uint8_t {
  arrival,         ///< with a value, where the barrier has values
  failed_arrival,  ///< with a fault
  alteration,
  destruction
};

struct barrier_step {
  name barrier;
  std::uint64_t phase = 0;
  stamp after;              ///< of the handle it was made through
  std::int64_t amount = 0;  ///< arrivals, or how many more are expected
  step_kind kind = step_kind::arrival;
  site where;

  bool counts_with(const barrier_step& other) const {
    return barrier == other.barrier && phase == other.phase && after == other.after;
  }
  bool is_increase() const { return kind == step_kind::alteration && amount > 0; }
};

/// What a step comes with.
struct step_load {
  std::span<const std::byte> value;
  const event_fault* fault = nullptr;
};

/// To another PE, which is the barrier's. Counted by the enclosing scope. Throws atl::error
/// (overflow).
void send_step(const barrier_step& step, step_load load);

/// The home of a barrier is to tell this PE when the phase completes.
void send_ask(name barrier, std::uint64_t phase, site where);

/// It has completed, or failed.
void send_completion(int pe, name barrier, std::uint64_t phase, const event_fault* fault);

}  // namespace atl::events
