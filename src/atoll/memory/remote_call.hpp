#pragma once
// This file lets a task call a function on another PE and wait for the result. The called PE sends
// the result in a message, which stores the result in a slot in the task's frame (answers.hpp).

#include "atoll/memory/answers.hpp"
#include "atoll/transport/site_word.hpp"

#include <utility>

namespace atl::memory {

/// Adds `value` to the object and returns the old value.
template <class T>
T add_to(T& object, const T& value) {
  const T before = object;
  object = before + value;
  return before;
}

template <class T>
inline constexpr bool adds_without_exceptions =
    noexcept(std::declval<T&>() = std::declval<const T&>() + std::declval<const T&>());

template <class T>
T exchange_if(T& object, const T& expected, const T& desired) {
  const T before = object;
  if (before == expected) object = desired;
  return before;
}

/// A message with a function. The receiver spawns the function as a task.
template <class Function>
struct spawning {
  Function function;
  transport::travelling_site where;

  void operator()() const { spawn(function, where); }
};

/// A function that another PE executes, and that accesses one cache line on that PE. Counters and
/// cost models treat the access as a probable cache miss (`lines_touched`).
template <class Function>
struct touching : Function {
  static constexpr std::uint64_t lines_touched = 1;

  explicit touching(const Function& function) : Function(function) {}
};

template <class Function, class Slot>
struct request {
  static constexpr std::uint64_t lines_touched = message::lines_touched_by<Function>();

  std::uint32_t number;
  Function function;

  void operator()() const { answer_with<Slot>(this_pe().messages->source(), number, function); }
  [[gnu::always_inline]] void prefetch() const
    requires requires(const Function& f) { f.prefetch(); }
  {
    function.prefetch();
  }
};

/// Calls a function with the object of type T at `offset` in the global memory of the executing PE.
/// The access to the object is counted as one probable cache miss (`lines_touched`).
template <class T, class Function>
struct on_object {
  static constexpr std::uint64_t lines_touched = 1;

  std::uint64_t offset;
  [[no_unique_address]] Function function;

  auto operator()() const { return function(object_at<T>(offset)); }
  [[gnu::always_inline]] void prefetch() const
    requires requires(const Function& f, T& at) { f.prefetch(at); }
  {
    function.prefetch(object_at<T>(offset));
  }
};

/// Sends a function to PE `pe`, which executes it and answers with the result. `number` identifies
/// the receiver of the answer.
template <traffic Kind, class Slot, class Function>
void send_request(int pe, std::uint32_t number, const Function& function, site where) {
  this_pe().messages->send<Kind>(pe, request<Function, Slot>{number, function}, where);
}

/// Sends a call on an object to PE `pe`, which answers with the result. `number` identifies the
/// receiver of the answer. The message is shorter if the object's offset fits into 32 bits.
template <traffic Kind, class Slot, class T, class Function>
void send_request(int pe, std::uint32_t number, const on_object<T, Function>& call, site where) {
  using near_form = compact_call<T, Function>;
  auto& messages = *this_pe().messages;
  if (!near_form::reaches(call.offset)) [[unlikely]]
    return messages.send<Kind>(pe, request<on_object<T, Function>, Slot>{number, call}, where);
  messages.send<Kind>(pe, request<near_form, Slot>{number, near_form(call.offset, call.function)},
                      where);
}

/// Adds `whose` to the receivers that wait for answers, and calls `send` with the receiver's
/// number. If `send` throws, the receiver is removed.
template <class Send>
void send_numbered(pending_answers::receiver whose, const Send& send) {
  pending_answers& all = *this_pe().answers;
  const std::uint32_t number = all.add(whose);
  try {
    send(number);
  } catch (...) {
    all.take(number);
    throw;
  }
}

/// Sends `function` to PE `pe`. The answer goes to the receiver `whose`. Throws the errors of
/// `engine::send`. After an error, no answer arrives.
template <traffic Kind, class Slot, class Function>
void ask(int pe, pending_answers::receiver whose, const Function& function, site where) {
  send_numbered(
      whose, [&](std::uint32_t number) { send_request<Kind, Slot>(pe, number, function, where); });
}

/// Measures how long a task waits in an awaitable. Only a sample of all waits is measured. The
/// object takes one byte of a coroutine frame.
class timed_wait {
 public:
  void begin() {
    if (pe& self = this_pe(); self.recorder->delegates.is_due()) [[unlikely]]
      timed_ = self.recorder->delegates.begin(self.transport->now());
  }
  void end() {
    if (timed_ == 0) [[likely]]
      return;
    pe& self = this_pe();
    self.recorder->delegates.end(timed_, self.transport->now());
  }

 private:
  std::uint8_t timed_ = 0;
};

/// An awaitable that calls a function on a PE and returns the function's result. The function must
/// not be a coroutine. If the PE is this PE, the task calls the function directly and is not
/// suspended.
template <traffic Kind, class Function>
class [[nodiscard]] call_awaiter {
 public:
  using result = std::invoke_result_t<const Function&>;

  call_awaiter(int pe, Function function, site where)
      : pe_(pe), function_(std::move(function)), where_(where) {}

  bool await_ready() {
    if (pe_ != my_pe()) return false;
    this_pe().counters->lines_touched += message::lines_touched_by<Function>();
    if constexpr (std::is_void_v<result>) {
      function_();
    } else {
      slot_.value.emplace(function_());
    }
    return true;
  }

  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where_;
    slot_.waiter = &suspended.promise();
    timed_.begin();
    ask<Kind, answer_slot<result>>(pe_, {&slot_, 0}, function_, where_);
  }

  result await_resume() {
    timed_.end();
    return slot_.take();
  }

 private:
  int pe_;
  timed_wait timed_;
  [[no_unique_address]] Function function_;
  site where_;
  answer_slot<result> slot_;
};

/// Calls a function on PE `pe`. The function may only access memory. Returns an awaitable of the
/// function's result.
template <class Function>
auto simple_call(int pe, Function function, site where) {
  return call_awaiter<traffic::untracked, Function>(pe, function, where);
}

/// An awaitable that waits for the answer to a request which was sent before.
template <class T>
struct answer_awaiter {
  answer_slot<T>& slot;
  site where;
  timed_wait timed{};

  bool await_ready() noexcept { return false; }
  template <tasks::task_promise Promise>
  void await_suspend(std::coroutine_handle<Promise> suspended) {
    suspended.promise().waiting_at = where;
    slot.waiter = &suspended.promise();
    timed.begin();
  }
  T await_resume() {
    timed.end();
    return slot.take();
  }
};

/// A task that awaits the coroutine `function` on this PE, and sends its result or exception to PE
/// `asker`.
template <class Function>
task<> run_and_answer(int asker, std::uint32_t number, Function function) {
  using result = tasks::result_of<const Function&>;
  using slot = answer_slot<result>;
  std::exception_ptr failure;
  try {
    if constexpr (std::is_void_v<result>) {
      co_await function();
      answer_with<slot>(asker, number, [] {});
    } else {
      const result value = co_await function();
      answer_with<slot>(asker, number, [value] { return value; });
    }
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) send_failure<slot>(asker, number, failure);
}

/// A message that starts a coroutine as a task on the receiving PE. The task sends its result to PE
/// `asker`.
template <class Function>
struct task_request {
  using result = tasks::result_of<const Function&>;

  std::uint32_t number;
  int asker;
  transport::travelling_site where;
  [[no_unique_address]] Function function;

  void operator()() const {
    try {
      auto answering = run_and_answer(asker, number, function);
      tasks::spawn_owed([begun = std::move(answering)]() mutable { return std::move(begun); },
                        where)
          .has_asker = true;
    } catch (const transport::job_ended&) {
      throw;
      // The task could not be started, so PE `asker` gets the error instead of a result.
    } catch (...) {
      send_failure<answer_slot<result>>(asker, number, std::current_exception());
    }
  }
};

/// Runs the coroutine `function` as a task on PE `pe`, waits for the task, and returns its result.
template <class Function>
task<tasks::result_of<const Function&>> call_task(int pe, Function function, site where) {
  using result = tasks::result_of<const Function&>;
  if (pe == my_pe()) co_return co_await function();
  answer_slot<result> slot;
  const auto send = [&](std::uint32_t number) {
    const task_request<Function> start{number, my_pe(), transport::travelling_site(where),
                                       function};
    this_pe().messages->send<traffic::tracked>(pe, start, where);
  };
  send_numbered({&slot, 0}, send);
  co_return co_await answer_awaiter<result>{slot, where};
}

template <class Function, class T>
void async_simple_call(int pe, Function function, T& result, site where) {
  static_assert(message::bitwise_copyable<T>, "what a delegate returns must be trivially copyable");
  if (pe == my_pe()) {
    this_pe().counters->lines_touched += message::lines_touched_by<Function>();
    result = function();
    return;
  }
  message::activity& scope = this_pe().messages->enclosing();
  ask<traffic::untracked, async_slot<T>>(pe, {&result, reinterpret_cast<std::uintptr_t>(&scope)},
                                         function, where);
  scope.begin();
}

}  // namespace atl::memory
