#pragma once
// This file has a collective that runs a coroutine on PE 0 only. Every PE calls the collective and
// gets the result of the coroutine.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/memory/shared_text.hpp"
#include "atoll/synchronization.hpp"

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl {
namespace sync {

/// The other PEs wait at this latch until PE 0 has finished the coroutine.
struct end_of_first {
  latch ended{1};
};

/// The result of the coroutine on PE 0, or the error that the coroutine threw.
template <class T>
struct outcome_of_first {
  T result{};
  std::optional<error> failure;
};

/// Replaces the missing result of a coroutine that returns nothing.
struct no_result {};

template <class T>
using kept_result = std::conditional_t<std::is_void_v<T>, no_result, T>;

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Returns the result of PE 0 on every PE, or throws the error of PE 0 on every PE. Every PE must
/// call this function.
template <class T>
task<T> all_share(outcome_of_first<T> of_first) {
  const std::optional<error> failure = co_await all_share_error(std::move(of_first.failure));
  if (failure) throw error(*failure);
  if constexpr (is_vector<T>) {
    const auto of_all =
        co_await all_gather(std::span<const typename T::value_type>(of_first.result));
    co_return T(of_all[0].begin(), of_all[0].end());
  } else {
    static_assert(std::is_trivially_copyable_v<T>,
                  "what all PEs get is trivially copyable, or a vector of what is");
    co_return co_await all_broadcast(of_first.result);
  }
}

/// Awaits `work()` and stores its result, or the atl::error that it throws. An exception of another
/// type ends the job, because the other PEs wait for the outcome and cannot receive the exception.
template <class Work, class T>
task<> keep_outcome(Work& work, outcome_of_first<T>& outcome) {
  try {
    if constexpr (std::is_same_v<T, no_result>)
      co_await work();
    else
      outcome.result = co_await work();
  } catch (const error& failure) {
    outcome.failure.emplace(failure);
  } catch (...) {
    memory::end_job(std::current_exception());
  }
}

}  // namespace sync

/// Checks that all PEs pass the same `value`. Every PE must call this function. If the values
/// differ, every PE throws atl::error (input). The text of the error begins with `what`, a
/// description of `value`.
inline task<> all_check_same(std::uint64_t value, const char* what, site where = site::current()) {
  const auto values = co_await all_gather(value, where);
  for (std::size_t pe = 1; pe < values.size(); ++pe)
    if (values[pe] != values[0])
      fail(errc::input, "{}: PE {} calls with another value than PE 0; all PEs give the same", what,
           pe);
}

/// Awaits the coroutine `work()` on PE 0. Until the coroutine has ended, the other PEs wait. Every
/// PE must call this function and await it. `work()` may start tasks on all PEs, and the started
/// tasks may call collectives. Every PE gets the result of `work()`. The result must be trivially
/// copyable, or a vector of trivially copyable elements. If `work()` throws an atl::error, every PE
/// throws the error.
template <class Work>
auto all_by_first(Work work, site where = site::current()) -> task<tasks::result_of<Work&>> {
  using result = tasks::result_of<Work&>;
  using kept = sync::kept_result<result>;
  per_pe<sync::end_of_first> waiting;
  if (my_pe() == 0) waiting = co_await per_pe<sync::end_of_first>::make(where);
  waiting = co_await all_broadcast(waiting, 0, where);
  // After the barrier, no PE enters another collective before `work` has ended. All PEs therefore
  // enter the collectives of `work` in the same order.
  co_await all_barrier(where);
  sync::outcome_of_first<kept> outcome;
  if (my_pe() == 0) {
    co_await sync::keep_outcome(work, outcome);
    co_await on_all_pes([waiting] { waiting->ended.count_down(); }, where);
  }
  co_await waiting->ended.wait(where);
  co_await all_barrier(where);
  if (my_pe() == 0) co_await waiting.destroy(where);
  kept of_first = co_await sync::all_share(std::move(outcome));
  if constexpr (!std::is_void_v<result>) co_return of_first;
}

}  // namespace atl
