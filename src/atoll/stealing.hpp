#pragma once
// Work for the PE that has none: tasks that any PE may run, and loops of such tasks.

#include "atoll/message/engine_inline.hpp"
#include "atoll/task.hpp"
#include "atoll/task/own_addresses.hpp"
#include "atoll/task/shipped_task.hpp"
#include "atoll/task/stealing.hpp"
#include "atoll/transport/travelling_site.hpp"

#include <cstring>
#include <memory>

namespace atl {

// Tasks that any PE may run.

/// Adds a task that any PE may run: a plain function or a coroutine, trivially copyable. This PE
/// begins its newest stealable task when it has nothing else to run and fewer than `--workers` of
/// them are under way; a PE without work gets the oldest half. The enclosing scope waits for it and
/// for all it starts, wherever that is. Returns at once; throws atl::error (out_of_memory). Tasks
/// and handlers.
template <class Closure>
void spawn_stealable(Closure closure, site where = site::current()) {
  tasks::check_closure_in_debug(closure, where);
  tasks::add_stealable(closure, where);
  this_pe().tasks->stealables().share();
}

/// This PE has no stealable task left for each other PE: a task that keeps work to itself should
/// put some out now.
inline bool wants_stealable() {
  const pe& self = this_pe();
  return self.tasks->stealables().tasks().size() + 1 < static_cast<std::uint64_t>(self.size);
}

// A loop whose iterations any PE may run.

namespace tasks {

/// The iterations [begin, end) of a stealable loop. Leaves the upper half of them to a new
/// stealable task as long as there are more than `grain`: so the oldest task of a PE, which is
/// stolen first, is the largest.
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

/// Runs `body(i)` for begin <= i < end, on this PE and on those that have nothing to do, `grain`
/// iterations or fewer in a row, and waits for all and for all they start. For work that is unequal
/// and does not care where it runs; where it does, `parallel_for`. The body is a function or a
/// coroutine; it is trivially copyable.
template <class Body>
task<> stealable_for(std::uint64_t begin, std::uint64_t end, Body body, std::uint64_t grain = 1,
                     site where = site::current()) {
  if (begin >= end) co_return;
  const tasks::stealable_part<Body> all{begin, end, std::max<std::uint64_t>(1, grain), body};
  const auto start = [&all, where] { spawn_stealable(all, where); };
  co_await finish(start, where);
}

}  // namespace atl
