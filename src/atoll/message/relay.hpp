#pragma once
// Messages that the PEs on their way send on one by one, each with its destination beside it.
//
// A parcel costs headers for each destination, and an acknowledgement that goes the whole way back.
// Where a PE has few messages for each of many destinations, they travel in one run for the next
// hop instead. What a hop sends on belongs to the activity of what it has received, so each hop
// acknowledges many messages at once to the one before it. The handler is told that the last hop
// sent the message: so only messages are relayed whose handlers do not ask.

#include "atoll/message/runs.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace atl::message {

inline constexpr std::size_t k_largest_relayed = 64;  // bytes; parcels suit what is larger

/// It says that it does not ask who sent it (`may_be_relayed`), and is small.
template <class Closure>
concept relayable = Closure::may_be_relayed && alignof(Closure) <= k_unit / 2 &&
                    sizeof(Closure) <= k_largest_relayed;

template <class Closure>
inline constexpr bool is_relayed = false;

/// A message for another PE than the one that gets it.
template <class Closure>
struct relayed {
  std::uint32_t destination;
  Closure closure;
};
template <class Closure>
inline constexpr bool is_relayed<relayed<Closure>> = true;

/// Sends them on. None is for this PE: what is for the next hop itself goes there as it is. (`Kind`
/// tells runs apart whose messages are counted differently where they are sent.)
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
