#pragma once
// This file defines the functions of the engine that send messages.

#include "atoll/message/engine.hpp"
#include "atoll/message/runs.hpp"

#include <cstring>
#include <new>

namespace atl::message {

// Sends a message. Usually, sending takes one store into a buffer. The function is always inlined,
// so that a caller's loop keeps the state of the PE in registers. A closure with an alignment of at
// most 8 bytes is stored as an object of its own type, not as bytes. By the aliasing rules of C++,
// a typed store changes no objects of other types, so the caller's loop can keep their values in
// registers. The first message of a run and every relayed message take a slower path in
// `send_first`, so that other messages are fast.
template <traffic Kind, bitwise_copyable Closure>
[[gnu::always_inline]] inline void engine::send(int destination, const Closure& closure,
                                                site where) {
  static_assert(sizeof(Closure) <= k_largest_message,
                "a message must fit the smallest network buffer; send a payload");
  constexpr run_function run = &execute_run<Kind, Closure>;
  send_buffer& out = aggregator_.to(destination, where);
  activity* const scope = Kind == traffic::tracked ? &enclosing() : nullptr;
  if (!out.takes<Kind>(key_of(run), scope, k_slot<Closure>)) [[unlikely]] {
    // The slow path takes the address of a copy, so that `closure` itself stays in registers.
    const Closure copy = closure;
    return send_first<Kind>(out, destination, copy, scope, where);
  }
  store_message(out.cursor, closure);
}

template <traffic Kind, class Closure>
[[gnu::noinline]] void engine::send_first(send_buffer& out, int destination, const Closure& closure,
                                          activity* scope, site where) {
  if constexpr (Kind == traffic::tracked && relayable<Closure>) {
    if (!out.is_direct() && routes_.relays_to(destination))
      return send_by_relay<Kind>(destination, closure, scope, where);
  }
  aggregator_.begin_run(out, run_of<Kind, Closure>(&execute_run<Kind, Closure>, scope), where);
  store_message(out.cursor, closure);
}

template <traffic Kind, class Closure>
new_run engine::run_of(run_function run, activity* scope) {
  const std::size_t bytes = round_up(k_slot<Closure>, k_unit);
  return {key_of(run), run, Kind, scope, bytes, k_slot<Closure>};
}

template <class Closure>
[[gnu::always_inline]] inline void engine::store_message(std::byte*& cursor,
                                                         const Closure& closure) {
  if constexpr (alignof(Closure) <= k_unit) {
    new (cursor) Closure(closure);
  } else {
    std::memcpy(cursor, &closure, sizeof(Closure));
  }
  cursor += k_slot<Closure>;
}

template <traffic Kind, class Closure>
[[gnu::noinline]] void engine::send_by_relay(int destination, const Closure& closure,
                                             activity* scope, site where) {
  const int hop = routes_.hop(destination);
  if (hop == destination || !routes_.relays_to(destination)) {
    append<Kind>(&execute_run<Kind, Closure>, destination, closure, scope, where);
  } else {
    append<Kind>(&relay_run<Kind, Closure>, hop,
                 relayed<Closure>{static_cast<std::uint32_t>(destination), closure}, scope, where);
  }
}

template <traffic Kind, class Closure>
[[gnu::always_inline]] inline void engine::append(run_function run, int destination,
                                                  const Closure& closure, activity* scope,
                                                  site where) {
  send_buffer& out = aggregator_.to(destination, where);
  if (!out.takes<Kind>(key_of(run), scope, k_slot<Closure>)) [[unlikely]] {
    aggregator_.begin_run(out, run_of<Kind, Closure>(run, scope), where);
    out.has_relayed |= is_relayed<Closure>;
  }
  store_message(out.cursor, closure);
}

template <traffic Kind, bitwise_copyable Closure>
inline void engine::send_with(int destination, const Closure& closure,
                              std::span<const std::byte> payload, site where) {
  constexpr run_function run = &execute_run_with<Kind, Closure>;
  const std::size_t bytes = k_payload_place<Closure> + round_up(payload.size(), k_unit);
  send_buffer& out = aggregator_.to(destination, where);
  activity* const scope = Kind == traffic::tracked ? &enclosing() : nullptr;
  if (!out.takes<Kind>(key_of(run), scope, bytes))
    aggregator_.begin_run(out, {key_of(run), run, Kind, scope, bytes, 0}, where);
  if constexpr (!tells_payload<Closure>) store_word(out.cursor, payload.size());
  std::memcpy(out.cursor + k_length_bytes<Closure>, &closure, sizeof(Closure));
  if (!payload.empty())
    std::memcpy(out.cursor + k_payload_place<Closure>, payload.data(), payload.size());
  out.cursor += bytes;
  out.count_one<Kind>(scope);
}

}  // namespace atl::message
