#pragma once
// This header has one-sided access to symmetric memory, as in OpenSHMEM 1.5 (atl::one_sided). There
// are put and get, atomic operations, ordering and completion, put with signal, and waiting for a
// value. The page docs/explanation/memory-model.md compares the order of one-sided access with that
// of other kinds of access.

#include "atoll/base/mutants.hpp"
#include "atoll/memory/one_sided_access.hpp"
#include "atoll/memory/one_sided_steps.hpp"

#include <atomic>
#include <bit>
#include <optional>
#include <type_traits>

namespace atl {

// Put and get access symmetric memory without the help of the PE that owns it. Put and get are
// loads and stores if this PE can address the memory. If this PE cannot address the memory, the
// transport executes put and get, even while the owner computes.
//
// `atl::put` and `atl::get` (array.hpp) are different: they send messages to the owner's scheduler,
// work on all global memory, and are complete on return. The put and get of this header follow the
// rules of OpenSHMEM 1.5. A put becomes visible at its target some time later. A `fence` makes
// later puts visible after earlier puts, and `quiet` completes all earlier puts.
//
// Tasks and handlers of a PE may put and get, with addresses in symmetric arrays. If the PE does
// not exist, or the elements are not in one symmetric array, the call throws atl::error (input) and
// does nothing. Only awaited calls suspend the task. If the target is on another node, any call may
// block this PE until the target PE has answered earlier requests. If the job ends meanwhile, the
// call throws `job_ended`.

namespace one_sided {

/// Stores one value at `to`. Other PEs see a value of 4 or 8 bytes as a whole. Does not suspend the
/// task. `quiet` completes the put.
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

/// Copies `from` to the elements from `to` on. A task awaits the call, and may change `from` when
/// the call returns. Between nodes, a copy of more than 32 KiB is complete when the call returns.
/// `quiet` completes a smaller copy.
template <class T>
[[nodiscard]] auto put(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                       site where = site::current()) {
  return memory::put_awaiter<T>(memory::find_target("put", to, from.size(), where), from, where);
}

/// Begins to copy `from` to the elements from `to` on. Does not suspend the task. `from` must stay
/// unchanged until `quiet` has returned.
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

/// Returns the value at `from`. A task awaits the call, which suspends the task only if this PE
/// cannot address the memory of `from`.
template <class T>
[[nodiscard]] auto get(global_address<T> from, site where = site::current()) {
  return memory::value_awaiter<T>(memory::find_target("get", from, 1, where), where);
}

/// Copies the elements from `from` on into `into`. A task awaits the call, which suspends the task
/// only if this PE cannot address the memory of `from`.
template <class T>
[[nodiscard]] auto get(global_address<T> from, std::span<std::type_identity_t<T>> into,
                       site where = site::current()) {
  return memory::get_awaiter<T>(memory::find_target("get", from, into.size(), where), into, where);
}

/// Begins to copy the elements from `from` on into `into`. Does not suspend the task. `into` is
/// filled when `quiet` has returned.
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

// The next calls are atomic operations on words of 4 or 8 bytes of symmetric memory, without the
// help of the PE that owns it. These operations are atomic with each other on all PEs, but not with
// plain loads and stores. Operations that return a value are awaited. The other operations are
// completed by `quiet`, like puts.
//
// Tasks and handlers may make these calls. The calls throw the errors of puts, and may block the PE
// in the same cases as puts. The address of a word must be a multiple of its size.

namespace one_sided {

/// Returns the value at `at`. A task awaits the call.
template <memory::atomic_word T>
[[nodiscard]] auto fetch(global_address<T> at, site where = site::current()) {
  return memory::fetching<transport::atomic_kind::load>("fetch", at, T{}, T{}, where);
}

/// Stores `value` at `at`. Does not suspend the task; `quiet` completes the store.
template <memory::atomic_word T>
void set(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::store>("set", at, value, where);
}

/// Stores `value` at `at` and returns the previous value. A task awaits the call.
template <memory::atomic_word T>
[[nodiscard]] auto exchange(global_address<T> at, std::type_identity_t<T> value,
                            site where = site::current()) {
  return memory::fetching<transport::atomic_kind::exchange>("exchange", at, value, T{}, where);
}

/// Stores `desired` if the value at `at` is `expected`, and returns the previous value. The result
/// equals `expected` if and only if `desired` was stored. A task awaits the call.
template <memory::atomic_word T>
[[nodiscard]] auto compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                                    std::type_identity_t<T> desired, site where = site::current()) {
  return memory::fetching<transport::atomic_kind::compare_exchange>("compare_exchange", at, desired,
                                                                    expected, where);
}

/// Adds `value` to the word at `at`. Does not suspend the task; `quiet` completes the addition.
template <memory::atomic_integer T>
void add(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::add>("add", at, value, where);
}

/// Replaces the word at `at` by its bitwise AND with `value`. Does not suspend the task; `quiet`
/// completes the operation.
template <memory::atomic_integer T>
void bit_and(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_and>("bit_and", at, value, where);
}

/// Replaces the word at `at` by its bitwise OR with `value`. Does not suspend the task; `quiet`
/// completes the operation.
template <memory::atomic_integer T>
void bit_or(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_or>("bit_or", at, value, where);
}

/// Replaces the word at `at` by its bitwise exclusive OR with `value`. Does not suspend the task;
/// `quiet` completes the operation.
template <memory::atomic_integer T>
void bit_xor(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  memory::update_only<transport::atomic_kind::bit_xor>("bit_xor", at, value, where);
}

/// Adds `value` to the word at `at` and returns the previous value. A task awaits the call.
template <memory::atomic_integer T>
[[nodiscard]] auto fetch_add(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::add>("fetch_add", at, value, T{}, where);
}

/// Replaces the word at `at` by its bitwise AND with `value`, and returns the previous value. A
/// task awaits the call.
template <memory::atomic_integer T>
[[nodiscard]] auto fetch_and(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_and>("fetch_and", at, value, T{}, where);
}

/// Replaces the word at `at` by its bitwise OR with `value`, and returns the previous value. A task
/// awaits the call.
template <memory::atomic_integer T>
[[nodiscard]] auto fetch_or(global_address<T> at, std::type_identity_t<T> value,
                            site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_or>("fetch_or", at, value, T{}, where);
}

/// Replaces the word at `at` by its bitwise exclusive OR with `value`, and returns the previous
/// value. A task awaits the call.
template <memory::atomic_integer T>
[[nodiscard]] auto fetch_xor(global_address<T> at, std::type_identity_t<T> value,
                             site where = site::current()) {
  return memory::fetching<transport::atomic_kind::bit_xor>("fetch_xor", at, value, T{}, where);
}

}  // namespace one_sided

// The next functions order and complete the one-sided operations of this PE.

namespace one_sided {

/// A moment in the sequence of operations that this PE begins.
struct moment {
  std::uint64_t generation;  ///< last generation of operations before the moment
};

}  // namespace one_sided

namespace memory {

struct quiet_awaiter : watching_awaiter {
  open_generations& open = this_pe().one_sided->open;
  // If there is no value, the call waits for the operations that had begun when the call is
  // awaited.
  std::optional<one_sided::moment> until;
  std::uint64_t before = 0;  // the last generation to wait for

  explicit quiet_awaiter(site place, std::optional<one_sided::moment> until = {})
      : watching_awaiter(&has_come, place), until(until) {}

  bool await_ready() {
    std::atomic_ref(order_).exchange(0);  // a full fence: later loads come after all earlier stores
    if (mutants::has(mutants::fault::lost_quiet)) return true;
    before = until ? until->generation : open.close();
    if (open.are_complete(before)) return true;
    far_memory().flush();
    return open.are_complete(before);
  }

 private:
  // In a simulation, another PE may evaluate this condition, because all PEs run in one thread.
  static bool has_come(const watcher& one) noexcept {
    const auto& self = static_cast<const quiet_awaiter&>(one);
    return self.open.are_complete(self.before);
  }

  std::uint32_t order_ = 0;
};

/// Suspends the task until no operation that this PE has begun is in flight, including operations
/// of the runtime. This class is an awaitable.
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

/// Orders the puts and atomic updates of this PE. At each target PE, operations before the fence
/// become visible before operations after the fence. Operations on the memories of two different
/// PEs are ordered only by `quiet`. Does not block.
inline void fence() {
  // x86 keeps stores in order, and copies that bypass the caches end with a fence of their own.
  std::atomic_signal_fence(std::memory_order_release);
  const bool has_far = this_pe().transport->far_memory() != nullptr;
  if (has_far && !mutants::has(mutants::fault::lost_fence)) memory::far_memory().fence();
}

/// Completes the operations that this PE has begun: all PEs see its puts and atomic updates, and
/// its gets have arrived. The call does not wait for operations that other tasks still await, or
/// that other tasks begin meanwhile. A task awaits the call, which suspends the task, not the PE.
[[nodiscard]] inline auto quiet(site where = site::current()) {
  return memory::quiet_awaiter(where);
}

/// Returns the present moment. `quiet` can later wait for only the operations that had begun before
/// this moment, even if further operations have begun since. Does not block.
[[nodiscard]] inline moment begun_so_far() { return {this_pe().one_sided->open.close()}; }

/// Completes the operations that this PE has begun before `until`, which must be a moment of this
/// PE. The other rules are those of `quiet()`. A task awaits the call, which suspends the task, not
/// the PE.
[[nodiscard]] inline auto quiet(moment until, site where = site::current()) {
  return memory::quiet_awaiter(where, until);
}

}  // namespace one_sided

// Put with signal copies data, and changes a word on the same PE when the data is visible. Tasks
// and handlers may make these calls. The calls throw the errors of puts, and may block the PE in
// the same cases as puts.

namespace one_sided {

/// Says how the signal is changed: set to a value, or increased by a value.
enum class signal_operation : std::uint8_t { set, add };

}  // namespace one_sided

namespace memory {

inline transport::signal_update signal_of(std::uint64_t offset, one_sided::signal_operation how,
                                          std::uint64_t value) {
  using transport::atomic_kind;
  const bool adds = how == one_sided::signal_operation::add;
  return {offset, operation(adds ? atomic_kind::add : atomic_kind::store, value)};
}

/// Throws atl::error (input), because the signal and the data are on different PEs.
[[noreturn]] void refuse_signal(const char* call, int data_pe, int signal_pe, site where);

/// Puts the data and then changes the signal. If `lasts` is true, `from` stays unchanged until
/// `quiet`; otherwise, `from` is copied if necessary.
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

/// Begins to copy `from` to the elements from `to` on. When the copy is visible there, the word
/// `signal` on the same PE is set to `value` or increased by it. Does not suspend the task. `from`
/// must stay unchanged until `quiet` has returned. Also throws atl::error (input) if `signal` is on
/// another PE than the data.
template <class T>
void put_signal_nbi(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                    global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                    site where = site::current()) {
  memory::put_and_signal<T>("put_signal_nbi", to, from, true, signal, value, how, where);
}

/// Begins to copy `from` to the elements from `to` on. When the copy is visible there, the word
/// `signal` on the same PE is set to `value` or increased by it. Does not suspend the task. `from`
/// may be changed when the call returns, because it is copied if necessary. Also throws atl::error
/// (input) if `signal` is on another PE than the data.
template <class T>
void put_signal(global_address<T> to, std::span<const std::type_identity_t<T>> from,
                global_address<std::uint64_t> signal, std::uint64_t value, signal_operation how,
                site where = site::current()) {
  memory::put_and_signal<T>("put_signal", to, from, false, signal, value, how, where);
}

}  // namespace one_sided

// The next functions wait until another PE has put a certain value into memory of this PE.

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

/// Throws atl::error (input), because these bytes are not in symmetric memory of this PE.
[[noreturn]] void refuse_own(const char* call, const void* at, std::uint64_t bytes, site where);

/// Throws atl::error (input) unless the bytes lie in one symmetric array on this PE and begin at a
/// multiple of `bytes`.
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

/// Suspends the task, not the PE, until the comparison `how` of the word at `at` with `value` is
/// true. `at` must be in symmetric memory of this PE. Returns the word as it is when the task
/// resumes. If the PE that stored the word had first put data into this memory and then called
/// `fence`, the data is visible, too. If a value is replaced before this PE checks the word, the
/// value is missed.
///
/// If the PE has nothing else to do, it first polls, then yields its core, and then sleeps.
/// One-sided access normally wakes the PE. Other stores, and in rare cases one-sided stores, are
/// noticed within about a millisecond. A task awaits the call. Throws atl::error (input) if `at` is
/// not in symmetric memory of this PE.
template <class T>
[[nodiscard]] auto wait_until(const T* at, comparison how, std::type_identity_t<T> value,
                              site where = site::current()) {
  static_assert((std::is_arithmetic_v<T> || std::is_enum_v<T>) && sizeof(T) <= 8,
                "words are compared");
  memory::check_own("wait_until", at, sizeof(T), where);
  return memory::until_awaiter<T>(at, how, value, where);
}

/// Returns whether the comparison `how` of the word at `at` with `value` is true now. Does not
/// block. Throws the errors of `wait_until`.
template <class T>
bool test(const T* at, comparison how, std::type_identity_t<T> value,
          site where = site::current()) {
  memory::check_own("test", at, sizeof(T), where);
  return memory::compares(memory::load_value<T>(reinterpret_cast<const std::byte*>(at)), how,
                          value);
}

}  // namespace one_sided
}  // namespace atl
