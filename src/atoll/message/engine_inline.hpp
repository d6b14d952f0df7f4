#pragma once
// The paths every message takes: appending it to the open run, and executing a run.

#include "atoll/message/engine.hpp"

#include <new>

namespace atoll::message {

/// How far delivery looks ahead where a closure says what it will touch (`prefetch()`).
inline constexpr std::size_t k_prefetch_distance = 16;

/// The closure says what it will touch, and may be asked where it lies: in a buffer, whose
/// alignment does for it.
template <class Closure>
concept prefetches =
    alignof(Closure) <= k_unit && requires(const Closure& closure) { closure.prefetch(); };

/// How many cache lines the closure touches that are likely not in the cache: what it says itself
/// (`lines_touched`), or none.
template <class Closure>
constexpr std::uint64_t lines_touched_by() {
  if constexpr (requires { Closure::lines_touched; }) return Closure::lines_touched;
  return 0;
}

template <class Closure>
const Closure& closure_at(const std::byte* at) {
  return *reinterpret_cast<const Closure*>(at);
}

/// Calls the closure in place, or a copy where the buffer's alignment does not do.
template <traffic Kind, class Closure, class... Payload>
inline void execute(engine& messages, const std::byte* at, Payload... payload) {
  const auto call = [&] {
    if constexpr (alignof(Closure) <= k_unit) {
      closure_at<Closure>(at)(payload...);
    } else {
      alignas(Closure) std::byte copy[sizeof(Closure)];
      std::memcpy(copy, at, sizeof(Closure));
      closure_at<Closure>(copy)(payload...);
    }
  };
  if constexpr (Kind == traffic::control ||
                std::is_nothrow_invocable_v<const Closure&, Payload...>) {
    call();
  } else {
    try {
      call();
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      messages.handler_failed(Kind, std::current_exception());
    }
  }
}

template <traffic Kind, class Closure>
std::uint32_t execute_run(engine& messages, const std::byte* at, const std::byte* end) {
  constexpr std::size_t slot = k_slot<Closure>;
  const auto count = static_cast<std::uint32_t>((end - at) / slot);
  end = at + count * slot;
  if constexpr (prefetches<Closure>) {
    for (auto ahead = at; ahead < end && ahead < at + k_prefetch_distance * slot; ahead += slot) {
      closure_at<Closure>(ahead).prefetch();
    }
    for (; at + k_prefetch_distance * slot < end; at += slot) {
      closure_at<Closure>(at + k_prefetch_distance * slot).prefetch();
      execute<Kind, Closure>(messages, at);
    }
  }
  for (; at != end; at += slot) execute<Kind, Closure>(messages, at);
  messages.count_executed(Kind, count, count * sizeof(Closure),
                          count * lines_touched_by<Closure>());
  return Kind == traffic::tracked ? count : 0;
}

template <traffic Kind, class Closure>
std::uint32_t execute_run_with(engine& messages, const std::byte* at, const std::byte* end) {
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
  while (at != end) {
    std::uint64_t length = 0;
    std::memcpy(&length, at, sizeof length);
    const std::byte* closure = at + k_unit;
    const std::byte* payload = closure + k_slot_before_payload<Closure>;
    execute<Kind, Closure>(messages, closure, std::span(payload, length));
    at = payload + round_up(length, k_unit);
    ++count;
    bytes += sizeof(Closure) + length;
  }
  messages.count_executed(Kind, count, bytes);
  return Kind == traffic::tracked ? count : 0;
}

/// The open run of `out` is of this kind and activity, and `bytes` more fit behind it.
template <traffic Kind>
inline bool engine::takes(const outgoing& out, run_function run, const activity* scope,
                          std::size_t bytes) {
  return out.run == run && (Kind != traffic::tracked || out.scope == scope) &&
         static_cast<std::size_t>(out.limit - out.cursor) >= bytes;
}

template <traffic Kind>
inline void engine::count_created(outgoing& out, [[maybe_unused]] activity* scope) {
  if constexpr (Kind == traffic::tracked) ++scope->pending;
  if constexpr (Kind != traffic::control) ++out.created;
}

// Inlined whatever its size: it is a store into a buffer and three counts, and its callers' loops
// keep what it reads of the PE in registers. The closure is stored as what it is, not as bytes, so
// that the compiler knows which of those loads it cannot change.
template <traffic Kind, travels Closure>
[[gnu::always_inline]] inline void engine::send(int destination, const Closure& closure,
                                                site where) {
  static_assert(sizeof(Closure) <= 960,
                "a message must fit the smallest network buffer; send a payload");
  constexpr run_function run = &execute_run<Kind, Closure>;
  outgoing& out = outgoing_[destination];
  activity* scope = Kind == traffic::tracked ? *enclosing_ : nullptr;
  if (!takes<Kind>(out, run, scope, k_slot<Closure>)) [[unlikely]] {
    prepare(destination, run, Kind, scope, round_up(k_slot<Closure>, k_unit), where);
  }
  if constexpr (alignof(Closure) <= k_unit) {
    new (out.cursor) Closure(closure);
  } else {
    std::memcpy(out.cursor, &closure, sizeof(Closure));
  }
  out.cursor += k_slot<Closure>;
  count_created<Kind>(out, scope);
}

template <traffic Kind, travels Closure>
inline void engine::send_with(int destination, const Closure& closure,
                              std::span<const std::byte> payload, site where) {
  constexpr run_function run = &execute_run_with<Kind, Closure>;
  const std::size_t bytes =
      k_unit + k_slot_before_payload<Closure> + round_up(payload.size(), k_unit);
  outgoing& out = outgoing_[destination];
  activity* scope = Kind == traffic::tracked ? *enclosing_ : nullptr;
  if (!takes<Kind>(out, run, scope, bytes)) prepare(destination, run, Kind, scope, bytes, where);
  const std::uint64_t length = payload.size();
  std::memcpy(out.cursor, &length, sizeof length);
  std::memcpy(out.cursor + k_unit, &closure, sizeof(Closure));
  if (length != 0)
    std::memcpy(out.cursor + k_unit + k_slot_before_payload<Closure>, payload.data(), length);
  out.cursor += bytes;
  count_created<Kind>(out, scope);
}

}  // namespace atoll::message
