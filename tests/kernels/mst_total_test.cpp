// Sums of weights are exact, whatever their size and sign, and on any number of PEs.

#include "atoll/kernels/mst/part.hpp"

#include "atoll/kernels/mst/agreement.hpp"
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

mst::run_outcome outcome_of(std::uint64_t edges, int128 weight) {
  mst::run_outcome found;
  found.forest_edges = edges;
  found.weight = exact_total(weight);
  return found;
}

TEST(mst_total, of_two_runs_that_disagree_is_wrong) {
  const auto of = [](const mst::run_outcome& one) {
    return mst::disagreement(std::vector{one, outcome_of(2, 7)}, std::nullopt);
  };
  EXPECT_EQ(of(outcome_of(2, 7)), "");
  EXPECT_EQ(of(outcome_of(2, 8)),
            "two trials differ: one has 2 edges of weight 8, the last has 2 edges of weight 7");
  EXPECT_EQ(of(outcome_of(3, 7)),
            "two trials differ: one has 3 edges of weight 7, the last has 2 edges of weight 7");
}

TEST(mst_total, of_a_run_that_its_forest_does_not_have_is_wrong) {
  mst::forest_check<std::int64_t> check;
  check.edges = check.expected_edges = 2;
  check.weight = int128{1} << 64;
  const auto of = [&](std::uint64_t edges, int128 weight) {
    return mst::disagreement(std::vector{outcome_of(edges, weight)}, check);
  };
  EXPECT_EQ(of(2, int128{1} << 64), "");
  EXPECT_EQ(of(2, -2), "wrong total: the run counted 2 edges of weight -2, and its forest has 2 "
                       "edges of weight 18446744073709551616");
  EXPECT_NE(of(3, int128{1} << 64), "");
  check.fault = mst::forest_fault::missing;
  check.edge = {1, 2, 7};
  EXPECT_EQ(of(2, int128{1} << 64).substr(0, 57),
            "wrong forest: the edge 1 - 2 of weight 7 is missing; 2 ed");
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
