#pragma once
// A reservation is a lock whose operations return events instead of blocking. Usually, only one
// task at a time holds a reservation. Tasks that request the same shared mode may hold the
// reservation together. This file has the table of all reservations that one PE has made or used.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"
#include "atoll/event/name.hpp"
#include "atoll/event/reservation_messages.hpp"
#include "atoll/event/slots.hpp"
#include "atoll/event/table.hpp"
#include "atoll/task.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace atl::events {

// A PE that calls `try_acquire` may have to ask another PE for the reservation. The next types
// describe the answer of the asked PE.

enum class try_result : std::uint32_t {
  refused,    ///< the reservation is not available: it is held, or other requests wait for it
  elsewhere,  ///< the asked PE is not the owner; the trying PE must ask another PE
  owned,      ///< the trying PE is now the owner of the reservation
  lent,       ///< the trying PE now shares the reservation with its owner
};

struct try_answer {
  try_result result = try_result::refused;
  /// The PE to ask next if `result` is `elsewhere`; the owner if `result` is `lent`.
  std::int32_t pe = 0;
  std::uint64_t made = 0;  ///< source line that made the reservation, as `site_word`
};

// The class `reservation_table` holds all reservations that one PE has made or used. Only the PE
// that owns the table calls the functions.
//
// A request to acquire, release or destroy a reservation returns an event. The request is stored in
// the slot of the returned event. A request first waits for its precondition. After that, a request
// to acquire or destroy waits in the queue of the reservation, and a release waits until its
// acquisition is granted. The mode of a shared request is stored in `modes_`. The acquisition that
// a waiting release will end is stored in `holds_`.

class reservation_table {
 public:
  reservation_table(table& of, pe& self);
  ~reservation_table();
  reservation_table(const reservation_table&) = delete;
  reservation_table& operator=(const reservation_table&) = delete;

  static reservation_table& here() { return table::here().locks(); }

  // The next functions implement the functions of the same names that atoll/event.hpp declares.
  name make(site where);
  event acquire(name of, event precondition, std::uint32_t mode, site where);
  event release(name of, event precondition, event held, site where);
  void destroy(name own, event precondition, site where);

  /// Throws atl::error (input) if the reservation belongs to a job that has ended.
  void check_job(name of, site where) const {
    if (of.is_of_other_job_than(events_.first_generation_of_job())) refuse_unknown(of, where);
  }

  /// Tries to acquire the reservation `of` without messages. Returns true if this PE now holds the
  /// reservation. Returns false if the reservation is not available. Returns nothing if other PEs
  /// must be asked.
  std::optional<bool> try_here(name of, std::uint32_t mode, site where);
  /// Begins a try that asks other PEs, and returns the PE to ask first. Returns nothing if this PE
  /// already has the maximum number of unanswered tries.
  std::optional<int> begin_try(name of, site where);
  /// Ends a try after another PE has sent `answer`. Returns true if this PE now holds the
  /// reservation.
  bool end_try(name of, const try_answer& answer, std::uint32_t mode, site where);
  /// Ends a try that has got no answer from the owner. Serves or forwards the requests that other
  /// PEs have sent to this PE during the try.
  void give_up_try(name of);
  /// Returns this PE's answer to PE `by`, which tries to acquire the reservation `of`.
  try_answer tried(name of, std::uint32_t mode, int by);

  /// Continues the request in `slot` after its precondition has ended. If `fault` is null, the
  /// precondition has triggered. If `fault` is not null, the precondition has failed. If the
  /// request is a release of a reservation that is not granted yet, the release must wait for the
  /// event of the acquisition. This function does not add the release to the waiters of the
  /// acquisition's event, because the caller is iterating over a waiter list. After the iteration,
  /// the caller must call `wait_for_holds`, which adds the release.
  void precondition_ended(std::uint32_t slot, const event_fault* fault);
  void wait_for_holds() {
    while (early_.first != 0) wait_for_hold(events_.pop(early_));
  }

  // The handlers of messages from other PEs call the next functions.
  void asked(name of, waiting_pe who);
  void changed(name of, const waiting_pe& who, bool leaves);
  void left(name of, int owner);
  void bars(name of, std::uint32_t mode, int owner);
  void given(name of, std::uint64_t made, std::span<const waiting_pe> waiting);
  void lent(name of, std::uint64_t made, std::uint32_t mode, int owner);
  void returned(name of, std::uint32_t more);

  const reservation_statistics& statistics() const { return counted_; }

  /// Withdraws the request in `slot`. A withdrawn request is never granted, and its event fails.
  void withdraw(std::uint32_t slot, site where);

  /// Adds entries about waiting requests and about held reservations to a report on waiting tasks.
  void tell_who_waits(std::vector<observe::finding>& into) const;

 private:
  using pe_queue = charged_vector<waiting_pe>;
  enum class verb : std::uint32_t { acquire, acquire_shared, release, destroy };
  static constexpr int k_verb_bits = 2;
  /// Lowest bit of the reservation's index in `slot::inputs`. The bits below the index contain the
  /// `verb` (what the request does) and the last bits of the reservation's generation.
  static constexpr int k_index_shift = 6;
  static_assert(k_slot_bits + k_index_shift <= 32);
  static constexpr std::uint64_t k_without_bound = std::uint64_t{1} << 31;
  static constexpr std::size_t k_least_free = 64;
  /// The value of `lock::towards` after the reservation was destroyed.
  static constexpr std::int32_t k_free = -1;

  /// Returns false if this PE knows that the reservation does not exist. On a PE that did not make
  /// the reservation, the result is true even if the reservation was destroyed.
  bool knows(name of) const {
    if (of.generation() == 0) return false;
    if (of.pe() != rank_) return true;
    const std::uint32_t index = of.slot();
    return index < locks_.size() && locks_[index].name == of.word() && !is_free(locks_[index]);
  }
  /// The acquisition that a waiting release will end.
  struct hold {
    name held;
    /// The error of the release's precondition, if the precondition has failed before the
    /// acquisition was granted.
    std::optional<event_fault> fault{};
  };

  std::uint32_t index_of(name of, site where);
  std::uint32_t index_of_distant(name of, site where);
  std::uint32_t add();
  void keep_names_for_later_jobs() const noexcept;
  [[noreturn]] void refuse_unknown(name of, site where) const;
  [[noreturn]] void refuse_release(const lock& of, site where) const;

  std::uint32_t request(std::uint32_t index, verb what, std::uint32_t mode, site where);
  verb verb_of(std::uint32_t slot) const {
    return static_cast<verb>(events_.slot_at(slot).inputs & ((1U << k_verb_bits) - 1));
  }
  std::uint32_t lock_of(std::uint32_t slot) const {
    return events_.slot_at(slot).inputs >> k_index_shift;
  }
  static std::uint32_t last_bits_of(const lock& of) {
    return name::from_word(of.name).generation() & ((1U << (k_index_shift - k_verb_bits)) - 1);
  }
  /// Returns true if the request in `slot` belongs to a reservation that was destroyed. A newer
  /// reservation may already use the entry of the destroyed reservation in `locks_`.
  bool is_of_another(std::uint32_t slot) const {
    const lock& present = locks_[lock_of(slot)];
    const std::uint32_t bits =
        events_.slot_at(slot).inputs >> k_verb_bits & ((1U << (k_index_shift - k_verb_bits)) - 1);
    return is_free(present) || last_bits_of(present) != bits;
  }
  std::uint32_t mode_of(std::uint32_t slot) const {
    return verb_of(slot) == verb::acquire_shared ? modes_[slot] : 0;
  }

  static bool is_free(const lock& of) { return of.towards == k_free; }
  bool owns(const lock& of) const { return of.towards == rank_; }
  static std::uint32_t overtaken(const lock& of, const waiting_pe& who);
  std::uint32_t grants_of_lease() const;
  std::uint32_t more_than_first(const lock& leased) const;
  bool has_turn(const lock& of) const;
  bool may_have(const lock& of, std::uint32_t mode) const;

  bool grants_at_once(lock& of, std::uint32_t mode, std::uint64_t where);
  void count_grant(lock& of, std::uint32_t mode, std::uint64_t where);
  void wait_in_turn(std::uint32_t index, std::uint32_t slot);
  void grant_first(lock& of);
  void retire(lock& of);
  bool take_out(lock& of, std::uint32_t slot);
  void tell_change(const lock& of);
  void tell_who_bars(lock& of);
  void release_now(std::uint32_t index, site where);
  event release_after(std::uint32_t index, name precondition, name held, site where);
  void wait_for_hold(std::uint32_t slot);
  void release_in_turn(std::uint32_t slot, const event_fault* fault);
  void release_or_fail(std::uint32_t slot, const event_fault* fault);
  void check_hold(name held, site where) const;
  void fail_request(std::uint32_t slot, const char* why);

  void serve(lock& of);
  void serve_as_owner(lock& of);
  bool serve_first(lock& of);
  void serve_leased(lock& of);
  bool serve_next_pe(lock& of);
  void give(lock& of, int pe);
  void hand_over(lock& of, int pe);
  void ask(lock& of, std::uint32_t mode);
  void pass_on(lock& of, const waiting_pe& who);
  void own(lock& of, std::uint64_t made);
  void lease(lock& of, std::uint64_t made, std::uint32_t mode, int owner);
  void queue_behind_first(lock& of, std::span<const waiting_pe> all);
  void queue_pe(lock& of, const waiting_pe& who);
  void take_first_pe(lock& of);
  void take_pe(lock& of, pe_queue::iterator taken);
  pe_queue take_queue(lock& of);
  std::size_t tell_request(std::uint32_t slot, std::vector<observe::finding>& into) const;

  table& events_;
  int rank_;
  std::uint64_t unfairness_;
  memory_account& account_;
  /// Entry 0 is unused.
  huge_vector<lock> locks_;
  /// Free entries of `locks_` for reservations that this PE makes.
  charged_deque<std::uint32_t> free_;
  /// Finds the entries of `locks_` for reservations that other PEs have made. The index of an entry
  /// is stored in `place::pending`. `place::known` is the newest generation of the reservation's
  /// slot that this PE has used.
  place_table distant_;
  /// Modes of shared requests, by slot of the request.
  charged_vector<std::uint32_t> modes_;
  /// Acquisitions that waiting releases will end; the key is the slot of the release.
  charged_map<std::uint32_t, hold> holds_;
  /// Releases whose acquisition was not granted yet when the precondition of the release ended. The
  /// function `wait_for_holds` makes each release in the queue wait for the event of its
  /// acquisition.
  slot_queue early_;
  charged_vector<pe_queue> queues_;  ///< entry 0 is unused
  charged_vector<std::uint32_t> free_queues_;
  std::size_t charged_ = 0;
  reservation_statistics counted_;
};

// The next function implements `reservation::try_acquire`.

task<bool> try_acquire(name of, std::uint32_t mode, site where);

}  // namespace atl::events
