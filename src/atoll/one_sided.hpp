#pragma once
// One-sided access to symmetric memory, as OpenSHMEM 1.5 has it (atl::one_sided): put and get,
// atomic operations, order and completion, put with signal, and waiting for a value.
// docs/explanation/memory-model.md compares their order with that of other families of access.

#include "atoll/base/mutants.hpp"
#include "atoll/memory/one_sided_access.hpp"
#include "atoll/memory/one_sided_steps.hpp"

#include <atomic>
#include <bit>
#include <optional>
#include <type_traits>

namespace atl {

// Put and get on symmetric memory without the PE that owns it: by loads and stores where its memory
// can be reached, by the transport elsewhere, also while that PE computes.
//
// They are not `atl::put` and `atl::get` (array.hpp), which send messages that the owner's
// scheduler delivers, work on all global memory, and are over when they return. These follow
// OpenSHMEM 1.5: what is put is seen at its target some time later, behind a `fence` after all that
// was put before it, and surely once `quiet` has returned.
//
// For tasks and handlers of a PE. Addresses are of symmetric arrays; all calls throw atl::error
// (input), and do nothing, where the PE does not exist or the elements are not in one symmetric
// array. No call suspends the task unless it is awaited; between nodes it may hold up the PE until
// earlier requests to that PE are answered, and throws `job_ended` where the job ends meanwhile.

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

// Atomic operations on words of 4 or 8 bytes of symmetric memory, without the PE that owns it. They
// are atomic with each other, whoever makes them, and not with plain loads and stores. What returns
// a value is awaited; the others are complete as puts are. Who may call, errors, and what holds up
// the PE: as for puts; words are at multiples of their size.

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

// When one-sided operations of this PE are seen by others: behind one another, or at all.

namespace one_sided {

/// A moment in the order in which this PE begins operations.
struct moment {
  std::uint64_t generation;  ///< the last that ends there
};

}  // namespace one_sided

namespace memory {

struct quiet_awaiter : watching_awaiter {
  open_generations& open = this_pe().one_sided->open;
  std::optional<one_sided::moment> until;  // none: when it is awaited
  std::uint64_t before = 0;                // the generation that ends there

  explicit quiet_awaiter(site place, std::optional<one_sided::moment> until = {})
      : watching_awaiter(&has_come, place), until(until) {}

  bool await_ready() {
    std::atomic_ref(order_).exchange(0);  // all that was stored is seen before what is loaded next
    if (mutants::has(mutants::fault::lost_quiet)) return true;
    before = until ? until->generation : open.close();
    if (open.are_complete(before)) return true;
    far_memory().flush();
    return open.are_complete(before);
  }

 private:
  // Whoever looks need not be this PE, where all are simulated in one thread.
  static bool has_come(const watcher& one) noexcept {
    const auto& self = static_cast<const quiet_awaiter&>(one);
    return self.open.are_complete(self.before);
  }

  std::uint32_t order_ = 0;
};

/// Until nothing that this PE has begun is under way, be it for the runtime itself.
struct idle_awaiter : watching_awaiter {
  transport::remote_memory* far = this_pe().transport->far_memory();

  explicit idle_awaiter(site place) : watching_awaiter(&is_idle, place) {}

  bool await_ready() {
    if (far == nullptr) return true;
    far->flush();
    return far->is_idle();
  }

 private:
  static bool is_idle(const watcher& one) noexcept {
    return static_cast<const idle_awaiter&>(one).far->is_idle();
  }
};

}  // namespace memory

namespace one_sided {

/// What this PE has put into the memory of a PE, or changed there by atomics, before is seen there
/// before what it puts or changes there after. (Between memories of two PEs only `quiet` orders.)
/// Does not block.
inline void fence() {
  // x86 keeps the order of stores, and copies around the caches end with a fence of their own.
  std::atomic_signal_fence(std::memory_order_release);
  const bool has_far = this_pe().transport->far_memory() != nullptr;
  if (has_far && !mutants::has(mutants::fault::lost_fence)) memory::far_memory().fence();
}

/// Awaited: all that this PE has put, or changed by atomics, is seen by all PEs, and all it has
/// begun to get is here; but for what other tasks still await. What other tasks begin meanwhile it
/// does not wait for. Suspends the task, not the PE.
[[nodiscard]] inline auto quiet(site where = site::current()) {
  return memory::quiet_awaiter(where);
}

/// Now: what was begun before it may be awaited by `quiet` when more has been begun. Does not
/// block.
[[nodiscard]] inline moment begun_so_far() { return {this_pe().one_sided->open.close()}; }

/// Awaited: as `quiet`, of what was begun before that moment on this PE alone.
[[nodiscard]] inline auto quiet(moment until, site where = site::current()) {
  return memory::quiet_awaiter(where, until);
}

}  // namespace one_sided

// Put with signal: data, and a word beside it that is changed once the data is seen. Who may call,
// errors, and what holds up the PE: as for puts.

namespace one_sided {

/// What becomes of the signal.
enum class signal_operation : std::uint8_t { set, add };

}  // namespace one_sided

namespace memory {

inline transport::signal_update signal_of(std::uint64_t offset, one_sided::signal_operation how,
                                          std::uint64_t value) {
  using transport::atomic_kind;
  const bool adds = how == one_sided::signal_operation::add;
  return {offset, operation(adds ? atomic_kind::add : atomic_kind::store, value)};
}

/// Throws atl::error (input): the signal is of another PE than the data.
[[noreturn]] void refuse_signal(const char* call, int data_pe, int signal_pe, site where);

/// The data, and behind it the signal; `from` lasts until `quiet`, or is copied where it must be.
template <class T>
void put_and_signal(const char* call, global_address<T> to, std::span<const T> from, bool lasts,
                    global_address<std::uint64_t> signal, std::uint64_t value,
                    one_sided::signal_operation how, site where) {
  const auto target = find_target(call, to, from.size(), where);
  const auto word = find_word(call, signal, where);
  if (signal.pe() != to.pe()) refuse_signal(call, to.pe(), signal.pe(), where);
  const auto update = signal_of(word.place.offset, how, value);
  const auto bytes = std::as_bytes(from);
  if (target.reached == nullptr)
    return far_memory().put(target.place, bytes, lasts, open_puts(), &update);
  copy_bytes(target.reached, bytes.data(), bytes.size());
  transport::apply_atomic(update.what, word.reached);
  this_pe().transport->stored_to(target.place.pe);
}

}  // namespace memory

namespace one_sided {

/// As `put_nbi`; when it is seen there, `signal` of the same PE becomes, or grows by, `value`.
template <class T>
void put_signal_nbi(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                    global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                    site where = site::current()) {
  memory::put_and_signal<T>("put_signal_nbi", to, from, true, signal, value, how, where);
}

/// As `put_signal_nbi`, of values that may be changed when it returns. Copies them where it must.
template <class T>
void put_signal(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                site where = site::current()) {
  memory::put_and_signal<T>("put_signal", to, from, false, signal, value, how, where);
}

}  // namespace one_sided

// Waiting until memory of this PE has a value that another one puts there.

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
