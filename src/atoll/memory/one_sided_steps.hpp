#pragma once
// This file has the awaitables of puts, gets and atomic operations. The file also has the functions
// that perform atomic operations on mapped memory. Far memory is memory of other PEs that is not
// mapped into this PE's address space.

#include "atoll/base/mutants.hpp"
#include "atoll/memory/one_sided_access.hpp"

#include <atomic>
#include <bit>
#include <optional>
#include <type_traits>

namespace atl::memory {

/// Largest put to far memory, in bytes, that copies its data into a buffer, so that the task need
/// not wait. After beginning a larger put, the task waits until the put is complete.
inline constexpr std::size_t k_largest_copied_aside = 32768;

template <class T>
struct put_awaiter : far_awaiter {
  one_sided_target to;
  std::span<const T> from;

  put_awaiter(one_sided_target target, std::span<const T> source, site place)
      : far_awaiter(place), to(target), from(source) {}

  bool await_ready() {
    const auto bytes = std::as_bytes(from);
    if (to.reached != nullptr) [[likely]] {
      copy_bytes(to.reached, bytes.data(), bytes.size());
      this_pe().transport->stored_to(to.place.pe);
      return true;
    }
    if (bytes.size() > k_largest_copied_aside) return false;
    if (!bytes.empty()) far_memory().put(to.place, bytes, false, open_puts());
    return true;
  }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    suspend(handle.promise(), [this] {
      far_memory().put(to.place, std::as_bytes(from), true, *this);
      far_memory().flush();
    });
  }
  void await_resume() noexcept {}
};

template <class T>
struct get_awaiter : far_awaiter {
  one_sided_target from;
  std::span<T> into;

  get_awaiter(one_sided_target source, std::span<T> target, site place)
      : far_awaiter(place), from(source), into(target) {}

  bool await_ready() {
    const auto bytes = std::as_writable_bytes(into);
    if (from.reached == nullptr) return bytes.empty();
    copy_bytes(bytes.data(), from.reached, bytes.size());
    return true;
  }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    suspend(handle.promise(),
            [this] { far_memory().get(from.place, std::as_writable_bytes(into), *this); });
  }
  void await_resume() noexcept {}
};

/// An awaitable that reads one value from symmetric memory.
template <class T>
struct value_awaiter : far_awaiter {
  one_sided_target from;
  T value{};

  value_awaiter(one_sided_target source, site place) : far_awaiter(place), from(source) {}

  bool await_ready() {
    if (from.reached == nullptr) return false;
    value = load_value<T>(from.reached);
    return true;
  }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> handle) {
    suspend(handle.promise(), [this] {
      far_memory().get(from.place, std::as_writable_bytes(std::span(&value, 1)), *this);
    });
  }
  T await_resume() const noexcept { return value; }
};

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

/// Uses an atomic instruction to perform one operation on mapped memory, and returns the old value.
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

}  // namespace atl::memory
