#pragma once
// Delegates: functions that run where the data is, and reads and writes of single objects.

#include "atoll/global_address.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/delegate_forms.hpp"
#include "atoll/memory/near_object.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"

#include <concepts>
#include <ranges>
#include <type_traits>
#include <vector>

namespace atl {

// What a program says of a function that travels, so that the runtime may do more with it.

/// `function`, of which this says that it does nothing but touch the object it is called with: it
/// sends and spawns nothing, which is asserted where it runs, and throws nothing, for it is
/// noexcept. Given to async_update, where few go to each of many PEs, those of several PEs travel
/// as one (message/relay.hpp).
template <class Function>
auto leaf(const Function& function) {
  return memory::leaf_function<Function>(function);
}

// Delegates: operations executed by the owner of the memory they touch, one at a time.
//
// The plain verbs are awaited by a task and return when the operation is globally visible; on
// memory of the own PE they run at once, without suspending. `async_*` are plain calls, from tasks
// and handlers, that the enclosing scope (`finish`) waits for. Functions that travel are trivially
// copyable; they run as handlers, so they may send and spawn but not wait.

/// Runs `function()` on `pe`, as a handler. Counted by the enclosing scope. Does not block; throws
/// atl::error (overflow).
template <class Function>
[[gnu::always_inline]] inline void async_call(int pe, Function function,
                                              site where = site::current()) {
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
  tasks::check_closure_in_debug(function, where);
  if constexpr (tasks::is_task<std::invoke_result_t<const Function&>>) {
    this_pe().messages->send<message::traffic::tracked>(pe, memory::spawning{function, where},
                                                        where);
  } else {
    this_pe().messages->send<message::traffic::tracked>(pe, function, where);
  }
}

/// Runs `function()` on `pe` and waits for what it returns; a function that is a coroutine runs
/// there as a task. An exception of another PE comes back as atl::error, of its own
/// code if it was one, out_of_memory for std::bad_alloc, else remote.
template <class Function>
auto call(int pe, Function function, site where = site::current()) {
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
  tasks::refuse_references<Function>();
  tasks::check_closure_in_debug(function, where);
  if constexpr (tasks::is_task<std::invoke_result_t<const Function&>>) {
    return memory::call_task(pe, function, where);
  } else {
    return memory::call_awaiter<message::traffic::tracked, Function>(pe, function, where);
  }
}

/// Lets other tasks run while memory of this PE comes into the cache. Awaited before an access that
/// is likely to miss it; elsewhere there is nothing to wait for.
template <class T>
auto prefetch(global_address<T> at, site where = site::current()) {
  return tasks::fetch_awaiter{at.is_local() ? &object_at<T>(at.offset()) : nullptr, where};
}

/// The value at `at`.
template <class T>
auto read(global_address<T> at, site where = site::current()) {
  return memory::simple_call_on(at, memory::reader{}, where);
}

/// Stores `value` at `at`.
template <class T>
auto write(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  return memory::simple_call_on(at, [value](T& there) { there = value; }, where);
}

/// Runs `function(object)` on the object's owner and waits for what it returns.
template <class T, class Function>
auto update(global_address<T> at, Function function, site where = site::current()) {
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
  using on_object = memory::on_object<T, Function>;
  return call(memory::owner_of(at, where), on_object{at.offset(), function}, where);
}

/// Adds and returns the value before.
template <class T>
auto fetch_add(global_address<T> at, std::type_identity_t<T> value, site where = site::current()) {
  return memory::simple_call_on(
      at, [value](T& there) { return memory::add_to(there, value); }, where);
}

/// Stores `desired` if the value is `expected`; returns the value before, which is `expected` if
/// and only if it was stored.
template <class T>
auto compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                      std::type_identity_t<T> desired, site where = site::current()) {
  return memory::simple_call_on(
      at, [expected, desired](T& there) { return memory::exchange_if(there, expected, desired); },
      where);
}

/// Runs `function(object)` on the object's owner. Where it may, say that it is a `leaf`.
template <class T, class Function>
[[gnu::always_inline]] inline void async_update(global_address<T> at, Function function,
                                                site where = site::current()) {
  memory::async_update_at<T>(memory::owner_in_debug(at, where), at.offset(), function, where);
}

template <class T>
void async_write(global_address<T> at, std::type_identity_t<T> value,
                 site where = site::current()) {
  async_update(at, leaf([value](T& there) noexcept { there = value; }), where);
}

/// Adds; nothing is returned.
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

/// Reads into `result`, which is set when the enclosing scope ends and must live until then.
template <class T>
void async_read(global_address<T> at, T& result, site where = site::current()) {
  memory::async_simple_call_on(at, memory::reader{}, result, where);
}

/// As above, adding; `before` is the value before.
template <class T>
void async_fetch_add(global_address<T> at, std::type_identity_t<T> value, T& before,
                     site where = site::current()) {
  memory::async_simple_call_on(
      at, [value](T& there) { return memory::add_to(there, value); }, before, where);
}

/// As compare_exchange; `before` is the value before.
template <class T>
void async_compare_exchange(global_address<T> at, std::type_identity_t<T> expected,
                            std::type_identity_t<T> desired, T& before,
                            site where = site::current()) {
  memory::async_simple_call_on(
      at, [expected, desired](T& there) { return memory::exchange_if(there, expected, desired); },
      before, where);
}

// Calls of functions that take a payload along: a text, or as many objects as one message holds.

/// Runs `function(payload)` on `pe`, as a handler, with a copy of the payload that is made now: a
/// text arrives as std::string_view, other trivially copyable objects side by side (a vector, a
/// span) as std::span<const T>; what it sees is there until it returns. Counted by the enclosing
/// scope. Does not block. Throws atl::error: input where the payload is larger than one message
/// takes, which --buffer-size decides; overflow.
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

/// Runs `function(payload)` on `pe`, as `async_call`, and waits for what it returns, as `call`.
template <class Function, memory::payload Payload>
auto call(int pe, Function function, const Payload& payload, site where = site::current()) {
  const auto view = memory::view_of(payload);
  using view_type = std::remove_const_t<decltype(view)>;
  memory::bytes_of_count(view.size(), sizeof(*view.data()), where);
  const auto bytes = std::as_bytes(std::span(view));
  return memory::call_with<view_type>(pe, function, {bytes.begin(), bytes.end()}, where);
}

// Reads of several objects under way at once: their task waits once, not once for each.

/// Reads objects of any PEs into `into`, one for each address; all are under way at once, each is
/// read at some time of the call, and those of this PE at its end. Lets other tasks run, unless
/// there are none to read. `from` and `into` must live until it returns; where it throws, `into` is
/// set in part. Throws atl::error: input for an address of no PE, out_of_memory, overflow. Awaited
/// by a task.
template <class T>
auto read_all(std::span<const global_address<T>> from, T* into, site where = site::current()) {
  return memory::read_all_awaiter<T>(from, into, where);
}

}  // namespace atl
