// Some calls are made by one task on behalf of all PEs. The job ends with status 2 if another PE is
// in a call on behalf of all PEs, or in a collective call, at the same time. The error message
// names the source lines of the two overlapping calls.

#include "atoll/atoll.hpp"
#include "atoll/collectives.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

using namespace atl;
using testing::HasSubstr;

namespace {

class overlapping_calls : public test::on_pes {
 protected:
  /// Runs `program` on every PE, and checks the message that ends the job.
  void expect_told(const main_function& program, const std::vector<std::string>& says) {
    const test::captured_stderr captured;
    EXPECT_EQ(test::status_of(options, program, true), 2);
    const std::string text = captured.text();
    for (const auto& each : says) EXPECT_THAT(text, HasSubstr(each));
  }
};

std::string at(unsigned line) { return "overlapping_calls_test.cpp:" + std::to_string(line); }

/// Makes an array of 300 numbers in a call on behalf of all PEs.
task<global_array<std::uint64_t>> all_make() {
  global_array<std::uint64_t> array;
  if (my_pe() == 0) array = co_await make_array<std::uint64_t>(300);
  co_return co_await all_broadcast(array);
}

TEST_P(overlapping_calls, of_all_pes_name_the_form_that_every_pe_calls) {
  const auto sort_on_all = []() -> task<> {
    const auto array = co_await all_make();
    co_await atl::sort(array);
  };
  const std::string here = at(__LINE__ - 2);
  expect_told(sort_on_all, {"sort at " + here, "where every PE calls, that is all_sort"});
}

TEST_P(overlapping_calls, beside_collectives_of_others_name_both_lines) {
  const auto sort_on_one = []() -> task<> {
    const auto array = co_await all_make();
    if (my_pe() == 0)
      co_await atl::sort(array);
    else
      co_await all_barrier();
  };
  const std::string here = at(__LINE__ - 4), there = at(__LINE__ - 2);
  expect_told(sort_on_one, {"sort at " + here, "all_barrier at " + there, "all_sort"});
}

TEST_P(overlapping_calls, of_two_tasks_of_one_pe_are_told_apart) {
  const auto sort_twice = []() -> task<> {
    const auto one = co_await make_array<std::uint64_t>(300);
    const auto two = co_await make_array<std::uint64_t>(300);
    const auto sort_each = [&](std::uint64_t i) -> task<> { co_await sort(i == 0 ? one : two); };
    co_await local_parallel_for(0, 2, sort_each);
  };
  const test::captured_stderr captured;
  EXPECT_EQ(test::status_of(options, sort_twice), 2);
  EXPECT_THAT(captured.text(), HasSubstr("sort at " + at(__LINE__ - 5)));
}

TEST_P(overlapping_calls, of_the_program_itself_are_told_by_their_line) {
  const auto meet_on_one = []() -> task<> {
    if (my_pe() == 0)
      co_await together([]() -> task<> { co_await all_barrier(); });
    else
      (void)co_await all_reduce(my_pe(), std::plus<>());
  };
  expect_told(meet_on_one, {"at " + at(__LINE__ - 4), "all_reduce at " + at(__LINE__ - 2)});
}

/// One PE after another makes calls on behalf of all PEs. Calls on behalf of all PEs are allowed
/// while the other PEs wait for something other than a collective call.
TEST_P(overlapping_calls, in_turn_are_none) {
  run_spmd([]() -> task<> {
    const auto array = co_await all_make();
    for (int turn = 0; turn < pes(); ++turn) {
      if (my_pe() == turn) {
        co_await sort(array);
        const auto count = []() -> task<int> { co_return co_await all_reduce(1, std::plus<>()); };
        EXPECT_EQ(co_await from_all_pes(count), pes());
        co_await write(array[299], 1);
      }
      while (co_await read(array[299]) == 0) co_await yield();
      co_await all_barrier();
      if (my_pe() == turn) co_await write(array[299], 0);
      co_await all_barrier();
    }
    co_await all_sort(array);
  });
}

ATOLL_RUN_ON(overlapping_calls, 2, 3, 7);

}  // namespace
