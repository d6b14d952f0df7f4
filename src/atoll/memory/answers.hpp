#pragma once
// This file matches answers from other PEs with the tasks that wait for the answers. Each request
// contains a 32-bit number, and the answer to the request contains the same number. The number
// identifies the receiver of the answer. With an address in place of the number, each request and
// each answer would be 4 bytes longer.

#include "atoll/base/charged.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/compact_call.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace atl::memory {

/// The table of the receivers of one PE that wait for answers. Only the PE that owns the table uses
/// it.
class pending_answers {
 public:
  /// The receiver of an answer. `slot` points to the object that gets the answer. The type of
  /// `*slot` is a template argument of the request, and determines the meaning of the additional
  /// value `context`.
  struct receiver {
    void* slot;
    std::uintptr_t context;
  };

  explicit pending_answers(memory_account& account) : receivers_(account) {}

  /// Adds a receiver and returns the number for the request. Throws atl::error (out_of_memory).
  std::uint32_t add(receiver whose) {
    if (free_ == receivers_.size()) receivers_.push_back({nullptr, free_ + 1});
    const std::uint32_t number = free_;
    free_ = static_cast<std::uint32_t>(receivers_[number].context);
    receivers_[number] = whose;
    return number;
  }

  /// Returns the receiver with this number, and frees the number.
  receiver take(std::uint32_t number) noexcept {
    const receiver found = receivers_[number];
    receivers_[number] = {nullptr, free_};
    free_ = number;
    return found;
  }

 private:
  // the `context` of a free entry is the number of the next free entry
  charged_vector<receiver> receivers_;
  // First free number. If no entry is free, the value is the size of `receivers_`.
  std::uint32_t free_ = 0;
};

// The next classes are answers to requests, and slots. A slot is the object that receives an
// answer. The type of a slot defines the type of the answer, and what happens when the answer or an
// error arrives.

using message::traffic;

/// A task that waits for an answer. If the request fails, `failure` is the exception that the task
/// gets.
struct waiting_task {
  tasks::frame* waiter = nullptr;
  std::exception_ptr failure;

  void go_on() { this_pe().tasks->ready(*waiter); }
  void fail(std::exception_ptr why) {
    if (!failure) failure = std::move(why);
  }
  void check() const {
    if (failure) std::rethrow_exception(failure);
  }
};

/// The slot of a task that waits for one answer. The slot lies in the frame of the task.
template <class T>
struct answer_slot : waiting_task {
  using type = T;

  std::optional<T> value;

  static void arrived(pending_answers::receiver at, const T& what) {
    auto& slot = *static_cast<answer_slot*>(at.slot);
    slot.value.emplace(what);
    slot.go_on();
  }
  static void failed(pending_answers::receiver at, std::exception_ptr why) {
    auto& slot = *static_cast<answer_slot*>(at.slot);
    slot.fail(std::move(why));
    slot.go_on();
  }
  T take() {
    check();
    return std::move(*value);
  }
};

template <>
struct answer_slot<void> : waiting_task {
  using type = void;

  static void arrived(pending_answers::receiver at) { static_cast<answer_slot*>(at.slot)->go_on(); }
  static void failed(pending_answers::receiver at, std::exception_ptr why) {
    auto& slot = *static_cast<answer_slot*>(at.slot);
    slot.fail(std::move(why));
    slot.go_on();
  }
  void take() const { check(); }
};

/// The slot of a request for which no task waits. The answer is stored in an object of the caller
/// before the enclosing scope ends. `receiver::context` holds the address of the scope.
template <class T>
struct async_slot {
  using type = T;

  static void arrived(pending_answers::receiver at, const T& what) {
    *static_cast<T*>(at.slot) = what;
    message::acknowledged(at.context, 1);
  }
  static void failed(pending_answers::receiver at, const std::exception_ptr& why) {
    this_pe().messages->fail_in(*reinterpret_cast<message::activity*>(at.context), why, {});
    message::acknowledged(at.context, 1);
  }
};

/// A message with the answer to a request. The message is executed on the PE that has sent the
/// request.
template <class Slot, class T = typename Slot::type>
struct answer {
  std::uint32_t number;
  half_aligned<T> value;

  void operator()() const noexcept { Slot::arrived(this_pe().answers->take(number), value.get()); }
};

template <class Slot>
struct answer<Slot, void> {
  std::uint32_t number;

  void operator()() const noexcept { Slot::arrived(this_pe().answers->take(number)); }
};

template <class Slot>
struct failed_answer {
  std::uint32_t number;
  errc code;

  void operator()(std::span<const std::byte> text) const {
    const std::string_view words(reinterpret_cast<const char*>(text.data()), text.size());
    Slot::failed(this_pe().answers->take(number),
                 std::make_exception_ptr(
                     error(code, fmt::format("PE {}: {}", this_pe().messages->source(), words))));
  }
};

template <class Slot>
void send_failure(int pe, std::uint32_t number, const std::exception_ptr& failure) {
  std::string text = describe(failure);
  text.resize(std::min(text.size(), this_pe().messages->payload_capacity<failed_answer<Slot>>()));
  this_pe().messages->send_with<traffic::untracked>(
      pe, failed_answer<Slot>{number, carried_code(failure)}, std::as_bytes(std::span(text)),
      site::current());
}

/// Calls `function` and sends its result, or its exception, to the slot with the number `number` on
/// PE `to`.
template <class Slot, class Function>
void answer_with(int to, std::uint32_t number, const Function& function) {
  using result = typename Slot::type;
  auto& messages = *this_pe().messages;
  try {
    if constexpr (std::is_void_v<result>) {
      function();
      messages.send<traffic::untracked>(to, answer<Slot>{number}, site::current());
    } else {
      static_assert(message::bitwise_copyable<result>,
                    "what a delegate returns must be trivially copyable");
      messages.send<traffic::untracked>(to, answer<Slot>{number, half_aligned<result>(function())},
                                        site::current());
    }
  } catch (...) {
    send_failure<Slot>(to, number, std::current_exception());
  }
}

}  // namespace atl::memory
