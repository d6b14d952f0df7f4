// Tests that a waiting request for a reservation is overtaken at most as often as --unfairness
// says. A reservation moves from PE to PE, and only requests of its owner may overtake. The limit
// must hold even if the reservation moves while the request waits.

#include "atoll/event.hpp"
#include "support/run_on.hpp"

#include <vector>

using namespace atl;

namespace {

constexpr std::uint64_t k_most = 5;  // the value of --unfairness
// Within this simulated time, all messages arrive.
constexpr transport::nanoseconds k_while = 100'000'000;

/// Makes `times` requests on this PE, and releases each request as soon as it is granted.
void ask_often(const reservation& door, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    const event held = door.acquire();
    if (!held.has_triggered()) (void)door.release(held, held);
  }
}

/// PE 0 owns the reservation, PE 1 waits for it, and the last PE waits behind PE 1. Requests of PE
/// 0 overtake PE 1 and the last PE `first` times, before PE 1 becomes the owner. Requests of PE 1
/// may overtake the last PE only until the last PE has been overtaken `k_most` times.
task<> overtake_twice(std::uint64_t first) {
  const reservation door = make_reservation();
  co_await door.acquire();
  const auto ask_on_one = [door] { ask_often(door, 2 * k_most); };
  co_await call(1, ask_on_one);
  co_await sleep_for(k_while);
  std::uint64_t before_last = 0;
  const auto ask_on_last = [door, to = &before_last] {
    spawn([door, to]() -> task<> {
      co_await door.acquire();
      *to = (co_await call(1, [] { return local_reservation_statistics(); })).grants;
      door.release();
    });
  };
  co_await call(pes() - 1, ask_on_last);
  co_await sleep_for(k_while);
  ask_often(door, first);
  door.release();
  co_await sleep_for(k_while);
  EXPECT_EQ(local_reservation_statistics().grants, 1 + first);
  EXPECT_EQ(before_last, 1 + k_most - first) << "the first of PE 1 came in its turn";
}

/// PE 0 holds the reservation, and makes more requests before and after a request of the last PE.
/// PE 0 withdraws the requests. Withdrawn requests must not count, so the last PE is still
/// overtaken `k_most` times.
task<> withdraw_some(bool before_it_asks) {
  constexpr std::size_t k_some = 3;
  const reservation door = make_reservation();
  co_await door.acquire();
  std::vector<event> asked;
  for (std::size_t i = 0; i < k_some; ++i) asked.push_back(door.acquire());
  const auto withdraw_all = [&asked]() -> task<> {
    for (const event each : asked) EXPECT_TRUE(co_await withdraw(each));
  };
  if (before_it_asks) co_await withdraw_all();
  std::uint64_t before_other = 0;
  const auto ask_on_other = [door, to = &before_other] {
    spawn([door, to]() -> task<> {
      co_await door.acquire();
      *to = (co_await call(0, [] { return local_reservation_statistics(); })).grants;
      door.release();
    });
  };
  co_await call(pes() - 1, ask_on_other);
  co_await sleep_for(k_while);
  const event later = door.acquire();
  if (!before_it_asks) co_await withdraw_all();
  EXPECT_TRUE(co_await withdraw(later));
  ask_often(door, 4 * k_most);
  door.release();
  co_await sleep_for(k_while);
  EXPECT_EQ(before_other, 1 + k_most) << before_it_asks;
}

TEST(overtaken_requests, are_counted_without_those_that_were_withdrawn) {
  for (const int pes : {2, 3, 7})
    for (const std::uint64_t seed : test::seeds(3))
      for (const bool before_it_asks : {false, true}) {
        settings options = test::simulated_job_of(pes, seed);
        options.unfairness = k_most;
        test::run_on(options, [before_it_asks]() -> task<> {
          const auto withdraw_them = [before_it_asks] { return withdraw_some(before_it_asks); };
          co_await finish(withdraw_them);
        });
      }
}

TEST(overtaken_requests, are_counted_when_the_reservation_goes_to_another_pe) {
  for (const int pes : {3, 4, 7})
    for (const std::uint64_t seed : test::seeds(3))
      for (std::uint64_t first = 0; first <= k_most; ++first) {
        settings options = test::simulated_job_of(pes, seed);
        options.unfairness = k_most;
        test::run_on(options, [first]() -> task<> {
          const auto overtake = [first] { return overtake_twice(first); };
          co_await finish(overtake);
        });
      }
}

}  // namespace
