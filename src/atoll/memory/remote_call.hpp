#pragma once
// How a task waits for an answer of another PE: a slot in its own frame, whose address travels with
// the request and comes back with the reply.

#include "atoll/base/describe.hpp"
#include "atoll/task/scope.hpp"
#include "atoll/transport/travelling_site.hpp"

#include <optional>
#include <string_view>

namespace atl::memory {

using message::traffic;

/// Old value out, new value in.
template <class T>
T add_to(T& object, const T& value) {
  const T before = object;
  object = before + value;
  return before;
}

template <class T>
T exchange_if(T& object, const T& expected, const T& desired) {
  const T before = object;
  if (before == expected) object = desired;
  return before;
}

/// A function that travels and, where it arrives, is spawned as a task.
template <class Function>
struct spawning {
  Function function;
  transport::travelling_site where;

  void operator()() const { spawn(function, where); }
};

/// A function that travels and touches one cache line that is likely not in the cache.
template <class Function>
struct touching : Function {
  static constexpr std::uint64_t lines_touched = 1;

  explicit touching(const Function& function) : Function(function) {}
};

/// Where the answer arrives; lives in the frame of the waiting task.
template <class T>
struct answer_slot {
  tasks::frame* waiter = nullptr;
  std::optional<T> value;
  std::exception_ptr failure;

  T take() {
    if (failure) std::rethrow_exception(failure);
    return std::move(*value);
  }
};

template <>
struct answer_slot<void> {
  tasks::frame* waiter = nullptr;
  std::exception_ptr failure;

  void take() {
    if (failure) std::rethrow_exception(failure);
  }
};

/// The reply, executed on the PE that asked.
template <class T>
struct answer {
  std::uint64_t slot_word;
  T value;

  void operator()() const noexcept {
    auto& slot = *reinterpret_cast<answer_slot<T>*>(slot_word);
    slot.value.emplace(value);
    this_pe().tasks->ready(*slot.waiter);
  }
};

template <>
struct answer<void> {
  std::uint64_t slot_word;

  void operator()() const noexcept {
    this_pe().tasks->ready(*reinterpret_cast<answer_slot<void>*>(slot_word)->waiter);
  }
};

template <class T>
struct failed_answer {
  std::uint64_t slot_word;
  errc code;

  void operator()(std::span<const std::byte> text) const {
    auto& slot = *reinterpret_cast<answer_slot<T>*>(slot_word);
    slot.failure = std::make_exception_ptr(error(
        code,
        fmt::format("PE {}: {}", this_pe().messages->source(),
                    std::string_view(reinterpret_cast<const char*>(text.data()), text.size()))));
    this_pe().tasks->ready(*slot.waiter);
  }
};

template <class T>
void send_failure(int pe, std::uint64_t slot_word, const std::exception_ptr& failure) {
  std::string text = describe(failure);
  text.resize(std::min(text.size(), this_pe().messages->payload_capacity<failed_answer<T>>()));
  this_pe().messages->send_with<traffic::untracked>(
      pe, failed_answer<T>{slot_word, carried_code(failure)}, std::as_bytes(std::span(text)),
      site::current());
}

/// Calls the function and sends what it returns, or the exception, to the slot on `asker`.
template <class Function>
void answer_with(int asker, std::uint64_t slot_word, const Function& function) {
  using result = std::invoke_result_t<const Function&>;
  auto& messages = *this_pe().messages;
  try {
    if constexpr (std::is_void_v<result>) {
      function();
      messages.send<traffic::untracked>(asker, answer<void>{slot_word}, site::current());
    } else {
      static_assert(message::travels<result>, "what a delegate returns must be trivially copyable");
      messages.send<traffic::untracked>(asker, answer<result>{slot_word, function()},
                                        site::current());
    }
  } catch (...) {
    send_failure<result>(asker, slot_word, std::current_exception());
  }
}

template <class Function>
struct request {
  static constexpr std::uint64_t lines_touched = message::lines_touched_by<Function>();

  std::uint64_t slot_word;
  Function function;

  void operator()() const { answer_with(this_pe().messages->source(), slot_word, function); }
  [[gnu::always_inline]] void prefetch() const
    requires requires(const Function& f) { f.prefetch(); }
  {
    function.prefetch();
  }
};

/// Sends a function that is to be answered to the slot.
template <traffic Kind, class Function>
void send_request(int pe, std::uint64_t slot_word, const Function& function, site where) {
  this_pe().messages->send<Kind>(pe, request<Function>{slot_word, function}, where);
}

/// Times the wait of an awaitable, if the sampler picks that wait. One byte of a frame.
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

/// Awaitable: calls a plain function on a PE. On the own one it does not suspend.
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
    send_request<Kind>(pe_, reinterpret_cast<std::uintptr_t>(&slot_), function_, where_);
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

/// For functions that touch memory and do nothing else.
template <class Function>
auto simple_call(int pe, Function function, site where) {
  return call_awaiter<traffic::untracked, Function>(pe, function, where);
}

/// Awaitable: the answer to a request already sent.
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

/// Runs the coroutine as a task on this PE and sends its result to the slot on `asker`.
template <class Function>
task<> run_and_answer(int asker, std::uint64_t slot_word, Function function) {
  using result = tasks::result_of<const Function&>;
  std::exception_ptr failure;
  try {
    if constexpr (std::is_void_v<result>) {
      co_await function();
      answer_with(asker, slot_word, [] {});
    } else {
      const result value = co_await function();
      answer_with(asker, slot_word, [value] { return value; });
    }
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) send_failure<result>(asker, slot_word, failure);
}

/// Calls a coroutine on a PE, where it runs as a task, and returns what it returned.
template <class Function>
task<tasks::result_of<const Function&>> call_task(int pe, Function function, site where) {
  using result = tasks::result_of<const Function&>;
  if (pe == my_pe()) co_return co_await function();
  answer_slot<result> slot;
  const auto start = [word = reinterpret_cast<std::uintptr_t>(&slot), asker = my_pe(), function,
                      where = transport::travelling_site(where)] {
    try {
      auto answering = run_and_answer(asker, word, function);
      tasks::spawn_owed([begun = std::move(answering)]() mutable { return std::move(begun); },
                        where)
          .has_asker = true;
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {  // no memory for it: the asker must not wait for ever
      send_failure<result>(asker, word, std::current_exception());
    }
  };
  this_pe().messages->send<traffic::tracked>(pe, start, where);
  co_return co_await answer_awaiter<result>{slot, where};
}

/// Reply to an asynchronous request: stores the value and counts the request out of its scope.
template <class T>
struct async_answer {
  std::uint64_t result_word;
  std::uint64_t activity_word;
  T value;

  void operator()() const noexcept {
    *reinterpret_cast<T*>(result_word) = value;
    message::acknowledged(activity_word, 1);
  }
};

template <class Function, class T>
void async_simple_call(int pe, Function function, T& result, site where) {
  static_assert(message::travels<T>, "what a delegate returns must be trivially copyable");
  auto& messages = *this_pe().messages;
  if (pe == my_pe()) {
    this_pe().counters->lines_touched += message::lines_touched_by<Function>();
    result = function();
    return;
  }
  message::activity& scope = messages.enclosing();
  messages.send<traffic::untracked>(
      pe,
      [function, result_word = reinterpret_cast<std::uintptr_t>(&result),
       activity_word = reinterpret_cast<std::uintptr_t>(&scope)] {
        this_pe().counters->lines_touched += message::lines_touched_by<Function>();
        auto& owner = *this_pe().messages;
        owner.send<traffic::untracked>(owner.source(),
                                       async_answer<T>{result_word, activity_word, function()},
                                       site::current());
      },
      where);
  scope.begin();
}

}  // namespace atl::memory
