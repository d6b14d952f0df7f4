#pragma once
// Atomic operations on words of 4 or 8 bytes of symmetric memory, without the PE that owns it. They
// are atomic with each other, whoever makes them, and not with plain loads and stores. What returns
// a value is awaited; the others are complete as puts are. Who may call, errors, and what holds up
// the PE: as in one_sided_put.hpp; words are at multiples of their size.

#include "atoll/memory/one_sided_access.hpp"

#include <bit>
#include <type_traits>

namespace atl {
namespace memory {

template <class T>
concept atomic_word = std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);
template <class T>
concept atomic_integer = atomic_word<T> && std::is_integral_v<T>;

template <atomic_word T>
std::uint64_t to_word(T value) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<std::uint32_t>(value);
  else
    return std::bit_cast<std::uint64_t>(value);
}
template <atomic_word T>
T from_word(std::uint64_t word) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<std::uint32_t>(word));
  else
    return std::bit_cast<T>(word);
}

template <atomic_word T>
transport::atomic_operation operation(transport::atomic_kind kind, T operand = {},
                                      T expected = {}) {
  return {kind, sizeof(T), to_word(operand), to_word(expected)};
}

/// One operation whose kind is known when it is compiled, by the processor.
template <transport::atomic_kind Kind, atomic_word T>
T apply_here(std::byte* at, T operand, T expected) {
  using enum transport::atomic_kind;
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  auto* const place = reinterpret_cast<word*>(at);
  const auto with = static_cast<word>(to_word(operand));
  word before = static_cast<word>(to_word(expected));
  if constexpr (Kind == load) before = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  if constexpr (Kind == store || Kind == exchange)
    before = __atomic_exchange_n(place, with, __ATOMIC_SEQ_CST);
  if constexpr (Kind == add) before = __atomic_fetch_add(place, with, __ATOMIC_SEQ_CST);
  if constexpr (Kind == bit_and) before = __atomic_fetch_and(place, with, __ATOMIC_SEQ_CST);
  if constexpr (Kind == bit_or) before = __atomic_fetch_or(place, with, __ATOMIC_SEQ_CST);
  if constexpr (Kind == bit_xor) before = __atomic_fetch_xor(place, with, __ATOMIC_SEQ_CST);
  if constexpr (Kind == compare_exchange)
    __atomic_compare_exchange_n(place, &before, with, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return from_word<T>(before);
}

template <transport::atomic_kind Kind, atomic_word T>
struct atomic_awaiter : far_awaiter {
  one_sided_target at;
  T operand;
  T expected;
  T before{};
  std::uint64_t word = 0;

  atomic_awaiter(one_sided_target target, T with, T compared, site place)
      : far_awaiter(place), at(target), operand(with), expected(compared) {}

  bool await_ready() {
    if (at.reached == nullptr) return false;
    before = apply_here<Kind>(at.reached, operand, expected);
    if constexpr (Kind != transport::atomic_kind::load) this_pe().transport->stored_to(at.place.pe);
    return true;
  }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    suspend(handle.promise(), [this] {
      far_memory().update(at.place, operation(Kind, operand, expected), &word, *this);
    });
  }
  T await_resume() const noexcept { return at.reached != nullptr ? before : from_word<T>(word); }
};

template <transport::atomic_kind Kind, class T>
auto fetching(const char* call, global_address<T> at, T operand, T expected, site where) {
  return atomic_awaiter<Kind, T>(find_word(call, at, where), operand, expected, where);
}

template <transport::atomic_kind Kind, class T>
void update_only(const char* call, global_address<T> at, T operand, site where) {
  const auto target = find_word(call, at, where);
  if (target.reached == nullptr)
    return far_memory().update(target.place, operation(Kind, operand), nullptr, open_puts());
  apply_here<Kind>(target.reached, operand, T{});
  this_pe().transport->stored_to(target.place.pe);
}

}  // namespace memory

namespace one_sided {

/// Awaited: the value.
template <memory::atomic_word T>
[[nodiscard]] auto fetch(global_address<T> at, site where = site::current()) {
  return memory::fetching<transport::atomic_kind::load>("fetch", at, T{}, T{}, where);
}

/// Stores `value`.
template <memory::atomic_word T>
void set(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::store>("set", at, value, where);
}

/// Awaited: stores `value`; the value before.
template <memory::atomic_word T>
[[nodiscard]] auto exchange(global_address<T> at, std::type_identity_t<T> value,
                            site where = site::current()) {
  return memory::fetching<transport::atomic_kind::exchange>("exchange", at, value, T{}, where);
}

/// Awaited: stores `desired` where the value is `expected`; the value before, which is `expected`
/// if and only if it was stored.
template <memory::atomic_word T>
[[nodiscard]] auto compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                                    std::type_identity_t<T> desired, site where = site::current()) {
  return memory::fetching<transport::atomic_kind::compare_exchange>("compare_exchange", at, desired,
                                                                    expected, where);
}

template <memory::atomic_integer T>
void add(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::add>("add", at, value, where);
}

template <memory::atomic_integer T>
void bit_and(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_and>("bit_and", at, value, where);
}

template <memory::atomic_integer T>
void bit_or(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_or>("bit_or", at, value, where);
}

template <memory::atomic_integer T>
void bit_xor(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_xor>("bit_xor", at, value, where);
}

/// Awaited, as those that follow: the value before.
template <memory::atomic_integer T>
[[nodiscard]] auto fetch_add(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::add>("fetch_add", at, value, T{}, where);
}

template <memory::atomic_integer T>
[[nodiscard]] auto fetch_and(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_and>("fetch_and", at, value, T{}, where);
}

template <memory::atomic_integer T>
[[nodiscard]] auto fetch_or(global_address<T> at, std::type_identity_t<T> value,
                            site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_or>("fetch_or", at, value, T{}, where);
}

template <memory::atomic_integer T>
[[nodiscard]] auto fetch_xor(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_xor>("fetch_xor", at, value, T{}, where);
}

}  // namespace one_sided
}  // namespace atl
