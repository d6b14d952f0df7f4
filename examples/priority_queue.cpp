// This example builds a new structure on flat combining: a priority queue that all PEs share. A
// standard queue is stored on PE 0. The requests of the tasks of a PE reach it together, many in
// one message.

#include <algorithm>
#include <array>
#include <atoll/atoll.hpp>
#include <fmt/core.h>
#include <optional>
#include <queue>

using smallest_first =
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;

/// An element to add. Without an element, the request removes the smallest element.
using wish = std::optional<std::uint64_t>;
using taken = std::optional<std::uint64_t>;

/// Several requests. At most 32 are sent in one message.
struct several {
  std::array<wish, 32> wishes;
  std::size_t count = 0;
};
using answers = std::array<taken, 32>;

answers do_all(smallest_first& queue, const several& wanted) {
  answers given;
  for (std::size_t i = 0; i < wanted.count; ++i) {
    if (wanted.wishes[i]) {
      queue.push(*wanted.wishes[i]);
    } else if (!queue.empty()) {
      given[i] = queue.top();
      queue.pop();
    }
  }
  return given;
}

struct priority_proxy {
  using request = wish;
  using answer = taken;
  using pending = atl::combine::pending<request, answer>;

  atl::per_pe<smallest_first> queues;

  atl::combine::merged merge(const request&, answer&, std::span<pending>) {
    return atl::combine::merged::waits;
  }

  atl::task<> sync(std::span<pending> batch) {
    for (std::size_t begin = 0; begin < batch.size(); begin += 32) {
      const auto part = batch.subspan(begin, std::min<std::size_t>(32, batch.size() - begin));
      several wanted;
      for (const auto& one : part) wanted.wishes[wanted.count++] = one.request;
      const auto on_owner = [all = queues, wanted] { return do_all(all.local(), wanted); };
      const answers given = co_await atl::call(0, on_owner);
      for (std::size_t i = 0; i < part.size(); ++i) *part[i].answer = given[i];
    }
  }
};

atl::task<> program() {
  constexpr std::uint64_t elements = 10'000;
  const auto queues = co_await atl::per_pe<smallest_first>::make();
  const auto queue = co_await atl::flat_combining<priority_proxy>::make(priority_proxy{queues});

  const auto add = [=](std::uint64_t i) -> atl::task<> {
    co_await queue.do_only(atl::hash(i) % 1'000'000);
  };
  co_await atl::parallel_for(elements, add);

  std::uint64_t found = 0;
  std::uint64_t before = 0;
  bool ascending = true;
  for (auto next = co_await queue.perform({}); next; next = co_await queue.perform({})) {
    ascending = ascending && before <= *next;
    before = *next;
    ++found;
  }
  fmt::print("{} elements, {}\n", found, ascending ? "smallest first" : "not in order");
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
