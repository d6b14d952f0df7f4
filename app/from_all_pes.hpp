#pragma once
// Work that all PEs do together, as the main task of a job sees it.

#include "app/command.hpp"
#include "atoll/atoll.hpp"

#include <optional>

namespace atoll::app {

/// Ends the job, on any PE, after saying why.
void end_job(const std::exception_ptr& failure);

/// Awaits `body()`, a coroutine with collectives, on every PE. What it throws on one of them ends
/// the job: the others would wait for that PE for ever. The main task of PE 0 calls it.
template <class Body>
task<> together(Body body) {
  const auto on_each = [body]() -> task<> {
    std::exception_ptr failure;
    try {
      co_await body();
    } catch (const transport::job_ended&) {
      throw;
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) end_job(failure);
  };
  co_await on_all_pes(on_each);
}

/// As `together`; returns what `body()` returned on PE 0.
template <class Body>
auto from_all_pes(Body body) -> task<tasks::result_of<const Body&>> {
  std::optional<tasks::result_of<const Body&>> result;
  const auto keep_on_pe_0 = [body, to = &result]() -> task<> {
    auto mine = co_await body();
    if (my_pe() == 0) to->emplace(std::move(mine));
  };
  co_await together(keep_on_pe_0);
  co_return std::move(*result);
}

}  // namespace atoll::app
