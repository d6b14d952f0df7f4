#pragma once
// What the tables of reservations of two PEs tell each other. None of it is refused for want of
// room: each follows from a step that was taken.

#include "atoll/event/lock.hpp"
#include "atoll/event/name.hpp"

#include <span>

namespace atl::events {

/// A PE asks for a reservation; the message goes on until it meets the owner, or a PE that waits.
void send_ask(int to, name of, const waiting_pe& who);

/// A PE that waits at the owner wants it in another mode by now, or does not want it any more: then
/// the owner answers by `send_left`, unless it has given it.
void send_change(int owner, name of, std::uint32_t mode);
void send_leave(int owner, name of);
void send_left(int to, name of);

/// The first request of a PE, for this mode, bars others from what is held in another, shared mode:
/// the owner is to know when it is withdrawn.
void send_bars(int to, name of, std::uint32_t mode);

/// Makes a PE the owner, with these PEs waiting; of each, `ahead` is how often it was overtaken.
void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting);

/// So many waiting PEs one such message takes; others ask the new owner themselves.
std::size_t most_in_ownership();

/// A PE holds it in that shared mode, beside the owner.
void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode);

/// It holds it no more. So many grants came after the first one.
void send_return(int owner, name of, std::uint32_t more);

}  // namespace atl::events
