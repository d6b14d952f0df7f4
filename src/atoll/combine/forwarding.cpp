#include "atoll/combine/forwarding.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <string>

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

namespace {

std::span<const std::byte> first_bytes(const std::string& text, std::size_t most) {
  return std::as_bytes(std::span(text)).first(std::min(text.size(), most));
}

void copy_to(std::uint64_t address, std::span<const std::byte> bytes) {
  if (!bytes.empty())
    std::memcpy(reinterpret_cast<std::byte*>(address), bytes.data(), bytes.size());
}

}  // namespace

void forwarded_failure::operator()(std::span<const std::byte> payload) const {
  auto text = payload;
  if (answer_bytes != 0) {
    text = payload.subspan(answer_bytes + requests);
    if (to.failed_word != 0) {
      copy_to(to.answers_word, payload.first(answer_bytes));
      copy_to(to.failed_word, payload.subspan(answer_bytes, requests));
    }
  } else if (to.failed_word != 0) {
    std::memset(reinterpret_cast<std::byte*>(to.failed_word), 1, requests);
  }
  to.at().one_failed(
      carried_failure(code, {reinterpret_cast<const char*>(text.data()), text.size()}));
}

void return_failure(int asker, return_address to, std::uint32_t requests,
                    std::span<std::byte> results, const std::exception_ptr& failure) {
  const auto text = describe(failure);
  const auto said = first_bytes(text, k_text_of_failure);
  const std::size_t served = results.size() - k_text_of_failure;
  std::ranges::copy(said, results.begin() + static_cast<std::ptrdiff_t>(served));
  const forwarded_failure sent{to, carried_code(failure), requests,
                               static_cast<std::uint32_t>(served - requests)};
  this_pe().messages->send_with<message::traffic::owed>(
      asker, sent, results.first(served + said.size()), site::current());
}

void refuse_all(int asker, return_address to, std::uint32_t requests,
                const std::exception_ptr& failure) {
  const auto text = describe(failure);
  this_pe().messages->send_with<message::traffic::owed>(
      asker, forwarded_failure{to, carried_code(failure), requests, 0},
      first_bytes(text, k_text_of_failure), site::current());
}

}  // namespace atl::combine
