#pragma once
// This file has the table of all events of one PE, and the list of failed events that the PE knows.
// The file also has the object by which a thread other than a PE waits for an event.

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

// The class `faults` holds the failed events that one PE knows. If no event has failed, which is
// usual, a lookup is only one comparison.

class faults {
 public:
  explicit faults(memory_account& account) : all_(account) {}

  bool empty() const { return all_.empty(); }

  /// Returns the fault of the event `asked`: the error with which the event has failed. Returns
  /// null if the event has not failed as far as this PE knows.
  const event_fault* find(name asked) const {
    if (all_.empty()) [[likely]]
      return nullptr;
    const auto found = all_.find(asked.word());
    return found != all_.end() ? &found->second : nullptr;
  }

  /// Records that the event `failed` has failed with `fault`. Only the first fault of an event is
  /// kept.
  void add(name failed, const event_fault& fault) { all_.try_emplace(failed.word(), fault); }
  void remove(name triggered) { all_.erase(triggered.word()); }

 private:
  charged_map<std::uint64_t, event_fault> all_;
};

// With an object of the class `outside_wait`, a thread that is not a PE waits for an event. The PE
// and the waiting threads share the object.

class outside_wait {
 public:
  // The PE calls one of the next functions when the event has triggered, when the event has failed,
  // or when the job ends.
  void triggered() { end({}, {}); }
  void failed(const event_fault& fault);
  void job_ended();

  /// Blocks the calling thread until the event has triggered or failed. Any thread may call this
  /// function. Returns false if the event has not ended after the time `longest`. If the event has
  /// failed, throws an atl::error with the text of the failure. Throws atl::error (environment) if
  /// the job ends first.
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

// The class `table` holds all events of one PE, and what the PE knows about events of other PEs.
// Only the PE that owns the table calls its functions.
//
// Each event of this PE is stored in an entry of the table, a slot. A waiter is a task, another
// event or another PE that waits for an event. The slots of ended events are put into a queue, and
// one loop wakes the waiters of all queued slots. Because a loop wakes the waiters, the stack does
// not grow with the depth of the dependencies. An event of another PE also has a slot on this PE if
// a task of this PE waits for it. This PE subscribes only once to an event of another PE, and the
// other PE notifies this PE only once.

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

  /// Returns the table of this PE. The first call makes the table.
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

  /// Returns the index of the slot to which a waiter for the event `awaited` must be added. Returns
  /// 0 if this PE already knows how the event has ended: triggered or failed.
  std::uint32_t slot_to_wait_at(name awaited, site where) {
    return awaited.pe() == rank_ ? own_slot(awaited, where) : distant_slot(awaited, where);
  }

  /// Throws atl::error (input) if the event `given` belongs to a job that has ended. The text of
  /// the error contains `used`, the verb of the caller's action, such as "triggered".
  void check_job(name given, const char* used, site where) const {
    if (given.is_of_other_job_than(first_generation_)) [[unlikely]]
      refuse_ended_job(given, used, where);
  }
  std::uint32_t first_generation_of_job() const { return first_generation_; }

  // The next functions implement the functions of the same names that atoll/event.hpp declares.
  bool has_ended(name asked, site where);
  bool is_known(name asked);
  const event_fault* fault_of(name asked) const;
  void subscribe(name asked, site where);
  void make_ready_after(name awaited, tasks::frame& suspended);

  /// Returns the object by which threads that are not PEs wait for the event `awaited`. All calls
  /// before the end of the event return the same object.
  std::shared_ptr<outside_wait> outside(name awaited, site where);

  /// When the event `awaited` ends, the table stores the time of the end in `at`. Does nothing if
  /// the event has already ended.
  void note_end(name awaited, transport::nanoseconds& at);

  /// Triggers a user event of this PE.
  void trigger(name triggered, site where);
  /// Makes a user event of this PE fail.
  void poison(name failed, const event_fault& fault, site where);

  /// Returns an event that depends on the events `inputs` of any PEs. The parameter `purpose` is
  /// `all`, `settled` or `any`, and says when the returned event triggers. Makes no new event if an
  /// input or `event::none` can be returned instead.
  event merge(use purpose, std::span<const event> inputs, site where);

  /// Makes the user event `user` of this PE trigger when all `inputs` have triggered. If an input
  /// fails, `user` fails at once with the error of that input.
  void promise(name user, std::span<const event> inputs, site where);

  // The handlers of messages from other PEs call the next functions.
  void subscribed(name own, int pe);
  [[gnu::always_inline]] void prefetch(name distant) const { places_.prefetch(distant.place()); }
  void heard(name distant);
  void heard_fault(name distant, const event_fault& fault);
  void unsubscribed(name own, int pe);
  void forgotten(name distant);

  /// Wakes further waiters after `wake` has stopped early. A message that this PE has sent to
  /// itself calls the function, so that the PE executes other messages in between.
  void go_on();

  static constexpr int k_too_late = -1;
  static constexpr int k_withdrawn = -2;
  static constexpr int k_not_promised = -3;

  /// Withdraws the operation that will trigger the event `made` of this PE. Returns `k_withdrawn`
  /// if the operation will never begin, and `k_too_late` if the event has already ended. For a
  /// deferred operation, returns the rank of the PE where the operation waits; the caller must then
  /// ask that PE. If `made` is a user event for which this PE knows no call of `trigger_when`,
  /// returns `k_not_promised`.
  int withdraw(name made, site where);
  [[noreturn]] void refuse_withdrawal(name made, site where) const;

  /// Returns the list of the deferred operations that wait on this PE. Returns null if this PE was
  /// never asked to withdraw an operation, because the list is made at the first withdrawal.
  operations* operations_if_kept() { return operations_.get(); }
  operations& held_operations();

  /// Removes the waiter `removed` from the waiters of the event `awaited`. Returns false if
  /// `removed` does not wait for the event.
  bool remove_waiter(name awaited, waiter removed);

  /// Calls `visit(name, frame)` for each task of this PE that waits for an event. The arguments are
  /// the name of the event and the suspended frame of the task.
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

  // The reservation table calls the next functions. A reservation is a lock whose operations return
  // events. The reservation table keeps the requests for a reservation in a queue of slots.
  reservation_table& locks();
  slot& slot_at(std::uint32_t index) { return slots_[index]; }
  std::uint32_t slots_ever() const { return slots_.size(); }
  name name_of(std::uint32_t index) const { return {rank_, index, slots_[index].generation}; }
  void append(slot_queue& queue, std::uint32_t index) { slots_.append(queue, index); }
  std::uint32_t pop(slot_queue& queue) { return slots_.pop(queue); }

  /// Makes the reservation request in the slot `request` wait for the event in the slot `awaited`.
  void wait_for(std::uint32_t awaited, std::uint32_t request);

  /// Records the error with which the reservation request in slot `index` is about to fail. Throws
  /// atl::error (out_of_memory) if the error cannot be stored.
  void note_fault(std::uint32_t index, const event_fault& fault) {
    faults_.add(name_of(index), fault);
  }

  /// Ends the reservation request in slot `index`. If `fault` is null, the event of the request
  /// triggers. If `fault` is not null, the event fails. The next call of `wake` wakes the waiters
  /// of the event.
  void end_request(std::uint32_t index, const event_fault* fault);

  /// Wakes the waiters of all ended events. If a woken waiter is an event that now ends, `wake`
  /// also wakes the waiters of this event. A call from within `wake` has no effect.
  void wake();

  std::uint32_t own_slots_in_use() const;
  void tell_who_waits(std::vector<observe::finding>& into) const;

  /// The phase barriers of this PE. The pointer is null until this PE first uses a phase barrier.
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
  /// True while a message that will call `go_on` is in flight from this PE to itself.
  bool is_to_go_on_ = false;
  std::unique_ptr<reservation_table> locks_;
  std::unique_ptr<operations> operations_;
  charged_map<std::uint64_t, std::shared_ptr<outside_wait>> outside_;  ///< key: name of the event
};

}  // namespace atl::events
