#pragma once
// What the tables of reservations of two PEs tell each other. None of it is refused for want of
// room: each follows from a step that was taken.

#include "atoll/event/lock.hpp"
#include "atoll/event/name.hpp"

#include <span>

namespace atl::events {

/// A PE asks for a reservation; the message goes on until it meets the owner, or a PE that waits.
void send_ask(int to, name of, const waiting_pe& who);

/// Makes a PE the owner, with these PEs waiting; of each, `ahead` is how often it was overtaken.
void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting);

/// So many waiting PEs one such message takes; others ask the new owner themselves.
std::size_t most_in_ownership();

/// A PE holds it in that shared mode, beside the owner.
void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode);

/// It holds it no more. So many grants came after the first one.
void send_return(int owner, name of, std::uint32_t more);

}  // namespace atl::events
