// Searches the large trees that the authors of UTS published, and each small tree on all kinds of
// jobs.

#include "bench/uts.hpp"

#include "support/run_on.hpp"

namespace atl::bench::uts {
namespace {

class uts_large : public test::on_pes {};

TEST_P(uts_large, finds_the_published_trees) {
  for (const auto* name : {"T1L", "T2L", "T3L"}) {
    for (const join_at join : {join_at::whole, join_at::vertex}) {
      const parameters chosen{*find_tree(name), join, 0};
      outcome result;
      const auto search = [&]() -> task<> { result = co_await measure(chosen); };
      // The job runs without the watch-dog, because a slow machine needs minutes.
      EXPECT_EQ(run_job(options, search), 0);
      EXPECT_EQ(result.complaint(chosen.tree.published), "") << name;
    }
  }
}

// Jobs of threads and simulated jobs search only the small trees (uts_test.cpp), because a search
// of a hundred million vertices takes them too long.
INSTANTIATE_TEST_SUITE_P(
    on, uts_large,
    testing::Values(test::shape{1, pe_kind::process}, test::shape{2, pe_kind::process},
                    test::shape{3, pe_kind::process}, test::shape{4, pe_kind::process},
                    test::shape{7, pe_kind::process}, test::shape{8, pe_kind::process}),
    test::shape_name);

class uts_small : public test::on_pes {};

TEST_P(uts_small, finds_all_published_trees) {
  for (const auto* name : {"T1", "T2", "T3", "T4", "T5"}) {
    const parameters chosen{*find_tree(name), join_at::whole, 0};
    outcome result;
    run([&]() -> task<> { result = co_await measure(chosen); });
    EXPECT_EQ(result.complaint(chosen.tree.published), "") << name;
  }
}

ATOLL_RUN_ON_ALL(uts_small);

}  // namespace
}  // namespace atl::bench::uts
