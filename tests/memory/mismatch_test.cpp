// If PEs make different collective calls at the same time, the job must end with status 2. The
// error message must contain two different calls, and for each the PE and the source line.

#include "atoll/memory/collective_call.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

using namespace atl;
using testing::HasSubstr;
using testing::Not;

namespace {

class collectives_that_differ : public test::on_pes {
 protected:
  /// Runs two jobs in which one PE calls `odd` and all other PEs call `usual`. PE 0 calls `odd` in
  /// the first job, and the last PE calls `odd` in the second job.
  template <class Usual, class Odd>
  void expect_told(const Usual& usual, const Odd& odd, const std::vector<std::string>& says) {
    for (const int one : {0, size() - 1}) {
      const test::captured_stderr captured;
      const auto program = [=]() -> task<> {
        if (my_pe() == one)
          co_await odd();
        else
          co_await usual();
      };
      EXPECT_EQ(test::status_of(options, program, true), 2) << "PE " << one;
      const std::string text = captured.text();
      for (const auto& each : says) EXPECT_THAT(text, HasSubstr(each)) << "PE " << one;
      EXPECT_THAT(text, HasSubstr("the collectives of two PEs differ"));
    }
  }
};

std::string at(unsigned line) { return "mismatch_test.cpp:" + std::to_string(line); }

constexpr auto sum_of_doubles = []() -> task<> { (void)co_await all_reduce(1.5, std::plus()); };
constexpr unsigned k_sum_line = __LINE__ - 1;

constexpr auto barrier = []() -> task<> { co_await all_barrier(); };

TEST_P(collectives_that_differ, in_type_and_operation) {
  const auto most = []() -> task<> {
    (void)co_await all_reduce(std::uint64_t{7}, [](auto a, auto b) { return std::max(a, b); });
  };
  expect_told(sum_of_doubles, most,
              {"all_reduce at " + at(k_sum_line), "all_reduce at " + at(__LINE__ - 3),
               "of type double", "combined by a closure"});
}

TEST_P(collectives_that_differ, in_the_operation_alone) {
  const auto product = []() -> task<> { (void)co_await all_reduce(1.5, std::multiplies()); };
  expect_told(sum_of_doubles, product, {at(k_sum_line), at(__LINE__ - 1), "std::multiplies"});
  const auto least = []() -> task<> {
    (void)co_await all_reduce(1, [](int a, int b) { return std::min(a, b); });
  };
  const auto most = []() -> task<> {
    (void)co_await all_reduce(1, [](int a, int b) { return std::max(a, b); });
  };
  expect_told(least, most, {at(__LINE__ - 5), at(__LINE__ - 2)});
}

TEST_P(collectives_that_differ, in_kind) {
  const auto reduction = []() -> task<> { (void)co_await all_reduce(3, std::plus()); };
  expect_told(barrier, reduction, {"all_barrier at mismatch_test.cpp", "all_reduce at"});
  const auto broadcast = []() -> task<> { (void)co_await all_broadcast(3); };
  expect_told(broadcast, reduction, {"all_broadcast at", "all_reduce at"});
  const auto gather = []() -> task<> { (void)co_await all_gather(3); };
  expect_told(gather, reduction, {"all_gather at", "all_reduce at"});
  expect_told(reduction, gather, {"all_gather at", "all_reduce at"});
  const auto quiet = []() -> task<> { co_await all_quiet(); };
  expect_told(quiet, barrier, {"all_quiet at", "all_barrier at"});
}

TEST_P(collectives_that_differ, in_size) {
  const auto of_size = [](std::size_t size) {
    return
        [size]() -> task<> { (void)co_await all_reduce(std::vector<int>(size, 1), std::plus()); };
  };
  expect_told(of_size(4), of_size(5), {"4 elements", "5 elements"});
  expect_told(of_size(100'000), of_size(0), {"100000 elements", "all_reduce at"});
}

TEST_P(collectives_that_differ, in_the_root) {
  const auto gather_at = [](int root) {
    return [root]() -> task<> {
      const std::vector<int> mine(3, my_pe());
      (void)co_await all_gather_to(root, std::span<const int>(mine));
      co_await all_barrier();
    };
  };
  expect_told(gather_at(0), gather_at(1), {"root 0", "root 1"});
  const auto broadcast_from = [](int root) {
    return [root]() -> task<> { (void)co_await all_broadcast(my_pe(), root); };
  };
  expect_told(broadcast_from(1), broadcast_from(0), {"root 0", "root 1"});
}

/// Returns a program that makes two symmetric arrays and calls `use(target, source)` on every PE.
template <class Use>
auto with_symmetric(Use use) {
  return [use]() -> task<> {
    symmetric_array<std::int64_t> target, source;
    if (my_pe() == 0) {
      const auto size = 60 * static_cast<std::uint64_t>(pes());
      target = co_await make_symmetric_array<std::int64_t>(size);
      source = co_await make_symmetric_array<std::int64_t>(size);
    }
    target = co_await all_broadcast(target);
    source = co_await all_broadcast(source);
    co_await use(target, source);
  };
}

TEST_P(collectives_that_differ, on_symmetric_memory) {
  const auto meet = with_symmetric([](auto, auto) { return one_sided::barrier(); });
  const auto exchange = with_symmetric(
      [](auto target, auto source) { return one_sided::all_to_all(target, source); });
  const unsigned exchange_line = __LINE__ - 1;
  expect_told(meet, exchange,
              {"one_sided::barrier at mismatch_test.cpp",
               "one_sided::all_to_all at " + at(exchange_line), "of type long"});
  const auto gather = with_symmetric([](auto target, auto source) {
    return one_sided::all_gather(symmetric_part(target), symmetric_part(source, 0, 60));
  });
  expect_told(gather, exchange, {"one_sided::all_gather at", "one_sided::all_to_all at"});
}

TEST_P(collectives_that_differ, in_reductions_of_symmetric_memory) {
  const auto fold = [](auto operation, std::uint64_t size) {
    return with_symmetric([=](auto target, auto source) {
      return one_sided::all_reduce(symmetric_part(target, 0, size), symmetric_part(source, 0, size),
                                   operation);
    });
  };
  expect_told(fold(sum<std::int64_t>(), 3), fold(max<std::int64_t>(), 3),
              {"combined by atl::sum<long", "combined by atl::max<long"});
  expect_told(fold(sum<std::int64_t>(), 3), fold(sum<std::int64_t>(), 4),
              {"3 elements", "4 elements"});
  const auto to = [](int root) {
    return with_symmetric([=](auto target, auto source) {
      return one_sided::reduce_to(root, symmetric_part(target), symmetric_part(source),
                                  sum<std::int64_t>());
    });
  };
  // If PEs share no memory, calls with different roots would wait forever.
  const bool share_memory = GetParam().sim_seed == 0;
  if (share_memory) expect_told(to(0), to(1), {"one_sided::reduce_to at", "root 0", "root 1"});
}

/// Equal calls match even if the calls stand in different lines.
TEST_P(collectives_that_differ, only_in_their_lines_match) {
  run_spmd([]() -> task<> {
    if (my_pe() == 0)
      co_await all_barrier();
    else
      co_await all_barrier();
    int sum = 0;
    if (my_pe() % 2 == 0)
      sum = co_await all_reduce(1, std::plus<int>());
    else
      sum = co_await all_reduce(1, std::plus<>());
    EXPECT_EQ(sum, pes());
    if (my_pe() == 0) {
      EXPECT_EQ(co_await all_broadcast(7), 7);
    } else {
      EXPECT_EQ(co_await all_broadcast(0), 7);
    }
    const bool all_odd = co_await all_reduce(my_pe() % 2 == 1, std::logical_and<>());
    EXPECT_FALSE(all_odd);
    EXPECT_EQ(co_await all_gather(true), std::vector<bool>(static_cast<std::size_t>(pes()), true));
    EXPECT_TRUE(co_await all_broadcast(true));
  });
}

TEST(collective_call, that_nobody_has_said_matches_all) {
  test::run_alone([]() -> task<> {
    static constexpr memory::collective_kind barrier_kind{"all_barrier"};
    static constexpr auto sum_kind = memory::kind_of<int, std::plus<int>>("all_reduce");
    static constexpr auto same_kind = memory::kind_of<int, std::plus<>>("all_reduce");
    const auto sum = memory::call_of(sum_kind, 4, -1, site::current());
    EXPECT_TRUE(memory::match(sum, {}));
    EXPECT_TRUE(memory::match(sum, memory::call_of(same_kind, 4, -1, site())));
    EXPECT_FALSE(memory::match(sum, memory::call_of(barrier_kind, 4, -1, site())));
    EXPECT_FALSE(memory::match(sum, memory::call_of(sum_kind, 8, -1, site())));
    EXPECT_FALSE(memory::match(sum, memory::call_of(sum_kind, 4, 0, site())));
    co_return;
  });
}

ATOLL_RUN_ON(collectives_that_differ, 2, 3, 7);

}  // namespace
