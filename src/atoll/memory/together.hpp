#pragma once
// Work that all PEs do together, with collectives, as one task sees it.

#include "atoll/memory/collective_state.hpp"
#include "atoll/memory/loops.hpp"

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace atl {

namespace memory {

/// Ends the job, on any PE, after saying why.
void end_job(const std::exception_ptr& failure);

/// One of the tasks that call, or that do their PE's part of a call, as long as this lives.
class named_task {
 public:
  named_task(std::vector<collective_state::task_of_call>& among, const caller& of);
  ~named_task();
  named_task(const named_task&) = delete;
  named_task& operator=(const named_task&) = delete;

 private:
  std::vector<collective_state::task_of_call>* among_;
  const tasks::root* task_;
};

/// As long as it lives, what its task has all PEs do counts as a part of this call, which errors
/// name. Where the task is in such a call already, that one goes on.
class named_call {
 public:
  named_call(const call_of_one& call, site where);

 private:
  std::optional<named_task> task_;
};

/// The call that the work of this task on all PEs is a part of.
begun_call call_here(site where);

/// Awaits the task that `begin(body)` returns, a part of a call. An exception of either ends the
/// job, on any PE, and is said before.
task<> ending_the_job(task<> (*begin)(const void* body), const void* body, begun_call call);

}  // namespace memory

/// Awaits `body()`, a coroutine with collectives, on every PE. What it throws on one of them ends
/// the job, with the exit status of the exception: the others would wait for that PE for ever. One
/// task of the job calls it, and no PE is in another collective meanwhile, which ends the job with
/// an error (input). Blocks the task.
template <class Body>
task<> together(Body body, site where = site::current()) {
  static_assert(std::is_void_v<tasks::result_of<const Body&>>, "from_all_pes returns a result");
  const auto begin = [](const void* own) { return (*static_cast<const Body*>(own))(); };
  return on_all_pes(
      [body, begin, call = memory::call_here(where)] {
        return memory::ending_the_job(begin, &body, call);
      },
      where);
}

/// As `together`; returns what `body()` returned on the PE of the task that calls it.
template <class Body>
auto from_all_pes(Body body, site where = site::current()) -> task<tasks::result_of<const Body&>> {
  std::optional<tasks::result_of<const Body&>> result;
  const auto keep_here = [body, to = tasks::own_pointer(&result), here = my_pe()]() -> task<> {
    auto mine = co_await body();
    if (my_pe() == here) to.get()->emplace(std::move(mine));
  };
  co_await together(keep_here, where);
  co_return std::move(*result);
}

}  // namespace atl
