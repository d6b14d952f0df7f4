// Jobs have many more PEs than cores, and each PE has little to do.

#include "support/mapping_flags.hpp"
#include "support/run_on.hpp"

using namespace atl;

namespace {

#ifndef ATOLL_SANITIZED  // With a sanitizer, 256 PEs need too much memory.

constexpr int k_many = 256;

class many_pes : public testing::TestWithParam<pe_kind> {};

TEST_P(many_pes, reach_each_other_and_end) {
  test::run_on(test::job_of(k_many, GetParam()), []() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(pes());
    co_await on_all_pes([=] {
      for (int pe = 0; pe < pes(); ++pe) async_fetch_add(words[pe], 1);
    });
    co_await for_each(words, [](std::uint64_t, std::uint64_t& arrived) {
      EXPECT_EQ(arrived, static_cast<std::uint64_t>(pes()));
    });
  });
}

INSTANTIATE_TEST_SUITE_P(kinds, many_pes, testing::Values(pe_kind::process, pe_kind::thread),
                         [](const auto& tested) {
                           return tested.param == pe_kind::process ? "processes" : "threads";
                         });

/// The kernel clears a whole huge page when the page is touched for the first time. For a PE with
/// little data, clearing would take longer than everything else.
TEST(memory_of_a_pe, is_in_huge_pages_only_where_there_is_much) {
  for (const int number : {1, 3}) {
    test::run_spmd_on(test::job_of(number), []() -> task<> {
      const auto few = co_await make_array<std::uint64_t>(64 * pes());
      const auto many = co_await make_array<std::uint64_t>((std::uint64_t{1} << 19) * pes());
      co_await all_barrier();
      const std::string of_few = test::flags_of_mapping(few.local().data());
      const std::string of_many = test::flags_of_mapping(many.local().data());
      EXPECT_TRUE(of_few != "" && of_many != "");
      EXPECT_EQ(of_few.find(" hg "), of_few.npos) << of_few;
      EXPECT_NE(of_many.find(" hg "), of_many.npos) << of_many;
    });
  }
}

#endif

}  // namespace
