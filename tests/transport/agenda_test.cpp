// Tests the agenda, which decides the order in which simulated PEs run. An ordered set computes the
// expected order.

#include "atoll/transport/sim/agenda.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <tuple>

using namespace atl::transport;
using sim::agenda;

namespace {

struct both {
  explicit both(int pes) : tested(pes), times(static_cast<std::size_t>(pes), forever) {}

  nanoseconds& time_of(int pe) { return times[static_cast<std::size_t>(pe)]; }

  void add(int pe, nanoseconds time) {
    tested.add(pe, time);
    right.emplace(time_of(pe) = time, pe);
  }

  void hasten(int pe, nanoseconds time) {
    tested.hasten(pe, time);
    if (time >= time_of(pe) || right.erase({time_of(pe), pe}) == 0) return;
    right.emplace(time_of(pe) = time, pe);
  }

  int take() {
    const auto [time, pe] = *right.begin();
    right.erase(right.begin());
    EXPECT_EQ(tested.earliest(), time);
    const agenda::entry taken = tested.take();
    EXPECT_EQ(std::tie(taken.time, taken.pe), std::tie(time, pe));
    return pe;
  }

  agenda tested;
  std::vector<nanoseconds> times;
  std::set<std::pair<nanoseconds, int>> right;
};

void go_on_in_order(int pes) {
  std::mt19937_64 random(static_cast<std::uint64_t>(pes));
  const auto below = [&](auto most) { return static_cast<nanoseconds>(random() % most); };
  both all(pes);
  for (int pe = 0; pe < pes; ++pe) all.add(pe, below(8U));
  for (int i = 0; i < 20'000; ++i) {
    const int ran = all.take();
    const nanoseconds last = all.time_of(ran);
    // If all PEs wait forever, the test continues at time 0.
    const nanoseconds now = last == forever ? 0 : last;
    const auto other = static_cast<int>(below(static_cast<unsigned>(pes)));
    all.hasten(other, now + below(4U));  // has no effect on the running PE
    all.add(ran, below(5U) == 0 ? forever : now + below(50U));
  }
  for (int pe = 0; pe < pes; ++pe) all.take();
  EXPECT_TRUE(all.tested.empty());
  EXPECT_EQ(all.tested.earliest(), forever);
}

TEST(agenda, gives_the_earliest_and_the_lowest_of_equals) {
  for (const int pes : {1, 2, 5, 6, 7, 64, 1'001}) go_on_in_order(pes);
}

}  // namespace
