#pragma once
// Collective forms of calls that one task makes.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/synchronization.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace atl {
namespace sync {

/// PE 0 has ended what it does for all.
struct end_of_first {
  latch ended{1};
};

/// What the call of PE 0 returned, or the error it threw.
template <class T>
struct outcome_of_first {
  T result{};
  std::optional<error> failure;
};

/// Gives all PEs the outcome of PE 0. Every PE calls it. Throws the error, on every PE.
template <class T>
task<T> all_share(outcome_of_first<T> of_first) {
  static_assert(std::is_trivially_copyable_v<T>, "what all PEs get is trivially copyable");
  const std::optional<error> failure = co_await all_share_error(std::move(of_first.failure));
  if (failure) throw error(*failure);
  co_return co_await all_broadcast(of_first.result);
}

/// Another exception than an `error` ends the job: the other PEs would wait for ever.
template <class Work, class T>
task<> keep_outcome(Work& work, outcome_of_first<T>& outcome) {
  try {
    outcome.result = co_await work();
  } catch (const error& failure) {
    outcome.failure.emplace(failure);
  } catch (...) {
    memory::end_job(std::current_exception());
  }
}

}  // namespace sync

/// Every PE calls it. Throws atl::error (input) that names `what`, on every PE, where they do not
/// all give the same value.
inline task<> all_check_same(std::uint64_t value, const char* what, site where = site::current()) {
  const auto values = co_await all_gather(value, where);
  for (std::size_t pe = 1; pe < values.size(); ++pe)
    if (values[pe] != values[0])
      fail(errc::input, "{}: PE {} calls with another value than PE 0; all PEs give the same", what,
           pe);
}

/// Calls `work()`, a coroutine as one task calls it, on PE 0, while the others wait; it may use all
/// PEs, also by collectives. Returns its result on every PE. Every PE calls it. Blocks the task.
/// Throws what `work()` throws as an `error`, on every PE.
template <class Work>
auto all_by_first(Work work, site where = site::current()) -> task<tasks::result_of<Work&>> {
  using result = tasks::result_of<Work&>;
  per_pe<sync::end_of_first> waiting;
  if (my_pe() == 0) waiting = co_await per_pe<sync::end_of_first>::make(where);
  waiting = co_await all_broadcast(waiting, 0, where);
  co_await all_barrier(where);  // no PE comes to another collective before those of `work`
  sync::outcome_of_first<result> outcome;
  if (my_pe() == 0) {
    co_await sync::keep_outcome(work, outcome);
    co_await on_all_pes([waiting] { waiting->ended.count_down(); }, where);
  }
  co_await waiting->ended.wait(where);
  co_await all_barrier(where);
  if (my_pe() == 0) co_await waiting.destroy(where);
  co_return co_await sync::all_share(std::move(outcome));
}

}  // namespace atl
