#pragma once
// The state of a reservation on one PE, and the messages between the tables of reservations of two
// PEs.

#include "atoll/event/name.hpp"
#include "atoll/event/slots.hpp"

#include <cstdint>
#include <span>

namespace atl::events {

// The state of a reservation on one PE.

/// Another PE that waits for a reservation.
struct waiting_pe {
  std::int32_t pe;
  std::uint32_t mode;   ///< of the first request that waits there
  std::uint32_t ahead;  ///< requests of the owner that came before it
};

/// The state of a reservation. The owner keeps the queue of waiting PEs. Any other PE knows in
/// which direction the reservation has gone. While that PE waits or tries itself, it also keeps the
/// PEs that ask it. (Naimi, Trehel and Arnold, "A log(N) distributed mutual exclusion algorithm
/// based on path reversal", 1996, has the same chains; there the queue does not travel.)
struct lock {
  static constexpr std::uint32_t k_most_tries = (1u << 10) - 1;

  std::uint64_t name = 0;     ///< 0: free
  std::uint64_t made = 0;     ///< the site, serialised
  std::uint64_t used = 0;     ///< word of the site that acquired or released it last here
  slot_queue waiting;         ///< requests of this PE, in their order
  std::uint32_t mode = 0;     ///< in which it is held
  std::uint32_t holders = 0;  ///< on this PE
  std::uint32_t leases = 0;   ///< on the owner: PEs that hold it, too; on such a PE: grants left
  std::uint32_t come = 0;     ///< requests of this PE
  std::uint32_t served = 0;   ///< requests that were served
  std::uint32_t others = 0;   ///< queue of the PEs that wait; 0: none does
  std::int32_t towards : 18 = 0;  ///< the owner, or a PE that knows more
  std::uint32_t tries : 10 = 0;   ///< unanswered tries of this PE
  std::uint32_t dies : 1 = 0;     ///< it is to be destroyed
  std::uint32_t asked : 1 = 0;    ///< this PE waits for it
  std::uint32_t bars : 1 = 0;     ///< its request bars others from what `towards` owns; on the
                                  ///< owner: the first of `others` was notified of that
  std::uint32_t leased : 1 = 0;   ///< this PE holds it in a shared mode, and another owns it

  bool is_held() const { return holders + leases != 0; }
  bool admits(std::uint32_t wanted) const { return !is_held() || (wanted != 0 && wanted == mode); }
};

static_assert(sizeof(lock) == 64);

// Messages between the tables of reservations of two PEs. None of them is refused for lack of
// space, because each follows from a step that was taken.

/// Asks for a reservation on behalf of PE `who`. The message is forwarded until it meets the owner,
/// or a PE that waits.
void send_ask(int to, name of, const waiting_pe& who);

/// Notifies the owner that this PE, which waits there, now wants the reservation in `mode`, or by
/// `send_leave` no longer wants it. The owner answers `send_leave` by `send_left`, unless it has
/// already granted the request.
void send_change(int owner, name of, std::uint32_t mode);
void send_leave(int owner, name of);
void send_left(int to, name of);

/// Notifies PE `to` that its first request, for `mode`, bars others from a shared hold in another
/// mode. The owner must then learn of a withdrawal of that request.
void send_bars(int to, name of, std::uint32_t mode);

/// Makes PE `to` the owner, with the PEs `waiting` in its queue. In each, `ahead` is how often that
/// PE was overtaken.
void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting);

/// Returns the largest number of waiting PEs that one ownership message takes. Further PEs ask the
/// new owner.
std::size_t most_in_ownership();

/// Lets PE `to` hold the reservation in the shared mode `mode`, beside the owner.
void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode);

/// Notifies the owner that this PE no longer holds a lease. The parameter `more` is the number of
/// grants after the first one.
void send_return(int owner, name of, std::uint32_t more);

}  // namespace atl::events
