#pragma once
// What one PE knows of a reservation, and what the tables of reservations of two PEs tell each
// other.

#include "atoll/event/name.hpp"
#include "atoll/event/slots.hpp"

#include <cstdint>
#include <span>

namespace atl::events {

// What one PE knows of a reservation.

/// Another PE that waits for a reservation.
struct waiting_pe {
  std::int32_t pe;
  std::uint32_t mode;   ///< of the first request that waits there
  std::uint32_t ahead;  ///< so many requests of the owner came before it
};

/// The owner has the queue of the PEs that wait. One that is not the owner knows towards which PE
/// it has gone, and keeps those that ask it while it waits itself, or tries. (Naimi, Trehel and
/// Arnold, "A log(N) distributed mutual exclusion algorithm based on path reversal", 1996, has the
/// same chains; there the queue does not travel.)
struct lock {
  static constexpr std::uint32_t k_most_tries = (1u << 10) - 1;

  std::uint64_t name = 0;     ///< 0: free
  std::uint64_t made = 0;     ///< the site, as a word that travels
  std::uint64_t used = 0;     ///< word of the site that acquired or released it last here
  slot_queue waiting;         ///< requests of this PE, in their order
  std::uint32_t mode = 0;     ///< in which it is held
  std::uint32_t holders = 0;  ///< on this PE
  std::uint32_t leases = 0;   ///< of the owner: PEs that hold it, too; of such a PE: grants left
  std::uint32_t come = 0;     ///< requests of this PE
  std::uint32_t served = 0;   ///< of those
  std::uint32_t others = 0;   ///< queue of the PEs that wait; 0: none does
  std::int32_t towards : 18 = 0;  ///< the owner, or who knows more
  std::uint32_t tries : 10 = 0;   ///< of this PE, that other PEs have not answered
  std::uint32_t dies : 1 = 0;     ///< it is to be destroyed
  std::uint32_t asked : 1 = 0;    ///< this PE waits for it
  std::uint32_t bars : 1 = 0;     ///< its request bars others from what `towards` owns; of the
                                  ///< owner: the first of `others` has been told so
  std::uint32_t leased : 1 = 0;   ///< this PE holds it in a shared mode, and another owns it

  bool is_held() const { return holders + leases != 0; }
  bool admits(std::uint32_t wanted) const { return !is_held() || (wanted != 0 && wanted == mode); }
};

static_assert(sizeof(lock) == 64);

// What the tables of reservations of two PEs tell each other. None of it is refused for want of
// room: each follows from a step that was taken.

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
