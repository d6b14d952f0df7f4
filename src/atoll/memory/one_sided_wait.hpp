#pragma once
// Waiting until memory of this PE has a value that another one puts there.

#include "atoll/memory/one_sided_access.hpp"

#include <type_traits>

namespace atl {
namespace one_sided {

enum class comparison : std::uint8_t { equal, not_equal, greater, greater_equal, less, less_equal };

}  // namespace one_sided

namespace memory {

template <class T>
bool compares(T seen, one_sided::comparison how, T value) {
  using enum one_sided::comparison;
  switch (how) {
  case equal:
    return seen == value;
  case not_equal:
    return seen != value;
  case greater:
    return seen > value;
  case greater_equal:
    return seen >= value;
  case less:
    return seen < value;
  case less_equal:
    break;
  }
  return seen <= value;
}

/// Throws atl::error (input): these bytes are not symmetric memory of this PE.
[[noreturn]] void refuse_own(const char* call, const void* at, std::uint64_t bytes, site where);

/// Throws atl::error (input) unless the bytes lie in one symmetric array, on this PE.
inline void check_own(const char* call, const void* at, std::uint64_t bytes, site where) {
  const atl::pe& self = this_pe();
  const auto within = reinterpret_cast<std::uintptr_t>(at) -
                      reinterpret_cast<std::uintptr_t>(self.transport->segment(self.rank));
  if (within >= self.transport->segment_bytes() || !self.memory->holds(k_symmetric + within, bytes))
      [[unlikely]]
    refuse_own(call, at, bytes, where);
  if (within % bytes != 0) [[unlikely]]
    refuse_misaligned(call, within, bytes, where);
}

template <class T>
struct until_awaiter : watching_awaiter {
  const T* at;
  one_sided::comparison how;
  T value;

  until_awaiter(const T* place, one_sided::comparison comparison, T compared, site waits_at)
      : watching_awaiter(&is_so, waits_at), at(place), how(comparison), value(compared) {}

  T seen() const { return load_value<T>(reinterpret_cast<const std::byte*>(at)); }

  bool await_ready() const {
    if (is_so(*this)) return true;
    if (transport::remote_memory* const far = this_pe().transport->far_memory()) far->send();
    if (!this_pe().tasks->has_nothing_else()) return false;
    tasks::single_watch this_one(*this);
    return this_pe().transport->linger(this_one);
  }
  T await_resume() const { return seen(); }

 private:
  static bool is_so(const watcher& one) noexcept {
    const auto& self = static_cast<const until_awaiter&>(one);
    return compares(self.seen(), self.how, self.value);
  }
};

}  // namespace memory

namespace one_sided {

/// Awaited, by a task of the PE: until the word at `at`, in symmetric memory of this PE, compares
/// so with `value`; the word as it is when the task goes on. What the PE that put it had put into
/// this memory before, with a `fence` between, is seen as well. A value that is gone before the PE
/// looks is overlooked. Suspends the task, not the PE; a PE with nothing else to do looks around
/// for a while, gives its core away, and sleeps. One-sided access wakes it, mostly; other stores,
/// and seldom such ones, are found within about a millisecond. Throws atl::error (input) where `at`
/// is no symmetric memory of this PE.
template <class T>
[[nodiscard]] auto wait_until(const T* at, comparison how, std::type_identity_t<T> value,
                              site where = site::current()) {
  static_assert((std::is_arithmetic_v<T> || std::is_enum_v<T>) && sizeof(T) <= 8,
                "words are compared");
  memory::check_own("wait_until", at, sizeof(T), where);
  return memory::until_awaiter<T>(at, how, value, where);
}

/// Whether it does now. Does not block. Throws as `wait_until`.
template <class T>
bool test(const T* at, comparison how, std::type_identity_t<T> value,
          site where = site::current()) {
  memory::check_own("test", at, sizeof(T), where);
  return memory::compares(memory::load_value<T>(reinterpret_cast<const std::byte*>(at)), how,
                          value);
}

}  // namespace one_sided
}  // namespace atl
