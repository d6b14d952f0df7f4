#pragma once
// A replacement for std::atomic in explored programs. An object of the replacement has the size of
// its word. Each of its operations is a step of an execution.

#include "transport/litmus/explorer.hpp"

#include <concepts>
#include <source_location>
#include <utility>

namespace atl::litmus {

/// An atomic word. The `atomic` object itself contains only the initial value, which may be changed
/// while no thread runs. Values that threads store in the word are kept by an object of class
/// `execution`.
template <std::integral T>
class atomic {
 public:
  constexpr atomic() noexcept = default;
  constexpr atomic(T value) noexcept : first_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  using place = std::source_location;
  using order_t = std::memory_order;

  T load(order_t order = order_t::seq_cst, place from = place::current()) const noexcept {
    return perform_it(act::load, 0, order, from);
  }
  void store(T value, order_t order = order_t::seq_cst, place from = place::current()) noexcept {
    perform_it(act::store, value, order, from);
  }
  T exchange(T value, order_t order = order_t::seq_cst, place from = place::current()) noexcept {
    return perform_it(act::exchange, value, order, from);
  }
  T fetch_add(T value, order_t order = order_t::seq_cst, place from = place::current()) noexcept {
    return perform_it(act::add, value, order, from);
  }
  T fetch_or(T value, order_t order = order_t::seq_cst, place from = place::current()) noexcept {
    return perform_it(act::bit_or, value, order, from);
  }
  T fetch_and(T value, order_t order = order_t::seq_cst, place from = place::current()) noexcept {
    return perform_it(act::bit_and, value, order, from);
  }
  bool compare_exchange_strong(T& expected, T value, order_t order = order_t::seq_cst,
                               place from = place::current()) noexcept {
    operation next = operation_of(act::compare, value, order);
    next.expected = static_cast<word>(expected);
    const T found = static_cast<T>(perform(next, from));
    if (found == expected) return true;
    expected = found;
    return false;
  }

  /// Sleeps while the word has the value `expected`.
  void futex_wait(T expected, place from = place::current()) noexcept {
    operation next = operation_of(act::wait, 0, order_t::relaxed);
    next.expected = static_cast<word>(expected);
    perform(next, from);
  }
  void futex_wake(int most, place from = place::current()) noexcept {
    perform(operation_of(act::wake, static_cast<T>(most), order_t::relaxed), from);
  }

  /// Returns the last stored value, when all threads have ended.
  T newest() const { return static_cast<T>(newest_value(this, static_cast<word>(first_))); }

 private:
  operation operation_of(act what, T operand, order_t order) const noexcept {
    operation next;
    next.what = what;
    next.at = this;
    next.initial = static_cast<word>(first_);
    next.operand = static_cast<word>(operand);
    next.order = order;
    next.order_of_failure = order == order_t::acq_rel   ? order_t::acquire
                            : order == order_t::release ? order_t::relaxed
                                                        : order;
    return next;
  }

  T perform_it(act what, T operand, order_t order, const place& from) const noexcept {
    if (is_in_thread()) return static_cast<T>(perform(operation_of(what, operand, order), from));
    return std::exchange(first_, static_cast<T>(modified(what, static_cast<word>(first_),
                                                         static_cast<word>(operand))));
  }

  mutable T first_{};  // The member is mutable, because loads and stores share one function.
};

}  // namespace atl::litmus
