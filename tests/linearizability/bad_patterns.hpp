#pragma once
// Decides whether a history with distinct values is linearizable. The decision takes polynomial
// time, even if many operations overlap.
//
// The history of a queue is linearizable if it contains none of four patterns:
// * A value is popped although it was never pushed, or before its push began.
// * A value is popped twice.
// * Two values are popped in another order than the order of their pushes.
// * A pop finds nothing although the queue contained a value during the whole pop.
//
// The source is Henzinger, Sezgin, Vafeiadis, Aspect-Oriented Linearizability Proofs, 2013.
//
// The decision about a stack divides the history recursively. A value whose push and pop overlap
// can be ignored. The stack can be empty at any moment at which no value is between its push and
// its pop. At a moment when the stack can be empty, the history is divided into two parts that are
// decided separately. If the stack is never empty, one value must be below all other values. A
// value can be below all others if its push can be the first operation, and its pop the last
// operation.

#include "linearizability/history.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace atl::test {

/// The times of the push and the pop of a value. A value that was never popped is treated as popped
/// at the end of time.
struct lifetime {
  operation push;
  operation pop;

  /// The value is certainly in the structure from `certain_from()` to `certain_to()`.
  std::uint64_t certain_from() const { return push.end; }
  std::uint64_t certain_to() const { return pop.begin; }
  bool is_certain() const { return push.end < pop.begin; }
};

inline constexpr std::uint64_t k_end_of_time = std::numeric_limits<std::uint64_t>::max() / 2;

/// Finds the lifetimes of all values. Returns false if a value is popped twice, is popped without a
/// push, or is popped before its push began.
inline bool find_lifetimes(std::span<const operation> all, std::vector<lifetime>& found) {
  std::map<std::uint64_t, lifetime> of_value;
  operation never;
  never.begin = k_end_of_time;
  never.end = k_end_of_time + 1;
  for (const auto& one : all)
    if (one.is_push && !of_value.emplace(one.value, lifetime{one, never}).second) return false;
  for (const auto& one : all) {
    if (one.is_push || one.is_empty) continue;
    const auto pushed = of_value.find(one.value);
    if (pushed == of_value.end() || pushed->second.pop.begin != k_end_of_time) return false;
    if (precedes(one, pushed->second.push)) return false;
    pushed->second.pop = one;
  }
  for (const auto& [value, life] : of_value) found.push_back(life);
  return true;
}

/// Returns the first moment from `from` on at which no value is certainly in the structure.
inline std::uint64_t first_free(std::span<const lifetime> lives, std::uint64_t from) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& life : lives) {
      if (life.certain_from() < from && from < life.certain_to()) {
        from = life.certain_to();
        moved = true;
      }
    }
  }
  return from;
}

/// Returns true if each pop that found nothing contains a moment at which the structure can have
/// been empty.
inline bool empty_pops_are_right(std::span<const operation> all, std::span<const lifetime> lives) {
  return std::ranges::all_of(all, [&](const operation& one) {
    return !one.is_empty || first_free(lives, one.begin) <= one.end;
  });
}

inline bool is_queue(std::span<const operation> all) {
  std::vector<lifetime> lives;
  if (!find_lifetimes(all, lives)) return false;
  for (const auto& a : lives)
    for (const auto& b : lives)
      if (precedes(a.push, b.push) && precedes(b.pop, a.pop)) return false;
  return empty_pops_are_right(all, lives);
}

/// Restricts the time of an operation to the part between two moments.
inline void clip(operation& one, std::uint64_t from, std::uint64_t to) {
  one.begin = std::max(one.begin, from);
  one.end = std::min(one.end, to);
}

inline bool is_nested(std::vector<lifetime> lives);

/// Decides about values that are pushed and popped while the stack is certainly not empty. Returns
/// false if no value of `lives` can be below all other values.
inline bool has_bottom(std::vector<lifetime> lives) {
  std::uint64_t first_end = k_end_of_time + 1;
  std::uint64_t last_begin = 0;
  for (const auto& life : lives) {
    first_end = std::min(first_end, life.push.end);
    last_begin = std::max(last_begin, life.pop.begin);
  }
  const auto bottom = std::ranges::find_if(lives, [&](const lifetime& life) {
    return life.push.begin <= first_end && life.pop.end >= last_begin;
  });
  if (bottom == lives.end()) return false;
  const std::uint64_t from = bottom->push.begin;
  const std::uint64_t to = bottom->pop.end;
  lives.erase(bottom);
  for (auto& life : lives) {
    clip(life.push, from, to);
    clip(life.pop, from, to);
  }
  return is_nested(std::move(lives));
}

inline bool is_nested(std::vector<lifetime> lives) {
  std::erase_if(lives, [](const lifetime& life) { return !life.is_certain(); });
  if (lives.empty()) return true;
  std::uint64_t first_certain = k_end_of_time;
  for (const auto& life : lives) first_certain = std::min(first_certain, life.certain_from());
  const std::uint64_t free = first_free(lives, first_certain + 1);
  std::vector<lifetime> before;
  std::vector<lifetime> after;
  for (auto& life : lives) {
    const bool is_before = life.certain_to() <= free;
    for (operation* one : {&life.push, &life.pop})
      clip(*one, is_before ? 0 : free, is_before ? free : k_end_of_time + 1);
    (is_before ? before : after).push_back(life);
  }
  return has_bottom(std::move(before)) && is_nested(std::move(after));
}

inline bool is_stack(std::span<const operation> all) {
  std::vector<lifetime> lives;
  return find_lifetimes(all, lives) && empty_pops_are_right(all, lives) &&
         is_nested(std::move(lives));
}

inline bool shows_no_bad_pattern(discipline order, std::span<const operation> all) {
  return order == discipline::stack ? is_stack(all) : is_queue(all);
}

}  // namespace atl::test
