// Reports where tasks of a PE wait, for a hang report. Tasks record nothing for the report, because
// the report finds their frames in the memory of the frame pool.

#include "atoll/task/scheduler.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace atl::tasks {
namespace {

using observe::fact;

/// The started coroutines that have not ended, as found in the memory of their frames.
class live_frames {
 public:
  explicit live_frames(const frame_pool& pool) {
    pool.for_each(
        [this](void* memory) { add(std::coroutine_handle<frame>::from_address(memory)); });
    std::ranges::sort(awaiters_);
  }

  /// Calls `visit(frame&)` for the innermost frame of each task, which awaits no other frame.
  template <class Visit>
  void for_each_innermost(Visit visit) const {
    for (frame* one : all_)
      if (!std::ranges::binary_search(awaiters_, one)) visit(*one);
  }

 private:
  // A coroutine without an owner has not begun. The root of a task always has an owner.
  void add(std::coroutine_handle<frame> coroutine) {
    if (coroutine.done() || coroutine.promise().owner == nullptr) return;
    all_.push_back(&coroutine.promise());
    if (const auto awaiter = coroutine.promise().continuation)
      awaiters_.push_back(&std::coroutine_handle<frame>::from_address(awaiter.address()).promise());
  }

  std::vector<frame*> all_;
  std::vector<frame*> awaiters_;
};

/// Counts tasks that are in the same state, wait at the same place, and were spawned at the same
/// place.
class task_groups {
 public:
  void add(fact what, site where, site spawned) { ++counts_[{what, where.word(), spawned.word()}]; }
  void tell(std::vector<observe::finding>& into) const {
    for (const auto& [key, count] : counts_) {
      const auto& [what, where, spawned] = key;
      into.push_back({what, site::from_word(where), site::from_word(spawned), count});
    }
  }

 private:
  std::map<std::tuple<fact, std::uint64_t, std::uint64_t>, std::uint64_t> counts_;
};

/// Returns true for a task that executes a remote call and waits at the line of the call. The
/// report leaves out tasks for which the function returns true, because the report lists the
/// calling task at the same line.
bool waits_for_another_task(const frame& one) {
  return one.owner->has_asker && one.waiting_at.word() == one.owner->spawned_at.word();
}

}  // namespace

void scheduler::tell_who_waits(std::vector<observe::finding>& into) const {
  messages_.failures().tell_all(self_.rank);
  std::vector<const frame*> ready;
  queue_.for_each([&](const frame& one) { ready.push_back(&one); });
  std::ranges::sort(ready);
  task_groups groups;
  live_frames(frames_).for_each_innermost([&](const frame& one) {
    if (waits_for_another_task(one)) return;
    const bool is_ready = std::ranges::binary_search(ready, &one);
    const fact what = one.owner == current_   ? fact::runs
                      : !is_ready             ? fact::waits
                      : messages_.congested() ? fact::lacks_room
                                              : fact::ready;
    groups.add(what, what == fact::runs ? site() : one.waiting_at, one.owner->spawned_at);
  });
  stealing_.tasks().for_each(
      [&](const stealable& one) { groups.add(fact::not_begun, site(), one.spawned_at); });
  groups.tell(into);
}

}  // namespace atl::tasks
