#pragma once
// All events of one PE: which of them have failed, how threads that are no PE wait for an end,
// and the table of all.

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

// The events that have failed, as far as one PE knows. They are few, so that nothing of it is
// looked at where there is none.

class faults {
 public:
  explicit faults(memory_account& account) : all_(account) {}

  bool empty() const { return all_.empty(); }

  /// Null: it has not failed.
  const event_fault* find(name asked) const {
    if (all_.empty()) [[likely]]
      return nullptr;
    const auto found = all_.find(asked.word());
    return found != all_.end() ? &found->second : nullptr;
  }

  /// The first one counts.
  void add(name failed, const event_fault& fault) { all_.try_emplace(failed.word(), fault); }
  void remove(name triggered) { all_.erase(triggered.word()); }

 private:
  charged_map<std::uint64_t, event_fault> all_;
};

// The end of an event, as threads see it that are no PE.

class outside_wait {
 public:
  // By the PE.
  void triggered() { end({}, {}); }
  void failed(const event_fault& fault);
  void job_ended();

  /// By any thread. False: the time is over. Throws what it has failed with.
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

// All events of one PE, and what it knows of those of others. Called by its own PE only.
//
// An event of this PE is a slot; its waiters are woken from a queue of slots that have ended, by
// one loop, whatever the depth of what depends on what. The event of another PE that somebody here
// waits for is a slot as well, and found by name: the PE subscribes once and hears once.

class barrier_table;
class lock_table;
class operations;
class outside_wait;

class table {
 public:
  explicit table(pe& self);
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  ~table();

  /// That of this PE, made when it is first asked for.
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

  /// The slot that an event's waiters are to be added to; 0: it has ended, and it is known how.
  std::uint32_t slot_to_wait_at(name awaited, site where) {
    return awaited.pe() == rank_ ? own_slot(awaited, where) : distant_slot(awaited, where);
  }

  /// Throws atl::error (input) where it is of a job that has ended; `used` says how it is.
  void check_job(name given, const char* used, site where) const {
    if (given.is_of_other_job_than(first_generation_)) [[unlikely]]
      refuse_ended_job(given, used, where);
  }
  std::uint32_t first_generation_of_job() const { return first_generation_; }

  // As the functions of these names in atoll/event.hpp.
  bool has_ended(name asked, site where);
  bool is_known(name asked);
  const event_fault* fault_of(name asked) const;
  void subscribe(name asked, site where);
  void make_ready_after(name awaited, tasks::frame& suspended);

  /// For threads; the same one for all who ask before it has ended.
  std::shared_ptr<outside_wait> outside(name awaited, site where);

  /// Notes when it ends, unless it has ended.
  void note_end(name awaited, transport::nanoseconds& at);

  /// A user event of this PE triggers, or fails.
  void trigger(name triggered, site where);
  void poison(name failed, const event_fault& fault, site where);

  /// An event for several, of any PEs; one of them, where it would be the same. `purpose`: all,
  /// settled or any.
  event merge(use purpose, std::span<const event> inputs, site where);

  /// A user event of this PE triggers when all of these have, and fails with the first that does.
  void promise(name user, std::span<const event> inputs, site where);

  // What messages of other PEs do.
  void subscribed(name own, int pe);
  [[gnu::always_inline]] void prefetch(name distant) const { places_.prefetch(distant.place()); }
  void heard(name distant);
  void heard_fault(name distant, const event_fault& fault);
  void unsubscribed(name own, int pe);
  void forgotten(name distant);

  /// Wakes more of what has ended: others have had their turn.
  void go_on();

  static constexpr int k_too_late = -1;
  static constexpr int k_withdrawn = -2;
  static constexpr int k_not_promised = -3;

  /// An operation whose event this PE has made is withdrawn; else the PE that holds it is to be
  /// asked, and returned; or it is a user event that nobody has promised, as far as is known here.
  int withdraw(name made, site where);
  [[noreturn]] void refuse_withdrawal(name made, site where) const;

  /// The operations that this PE holds; null: none has been withdrawn so far.
  operations* operations_if_kept() { return operations_.get(); }
  operations& held_operations();

  /// False: it does not wait for that, or does not any more.
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

  // For the requests of reservations, whose events wait in a queue of their own.
  lock_table& locks();
  slot& slot_at(std::uint32_t index) { return slots_[index]; }
  std::uint32_t slots_ever() const { return slots_.size(); }
  name name_of(std::uint32_t index) const { return {rank_, index, slots_[index].generation}; }
  void append(slot_queue& queue, std::uint32_t index) { slots_.append(queue, index); }
  std::uint32_t pop(slot_queue& queue) { return slots_.pop(queue); }

  /// The request in that slot waits for the event in this one.
  void wait_for(std::uint32_t awaited, std::uint32_t request);

  /// What a request is about to fail with. Throws atl::error (out_of_memory).
  void note_fault(std::uint32_t index, const event_fault& fault) {
    faults_.add(name_of(index), fault);
  }

  /// It is granted or, with a fault, fails. Its waiters are woken by `wake`.
  void end_request(std::uint32_t index, const event_fault* fault);

  /// Wakes the waiters of all that has ended, and whatever that ends, unless it is at it.
  void wake();

  std::uint32_t own_slots_in_use() const;
  void tell_who_waits(std::vector<observe::finding>& into) const;

  /// The phase barriers of this PE; null until there is one.
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
  bool is_to_go_on_ = false;  ///< this PE has sent itself a message that says so
  std::unique_ptr<lock_table> locks_;
  std::unique_ptr<operations> operations_;
  charged_map<std::uint64_t, std::shared_ptr<outside_wait>> outside_;  ///< by names
};

}  // namespace atl::events
