#include "atoll/synchronization.hpp"

#include "support/run_on.hpp"

namespace atl {
namespace {

TEST(barrier, is_met_by_all_again_and_again) {
  test::run_alone([]() -> task<> {
    constexpr int tasks = 7, rounds = 5;
    barrier met(tasks);
    std::vector<int> arrived(rounds);
    const auto all = [&] {
      for (int who = 0; who < tasks; ++who) {
        spawn([&, who]() -> task<> {
          for (int round = 0; round < rounds; ++round) {
            for (int i = 0; i < who; ++i) co_await yield();
            ++arrived[round];
            co_await met.arrive_and_wait();
            EXPECT_EQ(arrived[round], tasks);
          }
        });
      }
    };
    co_await finish(all);
    EXPECT_EQ(met.arrived(), 0U);
  });
}

TEST(barrier, of_one_task_is_always_open) {
  test::run_alone([]() -> task<> {
    barrier met(1);
    co_await met.arrive_and_wait();
    co_await met.arrive_and_wait();
  });
}

class global_barrier : public test::on_pes {};

TEST_P(global_barrier, is_met_by_tasks_of_all_pes) {
  run([]() -> task<> {
    constexpr std::uint64_t rounds = 5;
    const auto all = static_cast<std::uint64_t>(pes());
    const auto barriers = co_await make_array<barrier>(all);
    const auto counts = co_await make_array<std::uint64_t>(all);
    const auto met = barriers[all - 1];
    const auto count = counts[0];
    co_await write(met, barrier(all));
    const auto on_each = [=]() -> task<> {
      for (std::uint64_t round = 1; round <= rounds; ++round) {
        co_await fetch_add(count, 1);
        co_await arrive_and_wait(met);
        EXPECT_EQ(co_await read(count), round * all);
        co_await arrive_and_wait(met);
      }
    };
    co_await on_all_pes(on_each);
  });
}

ATOLL_RUN_ON_ALL(global_barrier);

}  // namespace
}  // namespace atl
