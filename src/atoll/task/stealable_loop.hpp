#pragma once
// A loop whose iterations any PE may run.

#include "atoll/task/awaitables.hpp"
#include "atoll/task/scope.hpp"
#include "atoll/task/stealable.hpp"

namespace atl {
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
