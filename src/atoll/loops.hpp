#pragma once
// This header runs work on all PEs: one function on every PE, and parallel loops.

#include "atoll/delegates.hpp"
#include "atoll/memory/loop_iterations.hpp"
#include "atoll/task.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <vector>

namespace atl {

/// Runs `body(i)` for each i in [begin, end) as concurrent tasks of this PE. Suspends the task
/// until all iterations, and everything that the iterations start, have ended. `body` is a function
/// or a coroutine, and need not be trivially copyable. Rethrows the first exception, as `finish`
/// does.
template <class Body>
task<> local_parallel_for(std::uint64_t begin, std::uint64_t end, Body body,
                          site where = site::current()) {
  const auto grain = memory::grain_for<Body>(end - begin);
  const auto all = [&] { return memory::run_iterations(begin, end, body, grain, where); };
  co_await finish(all, where);
}

/// Runs `function()` as a task on every PE. One task calls this function, and is suspended until
/// all these tasks, and everything that these tasks start, have ended. `function` must be trivially
/// copyable. Rethrows the first exception, as `finish` does.
template <class Function>
task<> on_all_pes(Function function, site where = site::current()) {
  tasks::refuse_references<Function>();
  return memory::run_on_all_pes(function, where);
}

/// Runs `body(i)` for each i in [0, iterations). PE p runs the p-th part of the range, which
/// `make_array` divides in the same way. One task calls this function, and is suspended until all
/// iterations, and everything that the iterations start, have ended. `body` is a function or a
/// coroutine, and must be trivially copyable. Rethrows the first exception, as `finish` does.
template <class Body>
task<> parallel_for(std::uint64_t iterations, Body body, site where = site::current()) {
  memory::refuse_references_in_loop<Body>();
  const auto part = [iterations, body, where = transport::travelling_site(where)] {
    const auto share = memory::share_of_this_pe(iterations);
    return local_parallel_for(share.begin, share.end, body, where);
  };
  return memory::run_on_all_pes(part, where);
}

/// Runs `body(i, element)` for every element of a global array or vertex array, on the PE that owns
/// the element. One task calls this function, and is suspended until all iterations, and everything
/// that the iterations start, have ended. `body` must be trivially copyable. Rethrows the first
/// exception, as `finish` does.
template <class Array, class Body>
task<> for_each(Array array, Body body, site where = site::current()) {
  memory::refuse_references_in_loop<Body>();
  const auto part = [array, body, where = transport::travelling_site(where)] {
    const auto elements = array.local(where);
    const auto one = [array, body, elements](std::uint64_t k) {
      return body(array.index_of_local(k), elements[k]);
    };
    return local_parallel_for(0, elements.size(), one, where);
  };
  return memory::run_on_all_pes(part, where);
}

}  // namespace atl
