#pragma once
// Delegates are functions that run on the PE that owns the data. This header also reads and writes
// single objects of any PE. The page docs/explanation/memory-model.md says in which order the
// effects of these operations become visible.

#include "atoll/global_address.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/compact_call.hpp"
#include "atoll/memory/delegate_forms.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"

#include <concepts>
#include <ranges>
#include <type_traits>
#include <vector>

namespace atl {

// The next function declares a property of a function that is sent to another PE. Knowing this
// property, the runtime can send the function more cheaply.

/// Marks `function` as a leaf function: a function that only touches the object that it is called
/// with. The function must be noexcept. The PE that executes the function asserts that the function
/// sends and spawns nothing. If a PE has few calls for each of many PEs, `async_update` can combine
/// leaf calls for several PEs into one message (message/runs.hpp).
template <class Function>
auto leaf(const Function& function) {
  return memory::leaf_function<Function>(function);
}

// Delegates are operations that the owner of the memory executes, one at a time.
//
// A task awaits a function without the prefix `async_`, and is suspended until the operation is
// globally visible. If the memory belongs to this PE, the function runs at once, without suspending
// the task. The `async_*` calls return at once; tasks and handlers may make such calls. The
// enclosing scope (`finish`) waits for the operations of `async_*` calls. A function that is sent
// to another PE must be trivially copyable. The function runs there as a handler, which may send
// and spawn but not wait.

/// Runs `function()` on PE `pe`: as a task if it is a coroutine, and as a handler otherwise. Tasks
/// and handlers may call this function, which does not block. The enclosing scope waits for the
/// call. Throws atl::error (overflow).
template <class Function>
[[gnu::always_inline]] inline void async_call(int pe, Function function,
                                              site where = site::current()) {
  static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
  tasks::check_closure_in_debug(function, where);
  if constexpr (tasks::is_task<std::invoke_result_t<const Function&>>) {
    this_pe().messages->send<message::traffic::tracked>(pe, memory::spawning{function, where},
                                                        where);
  } else {
    this_pe().messages->send<message::traffic::tracked>(pe, function, where);
  }
}

/// Runs `function()` on PE `pe` and returns its result. A task awaits the call, which suspends the
/// task until the result is there. A coroutine runs on `pe` as a task, and any other function runs
/// as a handler. An exception on another PE arrives as an atl::error. If the exception was an
/// atl::error, its code is kept. For std::bad_alloc the code is out_of_memory, and for any other
/// exception the code is remote.
template <class Function>
auto call(int pe, Function function, site where = site::current()) {
  static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
  tasks::refuse_references<Function>();
  tasks::check_closure_in_debug(function, where);
  if constexpr (tasks::is_task<std::invoke_result_t<const Function&>>) {
    return memory::call_task(pe, function, where);
  } else {
    return memory::call_awaiter<message::traffic::tracked, Function>(pe, function, where);
  }
}

/// Prefetches the object at `at` into the cache, and lets other tasks run meanwhile. A task awaits
/// this call before an access that would probably miss the cache. Memory of another PE is not
/// prefetched.
template <class T>
auto prefetch(global_address<T> at, site where = site::current()) {
  return tasks::fetch_awaiter{at.is_local() ? &object_at<T>(at.offset()) : nullptr, where};
}

/// Returns the value at `at`. A task awaits the call, which suspends the task if another PE owns
/// the object. Throws atl::error (input) if `at` is not in a global array.
template <class T>
auto read(global_address<T> at, site where = site::current()) {
  return memory::simple_call_on(at, memory::reader{}, where);
}

/// Stores `value` at `at`. A task awaits the call, which suspends the task until the store is
/// globally visible. Throws atl::error (input) if `at` is not in a global array.
template <class T>
auto write(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  return memory::simple_call_on(at, [value](T& there) { there = value; }, where);
}

/// Runs `function(object)` on the owner of the object and returns its result. A task awaits the
/// call, which suspends the task if another PE is the owner. `function` must be trivially copyable.
/// Throws atl::error (input) if `at` is not in a global array. Exceptions of `function` arrive in
/// the way that `call` describes.
template <class T, class Function>
auto update(global_address<T> at, Function function, site where = site::current()) {
  static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
  using on_object = memory::on_object<T, Function>;
  return call(memory::owner_of(at, where), on_object{at.offset(), function}, where);
}

/// Adds `value` to the object and returns the object's value before the addition. A task awaits the
/// call, which suspends the task if another PE owns the object. Throws atl::error (input) if `at`
/// is not in a global array.
template <class T>
auto fetch_add(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  return memory::simple_call_on(
      at, [value](T& there) { return memory::add_to(there, value); }, where);
}

/// Stores `desired` if the object equals `expected`, and returns the object's previous value. The
/// result equals `expected` if and only if `desired` was stored. A task awaits the call, which
/// suspends the task if another PE owns the object. Throws atl::error (input) if `at` is not in a
/// global array.
template <class T>
auto compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                      std::type_identity_t<T> desired, site where = site::current()) {
  return memory::simple_call_on(
      at, [expected, desired](T& there) { return memory::exchange_if(there, expected, desired); },
      where);
}

/// Runs `function(object)` exactly once on the owner of the object. Updates of an object run one
/// after another, in no particular order. Tasks and handlers may call this function, which does not
/// block. The enclosing scope waits for the call, and gets an exception that `function` throws. A
/// barrier does not wait for the call. Mark `function` as a `leaf` if it only touches the object.
/// Throws atl::error (overflow).
template <class T, class Function>
[[gnu::always_inline]] inline void async_update(global_address<T> at, Function function,
                                                site where = site::current()) {
  memory::async_update_at<T>(memory::owner_in_debug(at, where), at.offset(), function, where);
}

/// Stores `value` at `at`. Tasks and handlers may call this function, which does not block. The
/// enclosing scope waits for the call. Throws atl::error (overflow).
template <class T>
void async_write(global_address<T> at, std::type_identity_t<T> value,
                 site where = site::current()) {
  async_update(at, leaf([value](T& there) noexcept { there = value; }), where);
}

/// Adds `value` to the object at `at`, and returns nothing. Does not block. The enclosing scope
/// waits for the call. Throws atl::error (overflow).
template <class T>
void async_fetch_add(global_address<T> at, std::type_identity_t<T> value,
                     site where = site::current()) {
  const auto add = [value](T& there) noexcept(memory::adds_without_exceptions<T>) {
    memory::add_to(there, value);
  };
  if constexpr (memory::adds_without_exceptions<T>)
    async_update(at, leaf(add), where);
  else
    async_update(at, add, where);
}

/// Reads the object at `at` into `result`. Does not block. `result` is set when the enclosing scope
/// ends, and must live until the end of the scope. Throws atl::error (overflow).
template <class T>
void async_read(global_address<T> at, T& result, site where = site::current()) {
  memory::async_simple_call_on(at, memory::reader{}, result, where);
}

/// Adds `value` to the object at `at`, and stores the object's value before the addition in
/// `before`. Does not block. `before` is set when the enclosing scope ends, and must live until
/// then. Throws atl::error (overflow).
template <class T>
void async_fetch_add(global_address<T> at, std::type_identity_t<T> value, T& before,
                     site where = site::current()) {
  memory::async_simple_call_on(
      at, [value](T& there) { return memory::add_to(there, value); }, before, where);
}

/// Stores `desired` at `at` if the object equals `expected`. Stores the object's previous value in
/// `before`. Does not block. `before` is set when the enclosing scope ends, and must live until
/// then. Throws atl::error (overflow).
template <class T>
void async_compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                            std::type_identity_t<T> desired, T& before,
                            site where = site::current()) {
  memory::async_simple_call_on(
      at, [expected, desired](T& there) { return memory::exchange_if(there, expected, desired); },
      before, where);
}

// The next calls carry a payload: a text, or an array of objects that fits into one message.

/// Runs `function(payload)` as a handler on PE `pe`, with a copy of the payload that is made now. A
/// text arrives as std::string_view. A contiguous range (vector, span) of trivially copyable
/// objects arrives as std::span<const T>. The view is valid until the function returns. Does not
/// block. The enclosing scope waits for the call. Throws atl::error (input) if the payload is
/// larger than one message can carry (--buffer-size). Also throws atl::error (overflow).
template <class Function, memory::payload Payload>
void async_call(int pe, Function function, const Payload& payload, site where = site::current()) {
  const auto view = memory::view_of(payload);
  using closure = memory::with_payload<std::remove_const_t<decltype(view)>, Function>;
  memory::bytes_of_count(view.size(), sizeof(*view.data()), where);
  const auto bytes = std::as_bytes(std::span(view));
  memory::check_payload<closure>(bytes.size(), where);
  tasks::check_closure_in_debug(function, where);
  this_pe().messages->send_with<message::traffic::tracked>(pe, closure{function}, bytes, where);
}

/// Runs `function(payload)` on PE `pe`, with a copy of the payload, and returns its result. A task
/// awaits the call, which suspends the task until the result is there. The rules for the payload
/// are those of `async_call`, and the rules for exceptions are those of `call`.
template <class Function, memory::payload Payload>
auto call(int pe, Function function, const Payload& payload, site where = site::current()) {
  const auto view = memory::view_of(payload);
  using view_type = std::remove_const_t<decltype(view)>;
  memory::bytes_of_count(view.size(), sizeof(*view.data()), where);
  const auto bytes = std::as_bytes(std::span(view));
  return memory::call_with<view_type>(pe, function, {bytes.begin(), bytes.end()}, where);
}

// The next function reads several objects at once: the task waits once, not once per object.

/// Reads the object at each address of `from` into `into`, in the same order. The objects may lie
/// on any PEs, and all reads are in flight together. A task awaits the call. If `from` is empty,
/// the task is not suspended. Each object is read at some time during the call; objects of this PE
/// are read at the end. `from` and `into` must live until the call returns. If the call throws,
/// some objects of `into` may be set. Throws atl::error (input) if an address is not in a global
/// array. Also throws atl::error (out_of_memory, overflow).
template <class T>
auto read_all(std::span<const global_address<T>> from, T* into, site where = site::current()) {
  return memory::read_all_awaiter<T>(from, into, where);
}

/// The numbers of messages of the program that a PE has executed so far. The numbers include
/// delegates and their answers, but not collectives and acknowledgements.
struct message_counts {
  std::uint64_t of_this_pe = 0;  ///< messages that the PE sent to itself
  std::uint64_t of_other_pes = 0;

  std::uint64_t all() const { return of_this_pe + of_other_pes; }
};

/// Returns the numbers of messages that this PE has executed so far. Unlike `read_counters`, this
/// function does not communicate. Throws atl::error (input) outside of a job.
inline message_counts local_message_counts(site where = site::current()) {
  const message::engine& messages = *pe_of_job("local_message_counts", where).messages;
  return {messages.executed_of_own(), messages.executed_of_others()};
}

}  // namespace atl
