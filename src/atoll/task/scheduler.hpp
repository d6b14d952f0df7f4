#pragma once
// The scheduler runs the tasks of one PE. The scheduler has a first-in-first-out queue of ready
// tasks, a list of timers, and a loop that runs tasks, delivers messages and waits. Only the PE
// that owns the scheduler calls its functions.

#include "atoll/message/engine.hpp"
#include "atoll/pe.hpp"
#include "atoll/task/frame.hpp"
#include "atoll/task/frame_pool.hpp"
#include "atoll/task/ready_queue.hpp"
#include "atoll/task/stealing.hpp"

#include <cstdint>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

namespace atl::tasks {

class mailbox;

class scheduler {
 public:
  scheduler(pe& self, std::uint64_t workers);
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Appends a suspended frame to the ready queue.
  void ready(frame& suspended) { queue_.push(&suspended); }

  /// Appends a frame that waits for prefetched memory to the ready queue. Stealable tasks may begin
  /// while the frame waits. The awaitable must call `fetched` when the frame is resumed.
  void ready_when_fetched(frame& suspended) {
    ++fetching_;
    queue_.push(&suspended);
  }
  void fetched() { --fetching_; }

  /// Makes the frame ready at `deadline`, which is a time of this PE's clock in nanoseconds.
  void ready_at(transport::nanoseconds deadline, frame& suspended) {
    timers_.push({deadline, timers_made_++, &suspended});
  }

  /// Makes `one.suspended` ready when its condition holds.
  void ready_when(watcher& one) {
    if (watchers_.empty()) self_.transport->watch(&watchers_);
    watchers_.add(one);
  }

  /// Returns whether no task of this PE is ready or stealable, apart from the running task.
  bool has_nothing_else() const { return queue_.empty() && stealing_.tasks().empty(); }

  /// Runs tasks and delivers messages until a task or a handler calls `stop`. Must not be called
  /// within a task. Throws transport::job_ended, and exceptions that escaped a handler of a message
  /// without a scope.
  void run();
  void stop() { stopped_ = true; }

  /// Records that this process is a copy that a task made by `fork`. The forked process ends when
  /// its task returns to the scheduler.
  void note_copy() noexcept {
    is_copy_ = true;
    messages_.end_round();
  }

  /// Finds the task from which the exception `failure` has escaped, and returns the place where the
  /// task was spawned. The place is known only if `failure` is the last exception that has escaped
  /// a task of this PE.
  site origin_of(const std::exception_ptr& failure) const {
    return failure == last_failure_ ? last_failed_ : site{};
  }

  /// Returns the running task, or null while a handler runs.
  root* current() const { return current_; }

  frame_pool& frames() { return frames_; }

  /// Counts the end of an awaited coroutine. Returns true once in `period` calls.
  bool ended_awaited_task(std::uint64_t period) { return ++awaited_ended_ % period == 0; }

  transport::nanoseconds now() { return self_.transport->now(); }

  void task_started(const root& started);
  void task_failed(const root& failed, std::exception_ptr failure) {
    last_failed_ = failed.spawned_at;
    last_failure_ = std::move(failure);
  }
  void task_ended(root& ended);

  /// Returns the number of tasks that can continue without a message, because they are ready,
  /// sleep, or may be stolen.
  std::uint64_t runnable_tasks() const {
    return queue_.size() + timers_.size() + stealing_.tasks().size();
  }

  /// Returns the mailbox for requests of other threads of this process. The PE executes requests of
  /// other threads between tasks. The first call of `outside` makes the mailbox, which is closed
  /// when the PE ends.
  const std::shared_ptr<mailbox>& outside();

  stealing& stealables() { return stealing_; }

  /// Returns whether a task runs or is ready. Stealable tasks that have not begun are not counted.
  bool is_busy() const { return current_ != nullptr || !queue_.empty(); }

  /// Returns whether a further task of a parallel loop, or a further stealable task, can begin now
  /// (see the setting `workers`). Parallel loops start more tasks, and stealable tasks begin, only
  /// if a place is free.
  bool has_free_place() const { return busy_workers_ < workers_; }

  /// Frees the place that the task `waiting` occupies, if it occupies one, because the task begins
  /// to wait or has ended. The setting `workers` is the number of places. Because waiting tasks
  /// occupy no places, nested parallel loops work with any number of places. Returns true if the
  /// task occupied a place.
  bool give_place_back(root& waiting) {
    const bool held = waiting.holds_place != 0;
    waiting.holds_place = 0;
    busy_workers_ -= held ? 1 : 0;
    return held;
  }
  void take_place(root& task) {
    task.holds_place = true;
    ++busy_workers_;
  }

  /// Makes `task` the running task.
  void enter(root& task) {
    current_ = &task;
    messages_.enter(&task.scope);
    ++counters_.context_switches;
  }

  /// Runs the frame until it suspends again.
  void resume(frame& suspended) {
    enter(*suspended.owner);
    suspended.resume();
  }

 private:
  struct timer {
    transport::nanoseconds deadline;
    std::uint64_t number;  // orders timers with equal deadlines by creation
    frame* suspended;

    friend bool operator>(const timer& a, const timer& b) {
      return a.deadline != b.deadline ? a.deadline > b.deadline : a.number > b.number;
    }
  };

  void tell_who_waits(std::vector<observe::finding>& into) const;
  void round();
  bool run_tasks();
  std::uint64_t run_burst();
  std::uint64_t site_of_burst() const;
  [[noreturn]] void end_copy() noexcept;
  bool deliver();
  void note_flush();
  void wait();
  void show_status();
  bool may_begin_stealable();
  void begin_stealable();
  void adapt_burst(transport::nanoseconds spent);
  void look_into_mailbox();
  void wake_timers(transport::nanoseconds time);
  void wake_watchers();
  void idle();
  transport::nanoseconds lap(observe::counter& nanoseconds) {
    return recorder_.time.lap(nanoseconds, now());
  }

  pe& self_;
  message::engine& messages_;
  observe::recorder& recorder_;
  observe::counters& counters_;
  ready_queue queue_;
  stealing stealing_;
  bool stopped_ = false;
  bool is_copy_ = false;
  site last_failed_;
  std::exception_ptr last_failure_;
  root* current_ = nullptr;
  std::uint64_t burst_;
  std::uint64_t active_tasks_ = 0;
  std::uint64_t workers_;
  std::uint64_t busy_workers_ = 0;
  std::uint64_t bursts_without_stealable_ = 0;
  // Number of frames in the queue that wait for prefetched memory.
  std::uint64_t fetching_ = 0;
  std::uint64_t timers_made_ = 0;
  std::uint64_t awaited_ended_ = 0;
  std::priority_queue<timer, std::vector<timer>, std::greater<>> timers_;
  watchers watchers_;
  frame_pool frames_;
  std::shared_ptr<mailbox> outside_;  ///< null before the first call of `outside`
};

/// Returns the name of the running task for reports. Within handlers, the name denotes no task.
inline observe::task_name this_task() { return {my_pe(), this_pe().tasks->current()}; }

}  // namespace atl::tasks
