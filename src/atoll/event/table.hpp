#pragma once
// This file has the failed events of one PE, the waits of threads that are no PE, and the table of
// all events.

#include "atoll/base/charged.hpp"
#include "atoll/event.hpp"
#include "atoll/event/slots.hpp"
#include "atoll/work.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace atl::events {

// The failed events that one PE knows. If no event has failed, which is the usual case, a lookup
// costs one test.

class faults {
 public:
  explicit faults(memory_account& account) : all_(account) {}

  bool empty() const { return all_.empty(); }

  /// Returns the fault of `asked`, or null if that event has not failed.
  const event_fault* find(name asked) const {
    if (all_.empty()) [[likely]]
      return nullptr;
    const auto found = all_.find(asked.word());
    return found != all_.end() ? &found->second : nullptr;
  }

  /// Adds a fault; later faults of the same event are ignored.
  void add(name failed, const event_fault& fault) { all_.try_emplace(failed.word(), fault); }
  void remove(name triggered) { all_.erase(triggered.word()); }

 private:
  charged_map<std::uint64_t, event_fault> all_;
};

// The end of an event, for threads that are no PE and wait for it.

class outside_wait {
 public:
  // The PE calls the next functions.
  void triggered() { end({}, {}); }
  void failed(const event_fault& fault);
  void job_ended();

  /// Waits for the end of the event. Any thread may call this function. Returns false if the event
  /// has not ended after the time `longest`. If the event has failed, throws its failure. Throws
  /// atl::error (environment) if the job ends first.
  bool wait(std::optional<std::chrono::nanoseconds> longest, site where);

 private:
  void end(std::optional<errc> code, std::string text);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  bool job_is_over_ = false;
  std::optional<errc> code_;
  std::string text_;
};

// All events of one PE, and what the PE knows about events of other PEs. Only its own PE calls the
// functions.
//
// An event of this PE is a slot. One loop wakes the waiters of ended events from a queue of slots,
// whatever the depth of the dependencies. An event of another PE that is awaited here has a slot,
// too, which is found by the event's name. This PE subscribes to such an event once, and is
// notified once.

class barrier_table;
class reservation_table;
class operations;
class outside_wait;

class table {
 public:
  explicit table(pe& self);
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table();

  /// Returns the table of this PE, which the first call makes.
  static table& here() {
    table* const found = this_pe().events;
    if (found == nullptr) [[unlikely]]
      return make_here();
    return *found;
  }

  name make(use purpose, site where) {
    charge(work::event_made, 1);
    const std::uint32_t index = slots_.take(purpose, where);
    return {rank_, index, slots_[index].generation};
  }

  /// Returns the slot whose waiters wait for `awaited`. Returns 0 if the event has ended and its
  /// outcome is known.
  std::uint32_t slot_to_wait_at(name awaited, site where) {
    return awaited.pe() == rank_ ? own_slot(awaited, where) : distant_slot(awaited, where);
  }

  /// Throws atl::error (input) if the event belongs to a job that has ended. `used` says in the
  /// text how the event was used.
  void check_job(name given, const char* used, site where) const {
    if (given.is_of_other_job_than(first_generation_)) [[unlikely]]
      refuse_ended_job(given, used, where);
  }
  std::uint32_t first_generation_of_job() const { return first_generation_; }

  // The next functions implement the functions of the same names in atoll/event.hpp.
  bool has_ended(name asked, site where);
  bool is_known(name asked);
  const event_fault* fault_of(name asked) const;
  void subscribe(name asked, site where);
  void make_ready_after(name awaited, tasks::frame& suspended);

  /// Returns the object by which threads wait for an event. All callers before the end of the event
  /// share one object.
  std::shared_ptr<outside_wait> outside(name awaited, site where);

  /// Stores the time when `awaited` ends in `at`. Does nothing if the event has already ended.
  void note_end(name awaited, transport::nanoseconds& at);

  /// Triggers a user event of this PE.
  void trigger(name triggered, site where);
  /// Makes a user event of this PE fail.
  void poison(name failed, const event_fault& fault, site where);

  /// Merges events of any PEs into one event. `purpose` is `all`, `settled` or `any`. Returns one
  /// of the inputs if the new event would behave the same.
  event merge(use purpose, std::span<const event> inputs, site where);

  /// Makes a user event of this PE trigger when all inputs have triggered, and fail with the first
  /// input that fails.
  void promise(name user, std::span<const event> inputs, site where);

  // Messages of other PEs call the next functions.
  void subscribed(name own, int pe);
  [[gnu::always_inline]] void prefetch(name distant) const { places_.prefetch(distant.place()); }
  void heard(name distant);
  void heard_fault(name distant, const event_fault& fault);
  void unsubscribed(name own, int pe);
  void forgotten(name distant);

  /// Wakes more waiters of ended events. A message that this PE has sent to itself calls this
  /// function, after other messages.
  void go_on();

  static constexpr int k_too_late = -1;
  static constexpr int k_withdrawn = -2;
  static constexpr int k_not_promised = -3;

  /// Withdraws the operation of the event `made` of this PE. Returns `k_withdrawn` or `k_too_late`,
  /// or the PE that holds the operation if that PE must be asked. Returns `k_not_promised` for a
  /// user event for which no `trigger_when` is known.
  int withdraw(name made, site where);
  [[noreturn]] void refuse_withdrawal(name made, site where) const;

  /// Returns the operations that this PE holds. Returns null if no operation has been withdrawn so
  /// far.
  operations* operations_if_kept() { return operations_.get(); }
  operations& held_operations();

  /// Removes a waiter of `awaited`. Returns false if `removed` does not wait for that event.
  bool remove_waiter(name awaited, waiter removed);

  /// Calls `visit(name, frame)` for each task that waits for an event.
  template <class Visit>
  void for_each_waiting_task(const Visit& visit) const {
    for (std::uint32_t i = 1; i < slots_.size(); ++i) {
      if (slots_[i].used_for() == use::free) continue;
      const bool distant = slots_[i].used_for() == use::distant;
      const name awaited = distant ? name::from_word(slots_[i].place) : name_of(i);
      waiters_.for_each(slots_[i].waiting, [&](waiter each) {
        if (each.what() == waiter::kind::task) visit(awaited, each.suspended());
      });
    }
  }

  // The next functions are for requests of reservations, whose events wait in queues of their own.
  reservation_table& locks();
  slot& slot_at(std::uint32_t index) { return slots_[index]; }
  std::uint32_t slots_ever() const { return slots_.size(); }
  name name_of(std::uint32_t index) const { return {rank_, index, slots_[index].generation}; }
  void append(slot_queue& queue, std::uint32_t index) { slots_.append(queue, index); }
  std::uint32_t pop(slot_queue& queue) { return slots_.pop(queue); }

  /// Makes the request in the slot `request` wait for the event in the slot `awaited`.
  void wait_for(std::uint32_t awaited, std::uint32_t request);

  /// Records the fault with which the request in slot `index` is about to fail. Throws atl::error
  /// (out_of_memory).
  void note_fault(std::uint32_t index, const event_fault& fault) {
    faults_.add(name_of(index), fault);
  }

  /// Ends a request, which is granted or, with a fault, fails. The next `wake` wakes the waiters of
  /// the request.
  void end_request(std::uint32_t index, const event_fault* fault);

  /// Wakes all waiters of ended events. If further events end because of that, their waiters are
  /// woken, too. A recursive call has no effect.
  void wake();

  std::uint32_t own_slots_in_use() const;
  void tell_who_waits(std::vector<observe::finding>& into) const;

  /// The phase barriers of this PE; null until they are first used.
  barrier_table* barriers = nullptr;

 private:
  static constexpr int k_most_at_once = 4096;

  std::size_t tell_waiters_of(std::uint32_t index, std::vector<observe::finding>& into) const;

  static table& make_here();

  std::uint32_t own_slot(name awaited, site where = {}) const {
    const std::uint32_t index = awaited.slot();
    if (index >= slots_.size()) [[unlikely]]
      refuse_unknown(awaited, where);
    const slot& asked = slots_[index];
    if (asked.generation == awaited.generation() && asked.used_for() != use::free) return index;
    if (asked.generation <= awaited.generation() || awaited.is_of_other_job_than(first_generation_))
        [[unlikely]]
      refuse_unknown(awaited, where);
    return 0;
  }
  std::uint32_t distant_slot(name awaited, site where);
  std::uint32_t add_distant(place& of, name awaited);

  std::uint32_t slot_awaited(name awaited) const;
  std::uint32_t take_from_pending(name distant);
  event merge_open(use purpose, std::span<const event> inputs, site where);
  void add_waiter(std::uint32_t index, waiter added) {
    waiter_list& list = slots_[index].waiting;
    if (waiters_.is_about_to_grow(list)) [[unlikely]]
      withdraw_ended(list);
    waiters_.add(list, added);
    ++self_.counters->waiters_added;
  }
  void withdraw_ended(waiter_list& from);
  void depend(std::uint32_t index, std::span<const event> inputs, site where);
  void input_ended(waiter input, const event_fault* fault);
  void end(std::uint32_t index, bool fails);
  void wake_waiters_of(std::uint32_t index);
  void trace_waking(std::uint32_t index);
  void hear(name distant, bool fails);
  void fetch_ahead(waiter first) const;
  name name_of_ended(std::uint32_t index) const;
  slot& user_slot(name ended, site where);
  void tell_outside(name ended, const event_fault* fault);
  void keep_names_for_later_jobs() const noexcept;
  [[noreturn]] void refuse_unknown(name asked, site where) const;
  [[noreturn]] void refuse_ended_job(name asked, const char* used, site where) const;
  [[noreturn]] void refuse_second(name ended, site where) const;

  pe& self_;
  int rank_;
  std::uint32_t first_generation_;
  slot_table slots_;
  waiter_blocks waiters_;
  place_table places_;
  faults faults_;
  slot_queue ended_;
  bool wakes_ = false;
  bool is_to_go_on_ = false;  ///< whether this PE has sent itself a message to go on
  std::unique_ptr<reservation_table> locks_;
  std::unique_ptr<operations> operations_;
  charged_map<std::uint64_t, std::shared_ptr<outside_wait>> outside_;  ///< by name
};

}  // namespace atl::events
