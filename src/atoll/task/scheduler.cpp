#include "atoll/task/scheduler.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/base/settings.hpp"
#include "atoll/task/task.hpp"
#include "atoll/transport/site_word.hpp"

#include <algorithm>

namespace atoll::tasks {
namespace {

constexpr std::uint64_t k_longest_burst = 256;
constexpr transport::nanoseconds k_long_burst_time = 100'000;
constexpr transport::nanoseconds k_short_burst_time = 25'000;
// Tasks that are always ready must not keep those that have not begun from it for ever.
constexpr std::uint64_t k_most_bursts_without_stealable = 64;
// Cache misses that overlap: as many as hide the latency of memory, few enough for the cache.
constexpr std::uint64_t k_most_fetching = 32;

}  // namespace

void* frame::operator new(std::size_t bytes) { return this_pe().tasks->frames().allocate(bytes); }

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
      stealing_(self, self.options->seed),
      burst_(k_longest_burst),
      workers_(workers) {
  self.transport->sections().add([this](auto& into) { tell_who_waits(into); });
}

void scheduler::run() {
  recorder_.time.start(now());
  while (!stopped_) {
    round();
    messages_.throw_unscoped_failure();
  }
  while (!queue_.empty()) {  // the main task may still have to end
    run_burst();
    messages_.progress();
  }
  messages_.flush();
}

void scheduler::round() {
  const bool ran = run_burst();
  const auto begin = lap(counters_.tasks_nanoseconds);
  const auto end = recorder_.time.last();
  adapt_burst(end - begin);
  if (!timers_.empty()) wake_timers(end);
  ++counters_.scheduler_rounds;
  counters_.ready_length_total += queue_.size();
  counters_.active_tasks_total += active_tasks_;
  const bool delivered = messages_.progress();
  lap(delivered ? counters_.handlers_nanoseconds : counters_.transport_nanoseconds);
  if (ran || delivered) self_.transport->note_progress();
  const bool can_run = !queue_.empty() || (!stealing_.tasks().empty() && busy_workers_ < workers_);
  if (!delivered && (!can_run || messages_.congested())) {
    idle();
  } else if (messages_.flush_old()) {
    lap(counters_.aggregation_nanoseconds);
  }
}

bool scheduler::run_burst() {
  const auto most = std::min(burst_, queue_.size());
  auto* const outside = messages_.enclosing_slot();
  std::uint64_t resumed = 0;
  for (; resumed < most && messages_.has_room(); ++resumed) resume(*queue_.pop());
  for (; resumed < burst_ && messages_.has_room() && may_begin_stealable(); ++resumed)
    begin_stealable();
  current_ = nullptr;
  messages_.enter(outside);
  return resumed > 0;
}

bool scheduler::may_begin_stealable() {
  if (stealing_.tasks().empty() || busy_workers_ >= workers_) return false;
  if (queue_.size() == fetching_) return fetching_ < k_most_fetching;
  if (++bursts_without_stealable_ < k_most_bursts_without_stealable) return false;
  bursts_without_stealable_ = 0;
  return true;
}

void scheduler::begin_stealable() {
  take_worker();
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

void scheduler::idle() {
  if (messages_.flush()) lap(counters_.aggregation_nanoseconds);
  using mutants::fault;
  const bool delivered = messages_.progress();
  lap(delivered ? counters_.handlers_nanoseconds : counters_.transport_nanoseconds);
  if (delivered && !mutants::has(queue_.empty() ? fault::missed_idle_flush : fault::lost_wake_up))
    return self_.transport->note_progress();
  if (queue_.empty() && stealing_.tasks().empty() && busy_workers_ < workers_)
    stealing_.look_for_work();
  messages_.wait(timers_.empty() ? transport::forever : timers_.top().deadline);
  lap(counters_.idle_nanoseconds);
}

void scheduler::task_started(const root& started) {
  ++counters_.tasks_started;
  ++active_tasks_;
  counters_.active_tasks_peak = std::max<std::uint64_t>(counters_.active_tasks_peak, active_tasks_);
  self_.transport->set_last_site(transport::site_word(started.spawned_at));
}

void scheduler::task_ended(root& ended) {
  --active_tasks_;
  give_place_back(ended);
}

}  // namespace atoll::tasks
