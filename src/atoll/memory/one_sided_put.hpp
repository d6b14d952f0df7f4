#pragma once
// Put and get on symmetric memory without the PE that owns it: by loads and stores where its memory
// can be reached, by the transport elsewhere, also while that PE computes.
//
// They are not `atl::put` and `atl::get` (bulk.hpp), which send messages that the owner's scheduler
// delivers, work on all global memory, and are over when they return. These follow OpenSHMEM 1.5:
// what is put is seen at its target some time later, behind a `fence` after all that was put before
// it, and surely once `quiet` has returned.
//
// For tasks and handlers of a PE. Addresses are of symmetric arrays; all calls throw atl::error
// (input), and do nothing, where the PE does not exist or the elements are not in one symmetric
// array. No call suspends the task unless it is awaited; between nodes it may hold up the PE until
// earlier requests to that PE are answered, and throws `job_ended` where the job ends meanwhile.

#include "atoll/memory/one_sided_access.hpp"

namespace atl {
namespace memory {

/// Beyond it a put waits until it is complete rather than being copied aside.
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

/// One value.
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

}  // namespace memory

namespace one_sided {

/// Stores one value there; one of 4 or 8 bytes is seen whole.
template <class T>
void put(global_address<T> to, const std::type_identity_t<T>& value, site where = site::current()) {
  const auto target = memory::find_target("put", to, 1, where);
  if (target.reached != nullptr) [[likely]] {
    memory::store_value(target.reached, value);
    this_pe().transport->stored_to(target.place.pe);
  } else {
    memory::far_memory().put(target.place, std::as_bytes(std::span(&value, 1)), false,
                             memory::open_puts());
  }
}

/// Awaited: copies `from` to the elements from `to` on; `from` may be changed when it returns.
/// Between nodes, beyond 32 KiB, that is when it is complete.
template <class T>
[[nodiscard]] auto put(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                       site where = site::current()) {
  return memory::put_awaiter<T>(memory::find_target("put", to, from.size(), where), from, where);
}

/// Begins to copy `from` to the elements from `to` on; `from` stays as it is until `quiet` has
/// returned.
template <class T>
void put_nbi(global_address<T> to, std::span<const std::type_identity_t<T>> from,
             site where = site::current()) {
  const auto target = memory::find_target("put_nbi", to, from.size(), where);
  const auto bytes = std::as_bytes(from);
  if (target.reached != nullptr) [[likely]] {
    memory::copy_bytes(target.reached, bytes.data(), bytes.size());
    this_pe().transport->stored_to(target.place.pe);
  } else if (!bytes.empty()) {
    memory::far_memory().put(target.place, bytes, true, memory::open_puts());
  }
}

/// Awaited: the value there.
template <class T>
[[nodiscard]] auto get(global_address<T> from, site where = site::current()) {
  return memory::value_awaiter<T>(memory::find_target("get", from, 1, where), where);
}

/// Awaited: copies the elements from `from` on into `into`.
template <class T>
[[nodiscard]] auto get(global_address<T> from, std::span<std::type_identity_t<T>> into,
                       site where = site::current()) {
  return memory::get_awaiter<T>(memory::find_target("get", from, into.size(), where), into, where);
}

/// Begins to copy the elements from `from` on into `into`, which is filled once `quiet` has
/// returned.
template <class T>
void get_nbi(global_address<T> from, std::span<std::type_identity_t<T>> into,
             site where = site::current()) {
  const auto source = memory::find_target("get_nbi", from, into.size(), where);
  const auto bytes = std::as_writable_bytes(into);
  if (source.reached != nullptr) [[likely]]
    memory::copy_bytes(bytes.data(), source.reached, bytes.size());
  else if (!bytes.empty())
    memory::far_memory().get(source.place, bytes, memory::open_puts());
}

}  // namespace one_sided
}  // namespace atl
