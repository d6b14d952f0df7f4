#include "atoll/message/untold_failures.hpp"

#include "atoll/error.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <utility>

namespace atl::message {

void untold_failures::add(std::exception_ptr failure, site spawned,
                          transport::nanoseconds time) noexcept {
  ++untold_;
  more_ = untold_ > k_many ? more_ + 1 : 0;
  if (kept_.size() == k_kept) return;
  try {
    const errc code = carried_code(failure);
    const bool is_refusal = code == errc::overflow || code == errc::out_of_memory;
    kept_.push_back({std::move(failure), spawned, time, is_refusal});
  } catch (const std::bad_alloc&) {
    // If there is no memory to store `failure`, the failure is only counted; the waiting task still
    // gets the failure.
  }
}

site untold_failures::drop(const std::exception_ptr& failure) noexcept {
  const auto found = std::ranges::find(kept_, failure, &failed::failure);
  if (found == kept_.end()) {
    if (untold_ > kept_.size()) --untold_;
    return {};
  }
  const site spawned = found->spawned;
  kept_.erase(found);
  --untold_;
  return spawned;
}

bool untold_failures::are_too_many(transport::nanoseconds time) const noexcept {
  if (kept_.empty() || untold_ < k_many) return false;
  return more_ >= k_more || kept_.front().time + k_patience <= time;
}

bool untold_failures::is_old_refusal(transport::nanoseconds time) const noexcept {
  return !kept_.empty() && kept_.front().is_refusal &&
         kept_.front().time + k_patience_with_refusal <= time;
}

void untold_failures::throw_first() const {
  const failed& first = kept_.front();
  const std::string task =
      first.spawned.known() ? fmt::format(" (in the task spawned at {})", to_string(first.spawned))
                            : "";
  throw error(
      carried_code(first.failure),
      fmt::format("{}{}; {} more parts of scopes have failed on this PE since, and no scope "
                  "has ended that could be told of it",
                  describe(first.failure), task, untold_ - 1));
}

void untold_failures::look(int pe, transport::nanoseconds time, bool has_much) {
  looked_ = time;
  if (are_too_many(time) || (has_much && is_old_refusal(time))) throw_first();
  tell_before(pe, time - k_patience);
}

void untold_failures::tell_all(int pe) {
  tell_before(pe, transport::forever);
  const auto said = static_cast<std::uint64_t>(std::ranges::count(kept_, true, &failed::is_said));
  if (untold_ == said) return;
  transport::say_lines(
      fmt::format("atoll: PE {}: {} more parts of scopes have failed\n", pe, untold_ - said));
}

transport::nanoseconds untold_failures::next() const noexcept {
  transport::nanoseconds first = transport::forever;
  for (const failed& one : kept_)
    if (!one.is_due) first = std::min(first, one.time + k_patience);
  if (!kept_.empty() && kept_.front().is_refusal && !is_old_refusal(looked_))
    first = std::min(first, kept_.front().time + k_patience_with_refusal);
  return first;
}

bool untold_failures::is_news(const std::string& text) {
  if (texts_.size() == k_most_texts || std::ranges::find(texts_, text) != texts_.end())
    return false;
  texts_.push_back(text);
  return true;
}

void untold_failures::tell_before(int pe, transport::nanoseconds time) {
  for (failed& one : kept_) {
    if (one.time > time || std::exchange(one.is_due, true)) continue;
    const std::string task =
        one.spawned.known() ? "the task spawned at " + to_string(one.spawned) : "part of a scope";
    const std::string text =
        fmt::format("atoll: PE {}: {} has failed; what waits for it is told when the rest of its "
                    "scope has ended: {}\n",
                    pe, task, describe(one.failure));
    one.is_said = is_news(text);
    if (one.is_said) transport::say_lines(text);
  }
}

}  // namespace atl::message
