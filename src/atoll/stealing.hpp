#pragma once
// This header has work stealing: tasks that any PE may run, and loops of such tasks.

#include "atoll/message/engine_inline.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"
#include "atoll/task/shipped_task.hpp"
#include "atoll/task/stealing.hpp"
#include "atoll/transport/site_word.hpp"

#include <cstring>
#include <memory>

namespace atl {

// The next functions add tasks that any PE may run.

/// Adds a task that any PE may run. `closure` is a function or a coroutine, and must be trivially
/// copyable. This PE begins its newest stealable task when no other task is ready and a worker is
/// free (see the setting `workers`). An idle PE steals the older half of the tasks that have not
/// begun.
///
/// Tasks and handlers may call this function, which does not block. The enclosing scope waits for
/// the task and for everything the task starts, on any PE. Throws atl::error (out_of_memory).
template <class Closure>
void spawn_stealable(Closure closure, site where = site::current()) {
  tasks::check_closure_in_debug(closure, where);
  tasks::add_stealable(closure, where);
  this_pe().tasks->stealables().share();
}

/// Returns whether this PE has fewer stealable tasks than there are other PEs. If the result is
/// true, a task with much work should spawn a part of its work.
inline bool wants_stealable() {
  const pe& self = this_pe();
  return self.tasks->stealables().tasks().size() + 1 < static_cast<std::uint64_t>(self.size);
}

// The next part is a loop whose iterations any PE may run.

namespace tasks {

/// The iterations [begin, end) of a stealable loop. While the range has more than `grain`
/// iterations, its upper half becomes a new stealable task. The oldest task of a PE, which is
/// stolen first, is therefore the largest.
template <class Body>
struct stealable_part {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t grain;
  Body body;

  task<> operator()() const {
    const site where = this_pe().tasks->current()->spawned_at;
    std::uint64_t stop = end;
    while (stop - begin > grain) {
      const std::uint64_t middle = begin + (stop - begin) / 2;
      spawn_stealable(stealable_part{middle, stop, grain, body}, where);
      stop = middle;
    }
    for (std::uint64_t i = begin; i < stop; ++i) {
      if constexpr (is_task<std::invoke_result_t<const Body&, std::uint64_t>>) {
        co_await body(i);
      } else {
        body(i);
      }
      if (!has_room()) co_await room(where);
    }
  }
};

}  // namespace tasks

/// Runs `body(i)` for each i in [begin, end), on this PE and on idle PEs. Parts of at most `grain`
/// iterations run as one task. Suspends the task until all iterations, and everything they start,
/// have ended. Use this function for unequal work that may run on any PE; use `parallel_for` if the
/// place matters. `body` is a function or a coroutine, and must be trivially copyable. Rethrows the
/// first exception, as `finish` does.
template <class Body>
task<> stealable_for(std::uint64_t begin, std::uint64_t end, Body body, std::uint64_t grain = 1,
                     site where = site::current()) {
  if (begin >= end) co_return;
  const tasks::stealable_part<Body> all{begin, end, std::max<std::uint64_t>(1, grain), body};
  const auto start = [&all, where] { spawn_stealable(all, where); };
  co_await finish(start, where);
}

}  // namespace atl
