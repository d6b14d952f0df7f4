// Tests the functions of atoll/pe.hpp, such as those for the number of a PE and the time, in jobs
// with several PEs and nodes.

#include "atoll/pe.hpp"

#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>

namespace {

using namespace atl;

template <class Call>
void expect_refused(const Call& call, const char* text) {
  EXPECT_THAT(test::refusal_of(call), testing::HasSubstr(text));
}

class pe_answers : public test::on_pes {};
ATOLL_RUN_ON(pe_answers, 1, 2, 3, 5, 8);

TEST_P(pe_answers, number_each_pe_once) {
  run([all = size()]() -> task<> {
    EXPECT_EQ(pes(), all);
    for (int pe = 0; pe < all; ++pe) {
      const int there = co_await call(pe, [] { return my_pe(); });
      EXPECT_EQ(there, pe);
    }
  });
}

TEST_P(pe_answers, nodes_have_each_pe_once) {
  const auto simulated_size = static_cast<int>(options.sim_node_size);
  const bool has_nodes = options.transport == transport_kind::sim && size() > simulated_size;
  run_spmd([all = size(), node_size = has_nodes ? simulated_size : size()]() -> task<> {
    EXPECT_EQ(nodes(), (all + node_size - 1) / node_size);
    std::vector<int> found;
    for (int node = 0; node < nodes(); ++node) {
      const auto mates = pes_of_node(node);
      EXPECT_TRUE(std::ranges::is_sorted(mates));
      for (const int pe : mates) EXPECT_EQ(node_of(pe), node);
      found.insert(found.end(), mates.begin(), mates.end());
    }
    for (int pe = 0; pe < all; ++pe) {
      EXPECT_EQ(node_of(pe), pe / node_size);
      EXPECT_EQ(shares_memory_with(pe), node_of(pe) == node_of(my_pe()));
      EXPECT_EQ(std::ranges::count(found, pe), 1);
    }
    EXPECT_TRUE(pes_of_node(nodes()).empty());
    EXPECT_TRUE(pes_of_node(-1).empty());
    co_return;
  });
}

TEST_P(pe_answers, the_clock_passes_a_sleep) {
  run_spmd([]() -> task<> {
    const auto begin = now();
    co_await sleep_for(2'000'000);
    EXPECT_GE(now() - begin, 2'000'000);
    EXPECT_GE(seconds_since(begin), 0.002);
    const double passed = seconds_since(begin);
    EXPECT_LE(passed, static_cast<double>(now() - begin) * 1e-9);
  });
}

TEST_P(pe_answers, the_peak_of_memory_stays_when_an_array_goes) {
  run([all = static_cast<std::uint64_t>(size())]() -> task<> {
    constexpr std::uint64_t bytes = 1 << 20;
    const auto before = peak_memory();
    const auto array = co_await make_array<std::uint64_t>(all * bytes / sizeof(std::uint64_t));
    EXPECT_GE(peak_memory(), before + bytes);
    const auto peak = peak_memory();
    co_await array.destroy();
    EXPECT_EQ(peak_memory(), peak);
  });
}

TEST_P(pe_answers, other_pes_do_not_exist) {
  run([all = size()]() -> task<> {
    expect_refused([&] { (void)node_of(all); }, "node_of");
    expect_refused([] { (void)node_of(-1); }, "the job has PEs 0 to");
    expect_refused([&] { (void)shares_memory_with(all); }, "shares_memory_with");
    co_return;
  });
}

TEST(pe_answers_outside, are_refused) {
  expect_refused([] { (void)my_pe(); }, "my_pe() was called where there is no job");
  expect_refused([] { (void)now(); }, "now() was called where there is no job");
  expect_refused([] { (void)nodes(); }, "nodes() was called where there is no job");
  expect_refused([] { (void)node_of(0); }, "node_of() was called where there is no job");
  expect_refused([] { (void)pes_of_node(0); }, "pes_of_node() was called where there is no job");
  expect_refused([] { (void)shares_memory_with(0); },
                 "shares_memory_with() was called where there is no job");
  expect_refused([] { (void)peak_memory(); }, "peak_memory() was called where there is no job");
  expect_refused([] { (void)local_message_counts(); },
                 "local_message_counts() was called where there is no job");
}

TEST(pe_answers_outside, tasks_are_refused) {
  // The std::function hides the call from the compiler. If nothing awaits a task, a compiler that
  // sees the call can optimise the task's frame away.
  const std::function<task<>()> program = []() -> task<> { co_return; };
  expect_refused([&] { (void)program(); },
                 "a function that returns atl::task was called where there is no job");
}

}  // namespace
