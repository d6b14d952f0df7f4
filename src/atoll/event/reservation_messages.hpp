#pragma once
// A reservation is a lock. One PE is the owner of the reservation and decides which request gets
// the reservation next. If no task holds the reservation, the owner grants it to another PE by
// making that PE the owner. This file has the state of a reservation on one PE, and the messages
// between the reservation tables of two PEs.

#include "atoll/event/name.hpp"
#include "atoll/event/slots.hpp"

#include <cstdint>
#include <span>

namespace atl::events {

/// An entry in the queue of a reservation: another PE that waits for the reservation.
struct waiting_pe {
  std::int32_t pe;
  /// Shared mode that the first request of the waiting PE asks for; 0 if the request is exclusive.
  /// Requests for the same shared mode may hold the reservation together.
  std::uint32_t mode;
  std::uint32_t ahead;  ///< number of the owner's requests that came before the request of `pe`
};

/// The state of a reservation on one PE. The owner of the reservation keeps the queue of waiting
/// PEs. Every other PE stores in `towards` either the owner or a PE that is nearer to the owner. A
/// request is forwarded along `towards` until it reaches the owner. A PE that itself waits for the
/// reservation, or tries to acquire it, does not forward a request but queues it. (Naimi, Trehel
/// and Arnold, "A log(N) distributed mutual exclusion algorithm based on path reversal", 1996, use
/// the same chains of PEs. In the algorithm of Naimi, Trehel and Arnold, the queue does not move to
/// the new owner.)
struct lock {
  static constexpr std::uint32_t k_most_tries = (1u << 10) - 1;

  /// Name of the reservation; 0 if this entry is unused.
  std::uint64_t name = 0;
  /// Source line that made the reservation, as `site_word`.
  std::uint64_t made = 0;
  /// Last source line on this PE that acquired or released the reservation.
  std::uint64_t used = 0;
  /// Waiting requests of this PE, in order of arrival.
  slot_queue waiting;
  /// Shared mode in which the reservation is held; 0 if the reservation is held exclusively.
  std::uint32_t mode = 0;
  /// Number of acquisitions on this PE that were not released yet.
  std::uint32_t holders = 0;
  /// On the owner: the number of other PEs that share the reservation. On a PE that shares the
  /// reservation: the number of requests that the PE may still grant.
  std::uint32_t leases = 0;
  /// Number of requests that this PE has made so far.
  std::uint32_t come = 0;
  /// Number of requests of this PE that were granted so far.
  std::uint32_t served = 0;
  /// Number that identifies this reservation's queue of waiting PEs; 0 if no PE waits.
  std::uint32_t others = 0;
  /// The owner, or a PE that is nearer to the owner.
  std::int32_t towards : 18 = 0;
  /// Number of `try_acquire` calls of this PE that still wait for an answer.
  std::uint32_t tries : 10 = 0;
  /// True if the program has asked to destroy the reservation.
  std::uint32_t dies : 1 = 0;
  /// True if this PE has asked for the reservation and waits.
  std::uint32_t asked : 1 = 0;
  /// On a waiting PE: true after the owner has sent `send_bars`, because this PE's request blocks
  /// other requests. While the flag is true on a waiting PE, `towards` is the owner. On the owner:
  /// true if the owner has sent `send_bars` to the first waiting PE.
  std::uint32_t bars : 1 = 0;
  /// True if this PE shares the reservation with another PE, the owner.
  std::uint32_t leased : 1 = 0;

  bool is_held() const { return holders + leases != 0; }
  bool admits(std::uint32_t wanted) const { return !is_held() || (wanted != 0 && wanted == mode); }
};

static_assert(sizeof(lock) == 64);

// The next functions send messages to the reservation tables of other PEs. Sending succeeds even if
// the send buffers are full. A send function must not throw, because the calling PE has already
// changed its own state.

/// Asks PE `to` for the reservation `of` on behalf of the PE `who`. PEs forward the message until
/// it reaches the owner, or a PE that itself waits for the reservation or tries to acquire it.
void send_ask(int to, name of, const waiting_pe& who);

/// Tells the owner that the first request of this PE is now for the mode `mode`. This PE must be
/// waiting for the reservation.
void send_change(int owner, name of, std::uint32_t mode);
/// Tells the owner that this PE no longer waits for the reservation. If the owner has not granted
/// the request yet, the owner answers by `send_left`.
void send_leave(int owner, name of);
void send_left(int to, name of);

/// Tells PE `to` that its request for the mode `mode` blocks requests of other PEs. The blocked
/// requests are for the mode in which the reservation is now shared. If PE `to` withdraws its
/// request, PE `to` must tell the owner.
void send_bars(int to, name of, std::uint32_t mode);

/// Makes PE `to` the owner of the reservation `of`, and sends it the queue of waiting PEs. In each
/// entry of `waiting`, `ahead` is the number of requests that have overtaken the waiting PE.
void send_ownership(int to, name of, std::uint64_t made, std::span<const waiting_pe> waiting);

/// Returns the largest number of waiting PEs that a message of `send_ownership` can contain. For
/// each waiting PE that does not fit in the message, the sender must call `send_ask`.
std::size_t most_in_ownership();

/// Lets PE `to` share the reservation with this PE, the owner, in the shared mode `mode`.
void send_lease(int to, name of, std::uint64_t made, std::uint32_t mode);

/// Returns a lease to the owner. A lease is the permission to share the reservation (`send_lease`).
/// The parameter `more` is one less than the number of requests that were granted under the lease,
/// but at least 0.
void send_return(int owner, name of, std::uint32_t more);

}  // namespace atl::events
