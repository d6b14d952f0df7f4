#pragma once
// Delegates: operations executed by the owner of the memory they touch, one at a time.
//
// The plain verbs are awaited by a task and return when the operation is globally visible; on
// memory of the own PE they run at once, without suspending. `async_*` are plain calls, from tasks
// and handlers, that the enclosing scope (`finish`) waits for. Functions that travel are trivially
// copyable; they run as handlers, so they may send and spawn but not wait.

#include "atoll/memory/checks.hpp"
#include "atoll/memory/global_address.hpp"
#include "atoll/memory/leaf.hpp"
#include "atoll/memory/near_object.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task/awaitables.hpp"
#include "atoll/task/own_addresses.hpp"

namespace atl {

namespace memory {

/// Where the object is, which must lie in a global array.
template <class T>
int owner_of(global_address<T> at, site where) {
  check_access(at.pe(), at.offset(), sizeof(T), where);
  return at.pe();
}

/// The same for what is sent in loops: debug builds alone look whether there is an array.
template <class T>
int owner_in_debug(global_address<T> at, site where) {
  check_access_in_debug(at.pe(), at.offset(), sizeof(T), where);
  return at.pe();
}

struct reader {
  template <class T>
  T operator()(const T& object) const {
    return object;
  }
  template <class T>
  [[gnu::always_inline]] void prefetch(const T& object) const {
    __builtin_prefetch(&object);
  }
};

/// For functions of an object that do nothing else than touch it: awaitable, on its owner.
template <class T, class Function>
auto simple_call_on(global_address<T> at, Function function, site where) {
  return simple_call(owner_of(at, where), on_object<T, Function>{at.offset(), function}, where);
}

/// The same, into `result` before the enclosing scope ends.
template <class T, class Function>
void async_simple_call_on(global_address<T> at, Function function, T& result, site where) {
  async_simple_call(owner_in_debug(at, where), on_object<T, Function>{at.offset(), function},
                    result, where);
}

}  // namespace memory

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

namespace memory {

/// async_update of an object whose offset needs more than 32 bits.
template <class T, class Function>
[[gnu::noinline]] void async_update_far(int owner, std::uint64_t offset, Function function,
                                        site where) {
  async_call(owner, touching([offset, function] { function(object_at<T>(offset)); }), where);
}

template <class T, class Function>
[[gnu::always_inline]] inline void async_update_at(int owner, std::uint64_t offset,
                                                   const Function& function, site where) {
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
  static_assert(!tasks::is_task<std::invoke_result_t<const Function&, T&>>,
                "a coroutine would outlive its function; spawn it there by async_call");
  tasks::check_closure_in_debug(function, where);
  using near_form = near_object<T, Function>;
  if (near_form::reaches(offset)) [[likely]]
    async_call(owner, near_form(offset, function), where);
  else
    async_update_far<T>(owner, offset, function, where);
}

}  // namespace memory

/// Runs `function()` on `pe` and waits for what it returns; a function that is a coroutine runs
/// there as a task. An exception of another PE comes back as atl::error, of its own
/// code if it was one, out_of_memory for std::bad_alloc, else remote.
template <class Function>
auto call(int pe, Function function, site where = site::current()) {
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
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

}  // namespace atl
