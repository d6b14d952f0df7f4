#include "atoll/message/untold_failures.hpp"

#include "atoll/base/describe.hpp"
#include "atoll/transport/say.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <string>
#include <utility>

namespace atl::message {

void untold_failures::add(std::exception_ptr failure, site spawned,
                          transport::nanoseconds time) noexcept {
  try {
    all_.push_back({std::move(failure), spawned, time, false});
  } catch (const std::bad_alloc&) {  // who waits for it gets it all the same
  }
}

site untold_failures::drop(const std::exception_ptr& failure) noexcept {
  const auto found = std::ranges::find(all_, failure, &failed::failure);
  if (found == all_.end()) return {};
  const site spawned = found->spawned;
  all_.erase(found);
  return spawned;
}

transport::nanoseconds untold_failures::next() const noexcept {
  transport::nanoseconds first = transport::forever;
  for (const failed& one : all_)
    if (!one.is_told) first = std::min(first, one.time + k_patience);
  return first;
}

void untold_failures::tell_before(int pe, transport::nanoseconds time) {
  for (failed& one : all_) {
    if (one.time > time || std::exchange(one.is_told, true)) continue;
    const std::string task =
        one.spawned.known() ? "the task spawned at " + to_string(one.spawned) : "part of a scope";
    transport::say_lines(
        fmt::format("atoll: PE {}: {} has failed; what waits for it is told when the rest of its "
                    "scope has ended: {}\n",
                    pe, task, describe(one.failure)));
  }
}

}  // namespace atl::message
