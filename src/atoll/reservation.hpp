#pragma once
// Locks whose acquisition is deferred: who wants one is told by an event, and nobody is blocked.
// (The reservations of Treichler, Bauer and Aiken: Realm, PACT 2014.)
//
// One PE at a time owns a reservation and grants it; a PE that asks becomes the owner in its turn,
// and the requests that wait go along. Who holds it in a shared mode may be on several PEs.

#include "atoll/event.hpp"
#include "atoll/task.hpp"

#include <cstdint>

namespace atl {

/// How a reservation is held: by one alone, or together with all that hold it in the same mode.
class lock_mode {
 public:
  /// Exclusive.
  constexpr lock_mode() = default;
  /// Shared; modes of different numbers exclude each other. Throws atl::error (input) where the
  /// number is not below 2^32 - 1.
  static constexpr lock_mode shared(std::uint32_t number = 0, site where = site::current()) {
    if (number == UINT32_MAX) refuse_number(where);
    return lock_mode(number + 1);
  }

  constexpr bool is_exclusive() const { return word_ == 0; }
  constexpr std::uint32_t word() const { return word_; }
  static constexpr lock_mode from_word(std::uint32_t word) { return lock_mode(word); }

  friend constexpr bool operator==(lock_mode, lock_mode) = default;

 private:
  constexpr explicit lock_mode(std::uint32_t word) : word_(word) {}
  [[noreturn]] static void refuse_number(site where);

  std::uint32_t word_ = 0;
};

inline constexpr lock_mode exclusive{};

/// The name of a reservation: a value of 64 bits to copy, store in global memory and send. Its
/// functions may be called by tasks and handlers of any PE; none but `try_acquire` waits. What a PE
/// has acquired, that PE releases.
class reservation {
 public:
  constexpr reservation() = default;
  constexpr explicit reservation(events::name known) : name_(known) {}

  /// Asks for it when `precondition` has triggered. The event triggers when it is held, and fails
  /// where the precondition does: then it is not held. Requests of a PE are granted in their order;
  /// those of the PE that owns it may overtake another's which waits, --unfairness times, and so
  /// may those of each PE that holds it in a shared mode. Throws atl::error (out_of_memory), and
  /// (input) where this PE knows that it was destroyed; otherwise the job ends with that.
  event acquire(event precondition = event::none, lock_mode mode = exclusive,
                site where = site::current()) const;

  /// `co_await door.try_acquire()` is true where it is held now, and false where it was not free:
  /// held in a way that excludes this one, or waited for by others than those that `acquire` may
  /// overtake here. The owner hears a message later that another PE has released what it shared.
  /// Suspends for some messages where another PE owns it, never until it is released. Throws as
  /// `acquire` does, and where it was destroyed.
  task<bool> try_acquire(lock_mode mode = exclusive, site where = site::current()) const;

  /// Releases it when `precondition` has triggered, or failed. The event triggers then, or fails.
  /// Throws atl::error (input) where this PE does not hold it, or lets the event fail with that.
  /// `held` is what `acquire` gave on this PE. The release never comes before `held` has triggered,
  /// also where the precondition fails or triggers early: then the reservation is given back as
  /// soon as it is granted. Where `held` fails nothing is released, and the event fails with it.
  event release(event precondition = event::none, event held = event::none,
                site where = site::current()) const;

  /// Gives its memory back when `precondition` has triggered and nobody holds it or waits for it
  /// any more. Once. It is not destroyed where the precondition fails. Requests whose precondition
  /// triggers later fail.
  void destroy(event precondition = event::none, site where = site::current()) const;

  /// The PE that has made it.
  constexpr int pe() const { return name_.pe(); }
  constexpr events::name name() const { return name_; }

  friend constexpr bool operator==(const reservation&, const reservation&) = default;

 private:
  events::name name_;
};

/// Makes a reservation that this PE owns and nobody holds. Does not communicate. Throws atl::error
/// (out_of_memory).
reservation make_reservation(site where = site::current());

/// What the reservations of one PE have done.
struct reservation_statistics {
  std::uint64_t grants = 0;      ///< of requests of this PE
  std::uint64_t migrations = 0;  ///< reservations that other PEs were given
  std::uint64_t leases = 0;      ///< shared grants to other PEs
  /// Grants of one PE past another that waited, at most. Of a PE that shared it with the owner, all
  /// of a lease but the first count.
  std::uint64_t most_overtaken = 0;

  void add(const reservation_statistics& other);
};

/// Those of this PE so far. Does not communicate.
reservation_statistics local_reservation_statistics();

}  // namespace atl
