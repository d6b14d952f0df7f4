// Tests that the total weight of a forest is exact for weights of any size and sign, on any number
// of PEs.

#include "atoll/kernels/mst/part.hpp"

#include "atoll/kernels/mst/exchange.hpp"
#include "kernels/mst_job.hpp"

namespace {

using namespace mst_job;
using mst::exact_total;
using mst::int128;

constexpr std::uint64_t k_most = std::numeric_limits<std::uint64_t>::max();

TEST(mst_total, holds_what_was_added) {
  const int128 most = k_most;
  for (const int128 value : {int128{0}, int128{1}, int128{-1}, most, -most, most + 1, -most - 1,
                             most << 62, -(most << 62)}) {
    exact_total total(value);
    EXPECT_TRUE(total.value() == value);
    total += value;
    EXPECT_TRUE(total.value() == 2 * value);
    total += -value;
    EXPECT_TRUE(total == exact_total(value));
  }
}

class mst_totals : public test::on_pes {};

TEST_P(mst_totals, are_carried_from_word_to_word) {
  const auto check = [](exact_total mine) -> task<> {
    const auto add = [mine]() -> task<> {
      mst::exchange_basis others;
      const auto total = co_await mst::all_total(mine, others);
      EXPECT_TRUE(total == mine.value() * pes());
    };
    co_await together(add);
  };
  run([&]() -> task<> {
    for (const int128 mine : {int128{0}, int128{1}, int128{0xffff'ffff}, int128{k_most},
                              int128{k_most} + 1, int128{k_most} << 32, int128{k_most} << 48})
      co_await check(exact_total(mine));
  });
}

ATOLL_RUN_ON_ALL(mst_totals);

}  // namespace
