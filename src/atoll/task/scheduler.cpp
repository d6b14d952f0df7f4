#include "atoll/task/scheduler.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/error.hpp"
#include "atoll/settings.hpp"
#include "atoll/task.hpp"
#include "atoll/task/mailbox.hpp"
#include "atoll/transport/say.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

namespace atl::tasks {

void rethrow_naming(site spawned_at) {
  try {
    throw;
  } catch (const error& failure) {
    if (failure.code() != errc::out_of_memory) throw;
    fail(errc::out_of_memory, "no memory for the task spawned at {}: {}", to_string(spawned_at),
         failure.what());
  }
}

namespace {

// A burst is the sequence of tasks that the scheduler resumes between two deliveries of messages.
constexpr std::uint64_t k_longest_burst = 256;
constexpr transport::nanoseconds k_long_burst_time = 100'000;
constexpr transport::nanoseconds k_short_burst_time = 25'000;
// A stealable task begins after this number of bursts (sequences of resumed tasks), even if other
// tasks are ready. Without the limit, a stealable task would never begin if other tasks were always
// ready.
constexpr std::uint64_t k_most_bursts_without_stealable = 64;
// Maximum number of tasks that wait for prefetched memory. The maximum is large enough to hide the
// latency of memory, and small enough for the cache to hold the prefetched lines.
constexpr std::uint64_t k_most_fetching = 32;
// A thread that posts a request wakes the PE at once. The deadline of one hour only keeps the hang
// watch from reporting a hang.
constexpr transport::nanoseconds k_longest_nap_beside_threads = 3'600'000'000'000;

/// Makes `fork` mark the child process as a copy of this PE. The handler is registered once per
/// process.
void watch_forks() {
  static const int refused = pthread_atfork(nullptr, nullptr, [] {
    if (current_pe != nullptr && current_pe->tasks != nullptr) current_pe->tasks->note_copy();
  });
  if (refused != 0)
    transport::say(
        "warning: a process that a task forks must end by _exit: it would go on as this PE "
        "(pthread_atfork): {}",
        std::strerror(refused));
}

}  // namespace

void* frame::operator new(std::size_t bytes) {
  if (current_pe == nullptr) [[unlikely]]
    atl::fail(errc::input,
              "a function that returns atl::task was called where there is no job; call it "
              "in a task that atl::run has started");
  return this_pe().tasks->frames().allocate(bytes);
}

void frame::operator delete(void* memory, std::size_t bytes) noexcept {
  this_pe().tasks->frames().release(memory, bytes);
}

bool final_awaiter::goes_by_queue(std::coroutine_handle<> awaiter) noexcept {
  constexpr std::uint64_t k_most_in_a_row = 128;
  scheduler& tasks = *this_pe().tasks;
  if (!tasks.ended_awaited_task(k_most_in_a_row)) return false;
  tasks.ready(std::coroutine_handle<frame>::from_address(awaiter.address()).promise());
  return true;
}

scheduler::scheduler(pe& self, std::uint64_t workers)
    : self_(self),
      messages_(*self.messages),
      recorder_(*self.recorder),
      counters_(*self.counters),
      queue_(*self.account),
      stealing_(self, self.options->seed),
      burst_(k_longest_burst),
      workers_(workers),
      frames_(*self.account) {
  self.transport->sections().add([this](auto& into) { tell_who_waits(into); });
  watch_forks();
}

scheduler::~scheduler() {
  self_.transport->watch(nullptr);
  if (outside_) outside_->close();
}

const std::shared_ptr<mailbox>& scheduler::outside() {
  if (!outside_) outside_ = std::make_shared<mailbox>(*self_.transport);
  return outside_;
}

// A request of another thread belongs to no scope, like a message without a scope.
void scheduler::look_into_mailbox() {
  if (!outside_->has_mail()) [[likely]]
    return;
  for (const mailbox::request& asked : outside_->take()) asked();
  self_.transport->note_progress();
}

void scheduler::run() {
  recorder_.time.start(now());
  while (!stopped_) {
    round();
    messages_.throw_unscoped_failure();
  }
  if (outside_ != nullptr) outside_->close();
  while (!queue_.empty()) {  // the main task may not have ended yet
    run_burst();
    messages_.progress();
  }
  messages_.flush();
}

/// Returns where the first task of the next burst was spawned, for the trace.
std::uint64_t scheduler::site_of_burst() const {
  if (!recorder_.trace || queue_.empty()) return 0;
  return transport::site_word(*self_.modules, queue_.first().owner->spawned_at);
}

bool scheduler::run_tasks() {
  const std::uint64_t where = site_of_burst();
  const std::uint64_t resumed = run_burst();
  const auto begin = lap(counters_.tasks_nanoseconds);
  adapt_burst(recorder_.time.last() - begin);
  if (resumed != 0)
    recorder_.note_lap(observe::traced::tasks, begin, resumed, queue_.size(),
                       where != 0 ? where : self_.transport->last_site());
  return resumed != 0;
}

bool scheduler::deliver() {
  const std::uint64_t before = messages_.executed();
  const bool delivered = messages_.progress();
  const auto begin =
      lap(delivered ? counters_.handlers_nanoseconds : counters_.transport_nanoseconds);
  if (delivered)
    recorder_.note_lap(observe::traced::deliveries, begin, messages_.executed() - before,
                       messages_.executed());
  return delivered;
}

void scheduler::show_status() {
  messages_.update_counters();
  recorder_.status.write(recorder_.time.last(), queue_.size() + stealing_.tasks().size(),
                         active_tasks_, counters_);
}

void scheduler::round() {
  if (outside_ != nullptr) [[unlikely]]
    look_into_mailbox();
  // the last delivery may have fulfilled conditions that tasks wait for
  if (!watchers_.empty()) wake_watchers();
  const bool ran = run_tasks();
  if (!timers_.empty()) wake_timers(recorder_.time.last());
  if (!messages_.failures().empty()) [[unlikely]]
    messages_.look_at_failures(recorder_.time.last());
  ++counters_.scheduler_rounds;
  counters_.ready_length_total += queue_.size();
  counters_.active_tasks_total += active_tasks_;
  const bool delivered = deliver();
  if (ran || delivered) self_.transport->note_progress();
  if (recorder_.status.is_due(recorder_.time.last())) show_status();
  const bool can_run = !queue_.empty() || (!stealing_.tasks().empty() && has_free_place());
  if (!delivered && (!can_run || messages_.congested())) {
    idle();
  } else if (messages_.flush_old()) {
    note_flush();
  }
}

std::uint64_t scheduler::run_burst() {
  const auto most = std::min(burst_, queue_.size());
  auto* const outside = messages_.enclosing_slot();
  std::uint64_t resumed = 0;
  for (; resumed < most && messages_.has_room(); ++resumed) resume(*queue_.pop());
  for (; resumed < burst_ && messages_.has_room() && may_begin_stealable(); ++resumed)
    begin_stealable();
  current_ = nullptr;
  messages_.enter(outside);
  if (is_copy_) [[unlikely]]
    end_copy();
  return resumed;
}

// Ends this process, which is a copy of the PE that a task has made by `fork`. The PE and the job
// continue in the original process.
void scheduler::end_copy() noexcept {
  transport::say("PE {}: a process that one of its tasks had forked came back to the scheduler; it "
                 "ends with status {}: let it end by exit, _exit or exec",
                 self_.rank, k_status_exception);
  _exit(k_status_exception);
}

bool scheduler::may_begin_stealable() {
  if (stealing_.tasks().empty() || !has_free_place()) return false;
  if (queue_.size() == fetching_) return fetching_ < k_most_fetching;
  if (++bursts_without_stealable_ < k_most_bursts_without_stealable) return false;
  bursts_without_stealable_ = 0;
  return true;
}

void scheduler::begin_stealable() {
  stealable newest = stealing_.tasks().take_newest();
  stealing_.share();
  newest.kind->start(newest);
}

void scheduler::adapt_burst(transport::nanoseconds spent) {
  if (spent > k_long_burst_time) {
    burst_ = std::max<std::uint64_t>(1, burst_ / 2);
  } else if (spent < k_short_burst_time) {
    burst_ = std::min(k_longest_burst, burst_ * 2);
  }
}

void scheduler::wake_timers(transport::nanoseconds time) {
  while (!timers_.empty() && timers_.top().deadline <= time) {
    queue_.push(timers_.top().suspended);
    timers_.pop();
  }
}

void scheduler::wake_watchers() {
  watchers_.take([this](frame& suspended) { queue_.push(&suspended); });
  if (watchers_.empty()) self_.transport->watch(nullptr);
}

void scheduler::idle() {
  if (messages_.flush_when_idle()) note_flush();
  using mutants::fault;
  if (deliver() && !mutants::has(queue_.empty() ? fault::missed_idle_flush : fault::lost_wake_up))
    return self_.transport->note_progress();
  if (queue_.empty() && stealing_.tasks().empty() && has_free_place()) stealing_.look_for_work();
  wait();
}

void scheduler::note_flush() {
  recorder_.note_lap(observe::traced::flush, lap(counters_.aggregation_nanoseconds));
}

void scheduler::wait() {
  const auto begin = recorder_.time.last();
  if (recorder_.status.is_due_before_wait(begin)) show_status();
  recorder_.status.idle_since(begin);
  const auto timer = timers_.empty() ? transport::forever : timers_.top().deadline;
  // A thread that may still post a request counts as a timer, so that the hang watch reports no
  // hang.
  const bool asked = outside_ != nullptr && outside_->has_senders();
  const auto outside = asked ? begin + k_longest_nap_beside_threads : transport::forever;
  messages_.wait(std::min({timer, messages_.failures().next(), outside}));
  lap(counters_.idle_nanoseconds);
  recorder_.status.idle_since(0);
  recorder_.note_lap(observe::traced::idle, begin);
}

void scheduler::task_started(const root& started) {
  ++counters_.tasks_started;
  ++active_tasks_;
  counters_.active_tasks_peak = std::max<std::uint64_t>(counters_.active_tasks_peak, active_tasks_);
  self_.transport->set_last_site(transport::site_word(*self_.modules, started.spawned_at));
}

void scheduler::task_ended(root& ended) {
  --active_tasks_;
  give_place_back(ended);
  // The stall detector's signal handler may read `current_` at any moment, even before the next
  // task begins.
  current_ = nullptr;
  std::atomic_signal_fence(std::memory_order_release);
}

}  // namespace atl::tasks
