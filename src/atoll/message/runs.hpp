#pragma once
// This file has the functions that execute a run, which is a sequence of messages for the same
// function (send_buffer.hpp). A run of messages is executed by a loop over closures of a known
// type.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/message/engine.hpp"
#include "atoll/message/send_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <type_traits>

namespace atl::message {

/// A closure with a function `prefetch()`, which prefetches the memory that the closure will touch.
/// Declare `prefetch()` with the attribute `[[gnu::always_inline]]`. The closure is called at its
/// address in the buffer, without a copy, so the alignment of the buffer must suffice for the
/// closure.
template <class Closure>
concept prefetches =
    alignof(Closure) <= k_unit && requires(const Closure& closure) { closure.prefetch(); };

/// True if the closure declares that it sends no messages and spawns no tasks.
template <class Closure>
inline constexpr bool is_leaf = requires { requires Closure::is_leaf; };

/// Returns how many cache misses a call of the closure probably causes. A closure can declare its
/// number of cache misses as `lines_touched`; without this declaration, the function returns 0.
template <class Closure>
constexpr std::uint64_t lines_touched_by() {
  if constexpr (requires { Closure::lines_touched; }) return Closure::lines_touched;
  return 0;
}

template <class Closure>
const Closure& closure_at(const std::byte* at) {
  return *reinterpret_cast<const Closure*>(at);
}

/// Calls the closure at address `at` without copying it. If the closure needs more alignment than
/// the buffer provides, the function calls a copy instead.
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

/// While this object exists, new messages and tasks belong to no scope. The destructor asserts that
/// no message or task was created.
class without_parts {
 public:
  explicit without_parts(engine& messages)
      : messages_(messages), outer_(messages.enclosing_slot()) {
    messages.enter(&slot_);
  }
  ~without_parts() {
    messages_.enter(outer_);
    ATOLL_ASSERT(nobody_.pending == 0, "a leaf function has sent or spawned something");
  }
  without_parts(const without_parts&) = delete;
  without_parts& operator=(const without_parts&) = delete;

 private:
  engine& messages_;
  activity** outer_;
  activity nobody_;
  activity* slot_ = &nobody_;
};

/// Executes a run of messages from `at` to `end`. Each message takes `Slot` bytes. For each
/// message, `touch` is called first, and `execute` is called `k_near_distance` messages later.
/// Because `execute` is called later than `touch`, prefetches in `touch` have time to complete.
template <std::size_t Slot, class Touch, class Execute>
[[gnu::always_inline]] inline void walk_run(const std::byte* at, const std::byte* end,
                                            const Touch& touch, const Execute& execute) {
  constexpr std::size_t distance = k_near_distance * Slot;
  for (auto ahead = at; ahead < end && ahead < at + distance; ahead += Slot) touch(ahead);
  for (; at + distance < end; at += Slot) {
    touch(at + distance);
    execute(at);
  }
  for (; at != end; at += Slot) execute(at);
}

template <traffic Kind, class Closure>
std::uint32_t execute_run(engine& messages, const std::byte* at, const std::byte* end) {
  static_assert(!is_leaf<Closure> || std::is_nothrow_invocable_v<const Closure&>,
                "a leaf function is noexcept");
  constexpr std::size_t slot = k_slot<Closure>;
  const auto count = static_cast<std::uint32_t>((end - at) / slot);
  end = at + count * slot;
  [[maybe_unused]] const std::conditional_t<is_leaf<Closure>, without_parts, engine&> watch(
      messages);
  const auto call = [&](const std::byte* each) { execute<Kind, Closure>(messages, each); };
  if constexpr (prefetches<Closure>) {
    const auto touch = [](const std::byte* each) { closure_at<Closure>(each).prefetch(); };
    walk_run<slot>(at, end, touch, call);
  } else {
    for (; at != end; at += slot) call(at);
  }
  messages.count_executed(Kind, count, count * sizeof(Closure),
                          count * lines_touched_by<Closure>());
  return has_scope(Kind) ? count : 0;
}

/// Returns the length in bytes of the payload of the message at `at`.
template <class Closure>
std::size_t payload_bytes_at(const std::byte* at) {
  if constexpr (tells_payload<Closure>) {
    Closure copy;
    std::memcpy(&copy, at, sizeof copy);
    return copy.payload_bytes();
  } else {
    return load_word(at);
  }
}

template <traffic Kind, class Closure>
std::uint32_t execute_run_with(engine& messages, const std::byte* at, const std::byte* end) {
  std::uint32_t count = 0;
  std::uint64_t bytes = 0;
  while (at != end) {
    const std::size_t length = payload_bytes_at<Closure>(at);
    const std::byte* payload = at + k_payload_place<Closure>;
    execute<Kind, Closure>(messages, at + k_length_bytes<Closure>, std::span(payload, length));
    at = payload + round_up(length, k_unit);
    ++count;
    bytes += sizeof(Closure) + length;
  }
  messages.count_executed(Kind, count, bytes, 0);
  return Kind == traffic::tracked ? count : 0;
}

// A relayed message contains the number of its destination PE, and each PE on its route forwards
// the message.
//
// Each parcel needs headers for its destination, and an acknowledgement that travels back along the
// whole route. If a PE has few messages for each of many destinations, relaying costs less than
// parcels. Relayed messages for the same next PE can share a run (a sequence of messages behind one
// header), even if their destinations differ. A PE that forwards a relayed message counts the
// message in an activity (a counter of unfinished work) of its own. If a relayed message's function
// sends and spawns nothing, the forwarding PE counts the message in a batch: an activity for
// several messages (remote_activities.hpp). A relayed message whose function can send or spawn is
// counted in a remote activity of the forwarding PE (activity.hpp), not in a batch. Because a
// forwarding PE counts relayed messages in an activity of its own, it can acknowledge many messages
// at once to the previous PE. If the handler of a relayed message asks for the sender, the answer
// is the PE that relayed the message last. A message may be relayed only if its handler does not
// ask for the sender, because the last relaying PE appears as the sender.

// Maximum size in bytes of a relayed message; larger messages travel in parcels.
inline constexpr std::size_t k_largest_relayed = 64;

/// A small closure with the member `may_be_relayed`, which declares that the closure never asks for
/// its sender.
template <class Closure>
concept relayable = Closure::may_be_relayed && alignof(Closure) <= k_unit / 2 &&
                    sizeof(Closure) <= k_largest_relayed;

template <class Closure>
inline constexpr bool is_relayed = false;

/// A message that the receiving PE forwards towards PE `destination`.
template <class Closure>
struct relayed {
  std::uint32_t destination;
  Closure closure;
};
template <class Closure>
inline constexpr bool is_relayed<relayed<Closure>> = true;

/// Forwards each message of a run towards its destination. No message of the run is for this PE,
/// because the previous hop sends messages for this PE as ordinary messages. A run (a sequence of
/// messages for one function) has only one kind of traffic, because each `Kind` has its own
/// function `relay_run`. Messages of different kinds must be in different runs, because a sender
/// counts all messages of a run in the same way.
template <traffic Kind, class Closure>
std::uint32_t relay_run(engine& messages, const std::byte* at, const std::byte* end) {
  using message = relayed<Closure>;
  constexpr std::size_t slot = k_slot<message>;
  const auto count = static_cast<std::uint32_t>((end - at) / slot);
  end = at + count * slot;
  activity& scope = messages.scope_of_relayed(is_leaf<Closure>);
  for (; at != end; at += slot) {
    const auto& each = closure_at<message>(at);
    messages.send_on(static_cast<int>(each.destination), each.closure, scope);
  }
  messages.count_relayed(count, count * sizeof(Closure));
  return count;
}

}  // namespace atl::message
