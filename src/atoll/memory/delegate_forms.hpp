#pragma once
// A delegate is a function that a PE sends to the owner of an object. The owner executes the
// function on the object. This file has the messages that contain delegates, and the awaitables
// that wait for the results of delegates.

#include "atoll/global_address.hpp"
#include "atoll/memory/checks.hpp"
#include "atoll/memory/compact_call.hpp"
#include "atoll/memory/remote_call.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"

#include <concepts>
#include <ranges>
#include <type_traits>
#include <vector>

namespace atl::memory {

template <class Function>
struct leaf_function : Function {
  static constexpr bool is_leaf = true;

  explicit leaf_function(const Function& function) : Function(function) {}
};

/// Returns the PE that owns the object at `at`. Throws atl::error (input) if the object does not
/// lie in a global array.
template <class T>
int owner_of(global_address<T> at, site where) {
  check_access(at.pe(), at.offset(), sizeof(T), where);
  return at.pe();
}

/// Returns the PE that owns the object at `at`. Only debug builds check that the object lies in a
/// global array, because the check is slow in loops.
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

/// Calls a function on the owner of the object `at`. The function may access only the object.
/// Returns an awaitable of the function's result.
template <class T, class Function>
auto simple_call_on(global_address<T> at, Function function, site where) {
  return simple_call(owner_of(at, where), on_object<T, Function>{at.offset(), function}, where);
}

/// Calls a function on the owner of the object `at`, and does not wait for the result. The function
/// may access only the object. The function's result is stored in `result` before the enclosing
/// scope ends.
template <class T, class Function>
void async_simple_call_on(global_address<T> at, Function function, T& result, site where) {
  async_simple_call(owner_in_debug(at, where), on_object<T, Function>{at.offset(), function},
                    result, where);
}

/// Performs an `async_update` of an object whose offset is too large for a `compact_call`, and
/// sends a longer message.
template <class T, class Function>
[[gnu::noinline]] void async_update_far(int owner, std::uint64_t offset, Function function,
                                        site where) {
  async_call(owner, touching([offset, function] { function(object_at<T>(offset)); }), where);
}

template <class T, class Function>
[[gnu::always_inline]] inline void async_update_at(int owner, std::uint64_t offset,
                                                   const Function& function, site where) {
  static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
  static_assert(!tasks::is_task<std::invoke_result_t<const Function&, T&>>,
                "a coroutine would outlive its function; spawn it there by async_call");
  tasks::check_closure_in_debug(function, where);
  using near_form = compact_call<T, Function>;
  if (near_form::reaches(offset)) [[likely]]
    async_call(owner, near_form(offset, function), where);
  else
    async_update_far<T>(owner, offset, function, where);
}

template <class T>
concept text = std::convertible_to<const T&, std::string_view>;

/// A range of contiguous, trivially copyable objects, such as a vector or a span. A message can
/// contain the objects as its payload.
template <class T>
concept objects =
    !text<T> && std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
    message::bitwise_copyable<std::ranges::range_value_t<const T>> &&
    alignof(std::ranges::range_value_t<const T>) <= message::k_unit;

template <class T>
concept payload = text<T> || objects<T>;

/// Returns the view of a payload that is passed to the called function.
inline std::string_view view_of(std::string_view payload) { return payload; }
template <objects Payload>
auto view_of(const Payload& payload) {
  return std::span<const std::ranges::range_value_t<const Payload>>(payload);
}

/// A function that is sent together with a payload. The receiver calls the function with a `View`
/// of the payload.
template <class View, class Function>
struct with_payload {
  using element = typename View::value_type;
  using result = std::invoke_result_t<const Function&, View>;
  static_assert(message::bitwise_copyable<Function>, "what travels must be trivially copyable");
  static_assert(sizeof(Function) <= 512,
                "a function that takes a payload along has at most 512 bytes");
  static_assert(!tasks::is_task<result>, "a coroutine would outlive its payload");

  Function function;

  result operator()(std::span<const std::byte> payload) const {
    return function(
        View(reinterpret_cast<const element*>(payload.data()), payload.size() / sizeof(element)));
  }
};

/// A message with a function and a payload. The receiver sends the function's result back to the
/// sender.
template <class View, class Function, class Slot>
struct request_with_payload {
  std::uint32_t number;
  with_payload<View, Function> function;

  void operator()(std::span<const std::byte> payload) const {
    answer_with<Slot>(this_pe().messages->source(), number, [&] { return function(payload); });
  }
};

/// A function with a copy of its payload. The object keeps the function and the payload until they
/// are sent.
template <class View, class Function>
class loaded {
 public:
  loaded(const Function& function, std::vector<std::byte> payload)
      : function_{function}, payload_(std::move(payload)) {}

  auto operator()() const { return function_(payload_); }

  template <traffic Kind, class Slot>
  void send(int pe, std::uint32_t number, site where) const {
    this_pe().messages->send_with<Kind>(
        pe, request_with_payload<View, Function, Slot>{number, function_}, payload_, where);
  }

 private:
  with_payload<View, Function> function_;
  std::vector<std::byte> payload_;
};

template <traffic Kind, class Slot, class View, class Function>
void send_request(int pe, std::uint32_t number, const loaded<View, Function>& function,
                  site where) {
  function.template send<Kind, Slot>(pe, number, where);
}

[[noreturn]] void refuse_payload(std::size_t bytes, std::size_t most, site where);

/// Throws atl::error (input) if one message cannot contain a `Closure` together with a payload of
/// `bytes` bytes.
template <class Closure>
void check_payload(std::size_t bytes, site where) {
  const std::size_t most = this_pe().messages->payload_capacity<Closure>();
  if (bytes > most) [[unlikely]]
    refuse_payload(bytes, most, where);
}

/// Calls a function on PE `pe` with a payload. Returns an awaitable of the function's result. The
/// awaitable also keeps the payload until the payload is sent.
template <class View, class Function>
auto call_with(int pe, const Function& function, std::vector<std::byte> payload, site where) {
  using form = loaded<View, Function>;
  using slot = answer_slot<std::invoke_result_t<const form&>>;
  check_payload<request_with_payload<View, Function, slot>>(payload.size(), where);
  tasks::check_closure_in_debug(function, where);
  return call_awaiter<traffic::tracked, form>(pe, form(function, std::move(payload)), where);
}

/// A slot for several answers that one task awaits together. The `context` of each receiver is the
/// index in `into` at which the answer is stored.
template <class T>
struct answers_together : waiting_task {
  using type = T;

  T* into = nullptr;
  std::size_t missing = 0;

  static void arrived(pending_answers::receiver at, const T& value) {
    auto& all = *static_cast<answers_together*>(at.slot);
    all.into[at.context] = value;
    all.one_came();
  }
  static void failed(pending_answers::receiver at, std::exception_ptr why) {
    auto& all = *static_cast<answers_together*>(at.slot);
    all.fail(std::move(why));
    all.one_came();
  }

 private:
  void one_came() {
    if (--missing == 0) go_on();
  }
};

/// An awaitable that copies objects of any PEs into memory of this PE.
template <class T>
class [[nodiscard]] read_all_awaiter {
 public:
  read_all_awaiter(std::span<const global_address<T>> from, T* into, site where)
      : from_(from), where_(where) {
    answers_.into = into;
  }

  bool await_ready() const noexcept { return from_.empty(); }

  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where_;
    answers_.waiter = &suspended.promise();
    ask_for_all();
    if (answers_.missing > 0) return timed_.begin();
    fetches_ = true;
    this_pe().tasks->ready_when_fetched(suspended.promise());
  }

  void await_resume() {
    timed_.end();
    if (fetches_) this_pe().tasks->fetched();
    answers_.check();
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (from_[i].is_local()) read_here(i);
    }
  }

 private:
  // Number of local objects that are prefetched before any local object is read, so that their
  // cache misses overlap.
  static constexpr std::size_t k_most_prefetched = 32;

  // If sending a request fails, the task still waits for the answers to all requests that it has
  // sent.
  void ask_for_all() {
    try {
      for (std::size_t i = 0; i < from_.size(); ++i) ask_for(i);
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      answers_.fail(std::current_exception());
    }
  }

  void ask_for(std::size_t i) {
    const int owner = owner_of(from_[i], where_);
    if (owner == my_pe()) {
      if (i < k_most_prefetched) reader().prefetch(object_at<T>(from_[i].offset()));
      return;
    }
    ask<traffic::untracked, answers_together<T>>(
        owner, {&answers_, i}, on_object<T, reader>{from_[i].offset(), {}}, where_);
    ++answers_.missing;
  }

  void read_here(std::size_t i) {
    ++this_pe().counters->lines_touched;
    answers_.into[i] = object_at<T>(from_[i].offset());
  }

  std::span<const global_address<T>> from_;
  site where_;
  answers_together<T> answers_;
  timed_wait timed_;
  // true if all objects are local, so that the task waits only for prefetches
  bool fetches_ = false;
};

}  // namespace atl::memory
