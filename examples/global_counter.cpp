// This example builds a new structure on flat combining: a counter that all PEs share. Each task
// that draws a number gets a number that no other task gets. A thousand draws of one PE cost one
// message.

#include <atoll/atoll.hpp>
#include <fmt/core.h>

/// A batch of draws of one PE, which are committed together.
struct counter_proxy {
  using request = std::uint64_t;  // how many numbers a task draws
  using answer = std::uint64_t;   // the first of the numbers that the task gets
  using pending = atl::combine::pending<request, answer>;

  atl::global_address<std::uint64_t> next;

  atl::combine::merged merge(const request&, answer&, std::span<pending>) {
    return atl::combine::merged::waits;
  }

  atl::task<> sync(std::span<pending> batch) {
    std::uint64_t wanted = 0;
    for (const auto& one : batch) wanted += one.request;
    std::uint64_t first = co_await atl::fetch_add(next, wanted);
    for (const auto& one : batch) {
      *one.answer = first;
      first += one.request;
    }
  }
};

atl::task<> program() {
  constexpr std::uint64_t draws = 100'000;
  const auto words = co_await atl::make_array<std::uint64_t>(1);
  const auto times_drawn = co_await atl::make_array<std::uint64_t>(draws);
  const auto counter = co_await atl::flat_combining<counter_proxy>::make(counter_proxy{words[0]});

  const auto draw = [=](std::uint64_t) -> atl::task<> {
    const std::uint64_t number = co_await counter.perform(1);
    atl::async_fetch_add(times_drawn[number], 1);
  };
  co_await atl::parallel_for(draws, draw);

  const auto drawn_twice = co_await atl::make_array<std::uint64_t>(1);
  const auto check = [=](std::uint64_t, std::uint64_t times) {
    if (times != 1) atl::async_fetch_add(drawn_twice[0], 1);
  };
  co_await atl::for_each(times_drawn, check);
  const auto statistics = co_await counter.statistics();
  const std::uint64_t drawn = co_await atl::read(words[0]);
  const std::uint64_t wrong = co_await atl::read(drawn_twice[0]);
  fmt::print("{} numbers drawn, {} not just once\n", drawn, wrong);
  fmt::print("draws per commit: {}\n",
             statistics.operations_per_commit() > 10 ? "more than 10" : "10 or fewer");
}

int main(int argc, char** argv) { return atl::run(argc, argv, program); }
