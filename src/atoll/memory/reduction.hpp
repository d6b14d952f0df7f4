#pragma once
// Reduction operations: how contributions are gathered into one value, in any order.
//
// An operation is a trivially copyable type with
//   value      the type of the data that is reduced into
//   partial    the type of a contribution, and of several of them folded together
//   identity() the partial that changes nothing
//   apply(value&, const partial&)    reduces it into the data
//   fold(partial&, const partial&)   folds the second into the first
// `fold` is associative and commutative, and applying what was folded is applying each. (The apply
// and fold of Treichler, Bauer and Aiken: Realm, PACT 2014.) With
//   apply_atomically(value&, const partial&)
// it also says how several PEs apply to the same data at once, where that is better than an
// exchange that is tried again.

#include "atoll/message/travel.hpp"

#include <atomic>
#include <concepts>
#include <limits>

namespace atl {

template <class Operation>
concept reduction_operation =
    message::travels<Operation> && message::travels<typename Operation::value> &&
    message::travels<typename Operation::partial> &&
    requires(const Operation& operation, typename Operation::value& data,
             typename Operation::partial& left, const typename Operation::partial& right) {
      { operation.identity() } -> std::convertible_to<typename Operation::partial>;
      operation.apply(data, right);
      operation.fold(left, right);
    };

/// Adds.
template <class T>
struct sum {
  using value = T;
  using partial = T;

  constexpr T identity() const { return T{}; }
  constexpr void apply(T& data, const T& more) const { data = static_cast<T>(data + more); }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
  void apply_atomically(T& data, const T& more) const
    requires std::integral<T>
  {
    std::atomic_ref<T>(data).fetch_add(more, std::memory_order_relaxed);
  }
};

/// The smallest.
template <class T>
struct min {
  using value = T;
  using partial = T;
  using limits = std::numeric_limits<T>;

  constexpr T identity() const { return limits::has_infinity ? limits::infinity() : limits::max(); }
  constexpr void apply(T& data, const T& other) const { data = other < data ? other : data; }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
};

/// The largest.
template <class T>
struct max {
  using value = T;
  using partial = T;
  using limits = std::numeric_limits<T>;

  constexpr T identity() const {
    return limits::has_infinity ? -limits::infinity() : limits::lowest();
  }
  constexpr void apply(T& data, const T& other) const { data = data < other ? other : data; }
  constexpr void fold(T& left, const T& right) const { apply(left, right); }
};

/// Reduces into data that other PEs reduce into at the same time, by the processor's atomics. They
/// use no other form of access meanwhile.
template <reduction_operation Operation>
void apply_atomically(const Operation& operation, typename Operation::value& data,
                      const typename Operation::partial& more) {
  if constexpr (requires { operation.apply_atomically(data, more); }) {
    operation.apply_atomically(data, more);
  } else {
    using word = std::atomic_ref<typename Operation::value>;
    static_assert(word::is_always_lock_free, "the processor has no atomics for data of this size");
    auto before = word(data).load(std::memory_order_relaxed);
    auto after = before;
    do {
      after = before;
      operation.apply(after, more);
    } while (!word(data).compare_exchange_weak(before, after, std::memory_order_relaxed));
  }
}

}  // namespace atl
