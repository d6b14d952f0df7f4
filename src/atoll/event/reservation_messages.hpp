#pragma once
// This file has the state of a reservation on one PE, and the messages between the tables of
// reservations of two PEs.

#include "atoll/event/name.hpp"
#include "atoll/event/slots.hpp"

#include <cstdint>
#include <span>

namespace atl::events {

/// Another PE that waits for a reservation.
struct waiting_pe {
  std::int32_t pe;
  std::uint32_t mode;   ///< mode of the first request that waits on that PE
  std::uint32_t ahead;  ///< number of the owner's requests before this PE's request
};

/// The state of a reservation on one PE. The owner, the PE that grants the reservation, keeps the
/// queue of waiting PEs. Every other PE knows a PE that is nearer to the owner or is the owner
/// (`towards`). If such a PE waits for the reservation, or tries to acquire it, the PE also queues
/// the PEs that ask it. (Naimi, Trehel and Arnold, "A log(N) distributed mutual exclusion algorithm
/// based on path reversal", 1996, has the same chains, but there the queue does not travel.)
struct lock {
  static constexpr std::uint32_t k_most_tries = (1u << 10) - 1;

  std::uint64_t name = 0;     ///< name of the reservation; 0: the entry is unused
  std::uint64_t made = 0;     ///< the place where it was made, as a site_word
  std::uint64_t used = 0;     ///< word of the last site here that acquired or released it
  slot_queue waiting;         ///< waiting requests of this PE, in order
  std::uint32_t mode = 0;     ///< mode in which it is held
  std::uint32_t holders = 0;  ///< number of holders on this PE
  /// On the owner: number of other PEs that hold the reservation, too. On another PE that shares
  /// the reservation: number of grants left.
  std::uint32_t leases = 0;
  std::uint32_t come = 0;         ///< number of requests of this PE so far
  std::uint32_t served = 0;       ///< number of requests of this PE that were granted
  std::uint32_t others = 0;       ///< number of the queue of waiting PEs; 0: none waits
  std::int32_t towards : 18 = 0;  ///< the owner, or a PE nearer to the owner
  std::uint32_t tries : 10 = 0;   ///< unanswered tries of this PE
  std::uint32_t dies : 1 = 0;     ///< whether it is to be destroyed
  std::uint32_t asked : 1 = 0;    ///< whether this PE waits for it
  /// On a waiting PE: whether its request blocks requests that could share the hold of the owner,
  /// `towards`. On the owner: whether the first of `others` was told that its request blocks
  /// others.
  std::uint32_t bars : 1 = 0;
  std::uint32_t leased : 1 = 0;  ///< whether this PE shares a reservation of another owner

  bool is_held() const { return holders + leases != 0; }
  bool admits(std::uint32_t wanted) const { return !is_held() || (wanted != 0 && wanted == mode); }
};

static_assert(sizeof(lock) == 64);

// The next functions send messages between the tables of reservations of two PEs. No message is
// refused for lack of space, because each follows from a step that was taken.

/// Asks for a reservation on behalf of PE `who`. PEs forward the message until it reaches the
/// owner, or a PE that waits.
void send_ask(int to, name of, const waiting_pe& who);

/// Tells the owner that this PE, which waits for the reservation, now wants it in `mode`.
void send_change(int owner, name of, std::uint32_t mode);
/// Tells the owner that this PE no longer waits for the reservation. If the owner has not granted
/// the request yet, it answers by `send_left`.
void send_leave(int owner, name of);
void send_left(int to, name of);

/// Tells PE `to` that its first request blocks requests of other PEs. The reservation is held in a
/// shared mode, and the first request of PE `to` is for another mode, `mode`. If PE `to` withdraws
/// that request, it must tell the owner.
void send_bars(int to, name of, std::uint32_t mode);

/// Makes PE `to` the owner, and gives it the queue of waiting PEs. In each entry, `ahead` is how
/// often that PE was overtaken.
void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting);

/// Returns the largest number of waiting PEs that one ownership message can carry. Further PEs must
/// ask the new owner.
std::size_t most_in_ownership();

/// Lets PE `to` hold the reservation in the shared mode `mode`, together with the owner.
void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode);

/// Tells the owner that this PE no longer holds a lease, the permission to share the reservation.
/// `more` is the number of grants after the first one.
void send_return(int owner, name of, std::uint32_t more);

}  // namespace atl::events
