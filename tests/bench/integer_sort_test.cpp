// Tests the NAS IS benchmark. The tests that NAS defines must succeed, and the verification of
// Atoll must find wrong keys.

#include "bench/integer_sort.hpp"

#include "atoll/kernels/sort/part.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

namespace atl::bench::integer_sort {
namespace {

using testing::HasSubstr;

/// Runs class S twice, calls `spoil(part)` on each PE, and verifies the result. Returns the error
/// of the verification, or "".
template <class Spoil>
task<std::string> complaint_after(Spoil spoil) {
  const auto of = *nas_class_of('S');
  const global_keys keys = co_await make_nas_keys(of);
  // The second run starts with the same keys as the first run.
  for (int time = 0; time < 2; ++time) {
    const outcome found = co_await from_all_pes([=] { return all_run(keys, of); });
    EXPECT_EQ(found.tests_passed, 50u);
    EXPECT_TRUE(found.passed());
    EXPECT_EQ(found.keys, 65536u);
    EXPECT_LE(found.most_of_pe, 65536u / static_cast<unsigned>(pes()) * 11 / 10);
  }
  co_await on_all_pes(
      [=] { keys.on_width([&](const auto& all) { spoil(all.parts.local().sorted); }); });
  std::string complaint;
  try {
    co_await verify_nas_keys(keys, of);
  } catch (const error& wrong) {
    EXPECT_EQ(wrong.code(), errc::wrong_result);
    complaint = wrong.what();
  }
  co_await keys.destroy();
  co_return complaint;
}

class nas_sort : public test::on_pes {};

TEST_P(nas_sort, passes_both_verifications) {
  run([]() -> task<> {
    const auto complaint = co_await complaint_after([](auto&) {});
    EXPECT_EQ(complaint, "");
  });
}

TEST_P(nas_sort, finds_another_key) {
  run([]() -> task<> {
    const auto other = [](auto& sorted) { sorted.back() += my_pe() == pes() - 1 ? 1 : 0; };
    const auto complaint = co_await complaint_after(other);
    EXPECT_THAT(complaint, HasSubstr("other keys than those of the input"));
  });
}

TEST_P(nas_sort, finds_two_keys_that_changed_places) {
  run([]() -> task<> {
    const auto swap = [](auto& sorted) {
      if (my_pe() == pes() - 1) std::swap(sorted.front(), sorted.back());
    };
    const auto complaint = co_await complaint_after(swap);
    EXPECT_THAT(complaint, HasSubstr("smaller than the one before"));
    EXPECT_THAT(complaint, testing::Not(HasSubstr("other keys")));
  });
}

ATOLL_RUN_ON_ALL(nas_sort);

TEST(sort_nas, tests_of_classes_are_within_them) {
  for (const auto& each : nas_classes())
    for (const auto& test : each.tests) {
      EXPECT_LT(test.index, each.keys());
      EXPECT_LT(test.rank_in(1), static_cast<std::int64_t>(each.keys()));
      EXPECT_GE(test.rank_in(1), 0);
    }
}

TEST(sort_nas, both_forms_of_the_generator_agree) {
  const auto& of = *nas_class_of('B');
  nas_keys from(of, 123456);
  defined_keys defined(of, 123456);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(from.next(), defined());
}

}  // namespace
}  // namespace atl::bench::integer_sort
