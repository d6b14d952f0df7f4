#include "atoll/task/stealing.hpp"

#include "atoll/base/mutants.hpp"
#include "atoll/message/engine_inline.hpp"
#include "atoll/observe/recorder.hpp"
#include "atoll/task/scheduler.hpp"

#include <algorithm>
#include <utility>

namespace atl::tasks {
namespace {

constexpr int k_random_tries = 2;
constexpr std::uint64_t k_most_tasks_a_steal = 8192;

}  // namespace

stealing::stealing(pe& self, std::uint64_t seed)
    : self_(self), tasks_(*self.account), random_(seed, static_cast<std::uint64_t>(self.rank)) {
  for (int distance = 1; distance < self.size; distance *= 2) {
    lifelines_.push_back({(self.rank + distance) % self.size, true});
    waiting_.push_back((self.rank + self.size - distance) % self.size);
  }
}

void stealing::look_for_work() {
  if (asked_) return;
  if (tries_left_ > 0) {
    --tries_left_;
    asked_ = true;
    return ask(random_victim(), false);
  }
  for (auto& line : lifelines_) {
    if (!std::exchange(line.waits, true)) ask(line.pe, true);
  }
}

int stealing::random_victim() {
  const auto others = static_cast<std::uint64_t>(self_.size - 1);
  const int distance = 1 + static_cast<int>(random_.below(others));
  return (self_.rank + distance) % self_.size;
}

void stealing::ask(int victim, bool lifeline) {
  ++self_.counters->steal_requests;
  self_.recorder->note(observe::traced::steal_request, victim, 1);
  const auto request = [lifeline] {
    pe& self = this_pe();
    self.tasks->stealables().asked_by(self.messages->source(), lifeline);
  };
  self_.messages->at_once(victim, [&] {
    self_.messages->send<message::traffic::control>(victim, request, site::current());
  });
}

void stealing::asked_by(int thief, bool lifeline) {
  const std::uint64_t tasks = half();
  const bool waits = (tasks == 0 && lifeline) || !ship(thief, lifeline, tasks);
  if (waits && !mutants::has(mutants::fault::forgotten_thief)) waiting_.push_back(thief);
}

// Returns how many tasks another PE gets, which is half of the stealable tasks. If this PE has
// nothing else to run, this PE keeps its last stealable task.
std::uint64_t stealing::half() const {
  const std::uint64_t rounding = self_.tasks->is_busy() ? 1 : 0;
  return std::min(k_most_tasks_a_steal, (tasks_.size() + rounding) / 2);
}

void stealing::serve_waiting() {
  while (!waiting_.empty() && half() > 0) {
    const int thief = waiting_.front();
    waiting_.erase(waiting_.begin());
    if (!ship(thief, true, half())) {
      waiting_.insert(waiting_.begin(), thief);
      return;
    }
  }
}

void stealing::add(const stealable& task) {
  tasks_.next_place() = task;
  tasks_.push();
}

/// Sends `tasks` stealable tasks to the PE `thief`, and an answer with the number of sent tasks. If
/// the thief asks over a lifeline and no task can be sent, the function sends no answer and returns
/// false. Without an answer, the thief continues to wait on the lifeline.
bool stealing::ship(int thief, bool lifeline, std::uint64_t tasks) {
  message::engine& messages = *self_.messages;
  bool answered = true;
  messages.at_once(thief, [&] {
    const std::uint64_t shipped = ship_oldest(thief, tasks);
    answered = shipped != 0 || !lifeline;
    if (!answered) return;
    if (shipped != 0) self_.recorder->note(observe::traced::tasks_sent, thief, shipped);
    const auto answer = [lifeline, shipped] {
      pe& self = this_pe();
      self.tasks->stealables().answered_by(self.messages->source(), lifeline, shipped);
    };
    messages.send<message::traffic::control>(thief, answer, site::current());
  });
  return answered;
}

/// Sends at most `tasks` tasks while the send buffer has room, and returns how many tasks were
/// sent. A task that cannot be sent stays on this PE.
std::uint64_t stealing::ship_oldest(int thief, std::uint64_t tasks) {
  message::engine& messages = *self_.messages;
  auto* const outside = messages.enclosing_slot();
  std::uint64_t shipped = 0;
  try {
    for (; shipped < tasks; ++shipped) {
      stealable& oldest = tasks_.oldest();
      const stealable twice = oldest;
      oldest.kind->ship(oldest, thief);
      tasks_.drop_oldest();
      if (mutants::has(mutants::fault::double_steal) && !waiting_.empty()) add(twice);
    }
  } catch (const transport::job_ended&) {
    throw;
  } catch (...) {  // if buffers or memory are full, the thief gets fewer tasks
  }
  messages.enter(outside);
  return shipped;
}

void stealing::answered_by(int victim, bool lifeline, std::uint64_t tasks) {
  const bool gives_up = tasks == 0 && mutants::has(mutants::fault::discouraged_thief);
  if (!lifeline && !gives_up) asked_ = false;
  for (auto& line : lifelines_) {
    if (lifeline && line.pe == victim) line.waits = false;
  }
  if (tasks == 0) return;
  tries_left_ = self_.size > 2 ? k_random_tries : 0;
  ++self_.counters->steals;
  self_.counters->tasks_stolen += tasks;
  self_.recorder->note(observe::traced::tasks_stolen, victim, tasks);
}

}  // namespace atl::tasks
