// Tests that sorted keys are the keys of the input in order, on any number of PEs and with any
// repetitions. No PE may get much more than its share.

#include "kernels/sort_job.hpp"
#include "support/refusal.hpp"

#include <gmock/gmock.h>

namespace {

using namespace sort_job;

/// With 0, each piece is put separately, also between nodes.
constexpr std::uint64_t k_fewest_put[] = {1024, 0};

/// Sorts by stores, in the form that `compare` and `run_class` need.
constexpr auto k_by_stores = [](auto all, auto... of) { return sorting::all_run(all, of...); };

class key_sort : public test::on_pes {};

TEST_P(key_sort, orders_keys_of_32_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_inputs)
      for (const auto fewest : k_fewest_put)
        co_await compare<std::uint32_t>(each, k_by_stores, fewest);
  });
}

TEST_P(key_sort, orders_keys_of_64_bits_as_the_standard_library) {
  run([]() -> task<> {
    for (const auto& each : k_wide_inputs)
      for (const auto fewest : k_fewest_put)
        co_await compare<std::uint64_t>(each, k_by_stores, fewest);
  });
}

TEST_P(key_sort, passes_both_verifications_of_nas) {
  run([]() -> task<> {
    std::uint64_t passed = 0;
    const auto check = co_await run_class(k_by_stores, &passed, [](auto&) {});
    EXPECT_EQ(passed, 50u);
    EXPECT_EQ(check.complaint(), "");
    EXPECT_EQ(check.output.keys, 65536u);
  });
}

TEST_P(key_sort, finds_another_key_and_two_that_changed_places) {
  run([]() -> task<> {
    std::uint64_t passed = 0;
    const auto other = [](auto& mine) {
      mine.sorted[mine.size() - 1] += my_pe() == pes() - 1 ? 1 : 0;
    };
    const auto check = co_await run_class(k_by_stores, &passed, other);
    EXPECT_EQ(check.complaint(), "other keys than those of the input");
    const auto swapped = [](auto& mine) {
      if (my_pe() == pes() - 1) std::swap(mine.sorted[0], mine.sorted[mine.size() - 1]);
    };
    const auto disorder = co_await run_class(k_by_stores, &passed, swapped);
    EXPECT_GE(disorder.misplaced, 1u);
    EXPECT_TRUE(disorder.input == disorder.output);
  });
}

TEST(sort_nas, tests_of_classes_are_within_them) {
  for (const auto& each : atl::nas_classes())
    for (const auto& test : each.tests) {
      EXPECT_LT(test.index, each.keys());
      EXPECT_LT(test.rank_in(1), static_cast<std::int64_t>(each.keys()));
      EXPECT_GE(test.rank_in(1), 0);
    }
}

TEST(sort_nas, both_forms_of_the_generator_agree) {
  atl::nas_keys from(*atl::nas_class_of('B'), 123456);
  sorting::nas_reals reals;
  reals.skip(4 * 123456);
  for (int i = 0; i < 1000; ++i) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += reals.next();
    EXPECT_EQ(from.next(), static_cast<std::uint64_t>(sum * 524288));
  }
}

ATOLL_RUN_ON_ALL(key_sort);

// This test checks only counts, since a PE with this many keys of one bucket would need 16 GiB.
TEST(sort_counts, are_refused_where_they_do_not_fit_as_they_travel) {
  test::run_alone([]() -> task<> {
    constexpr std::uint64_t most = 0xffff'ffff;
    const std::vector<std::uint64_t> fit = {0, most, 7}, beyond = {1, most + 1};
    EXPECT_EQ(kernels::sort::narrow_counts(fit), (std::vector<std::uint32_t>{0, most, 7}));
    EXPECT_THAT(test::refusal_of([&] { kernels::sort::narrow_counts(beyond); }),
                testing::HasSubstr("PE 0 has 4294967296 keys of one bucket"));
    co_return;
  });
}

}  // namespace
