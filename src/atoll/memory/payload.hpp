#pragma once
// Calls of functions that take a payload along: a text, or as many objects as one message holds.

#include "atoll/memory/delegates.hpp"

#include <concepts>
#include <ranges>
#include <vector>

namespace atl {

namespace memory {

template <class T>
concept text = std::convertible_to<const T&, std::string_view>;

/// Objects side by side that travel, in a vector, a span or the like.
template <class T>
concept objects =
    !text<T> && std::ranges::contiguous_range<const T> && std::ranges::sized_range<const T> &&
    message::travels<std::ranges::range_value_t<const T>> &&
    alignof(std::ranges::range_value_t<const T>) <= message::k_unit;

template <class T>
concept payload = text<T> || objects<T>;

/// What the function is given of it.
inline std::string_view view_of(std::string_view payload) { return payload; }
template <objects Payload>
auto view_of(const Payload& payload) {
  return std::span<const std::ranges::range_value_t<const Payload>>(payload);
}

/// A function as it travels with a payload, of which it sees a `View`.
template <class View, class Function>
struct with_payload {
  using element = typename View::value_type;
  using result = std::invoke_result_t<const Function&, View>;
  static_assert(message::travels<Function>, "what travels must be trivially copyable");
  static_assert(sizeof(Function) <= 512,
                "a function that takes a payload along has at most 512 bytes");
  static_assert(!tasks::is_task<result>, "a coroutine would outlive its payload");

  Function function;

  result operator()(std::span<const std::byte> payload) const {
    return function(
        View(reinterpret_cast<const element*>(payload.data()), payload.size() / sizeof(element)));
  }
};

/// The same, to be answered.
template <class View, class Function, class Slot>
struct request_with_payload {
  std::uint32_t number;
  with_payload<View, Function> function;

  void operator()(std::span<const std::byte> payload) const {
    answer_with<Slot>(this_pe().messages->source(), number, [&] { return function(payload); });
  }
};

/// A function beside a copy of its payload, until both are sent.
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

/// Throws atl::error (input) where so many bytes are more than a message takes beside the closure.
template <class Closure>
void check_payload(std::size_t bytes, site where) {
  const std::size_t most = this_pe().messages->payload_capacity<Closure>();
  if (bytes > most) [[unlikely]]
    refuse_payload(bytes, most, where);
}

/// As `call` with a payload, which is handed over.
template <class View, class Function>
auto call_with(int pe, const Function& function, std::vector<std::byte> payload, site where) {
  using form = loaded<View, Function>;
  using slot = answer_slot<std::invoke_result_t<const form&>>;
  check_payload<request_with_payload<View, Function, slot>>(payload.size(), where);
  tasks::check_closure_in_debug(function, where);
  return call_awaiter<traffic::tracked, form>(pe, form(function, std::move(payload)), where);
}

}  // namespace memory

/// Runs `function(payload)` on `pe`, as a handler, with a copy of the payload that is made now: a
/// text arrives as std::string_view, other trivially copyable objects side by side (a vector, a
/// span) as std::span<const T>; what it sees is there until it returns. Counted by the enclosing
/// scope. Does not block. Throws atl::error: input where the payload is larger than one message
/// takes, which --buffer-size decides; overflow.
template <class Function, memory::payload Payload>
void async_call(int pe, Function function, const Payload& payload, site where = site::current()) {
  const auto view = memory::view_of(payload);
  using closure = memory::with_payload<std::remove_const_t<decltype(view)>, Function>;
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
  const auto bytes = std::as_bytes(std::span(view));
  return memory::call_with<view_type>(pe, function, {bytes.begin(), bytes.end()}, where);
}

}  // namespace atl
