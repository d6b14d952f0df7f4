#include "atoll/combine/gate.hpp"

namespace atl::combine {

void gate::check_both() {
  if (leading) std::move(*leading).operator co_await().await_resume();
  if (failure) std::rethrow_exception(failure);
}

tasks::frame& run_before(gate& at, task<> commit) {
  tasks::frame& suspended = *std::exchange(at.waiting, nullptr);
  at.leading.emplace(std::move(commit));
  auto begin = std::move(*at.leading).operator co_await();
  const auto first =
      begin.await_suspend(std::coroutine_handle<tasks::frame>::from_promise(suspended));
  return std::coroutine_handle<tasks::frame>::from_address(first.address()).promise();
}

}  // namespace atl::combine
