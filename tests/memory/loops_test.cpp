// Parallel loops run the body once for every index, for all kinds of bodies. The number of
// iterations in progress never exceeds the number of workers.

#include "support/own_state.hpp"
#include "support/run_on.hpp"

#include <set>
#include <stdexcept>
#include <vector>

using namespace atl;

namespace {

using words = global_array<std::uint64_t>;

class loops : public test::on_pes {};

task<words> ones_expected(std::uint64_t size) { return make_array<std::uint64_t>(size, 3); }

task<> expect_ones(words counts) {
  co_await for_each(counts, [](std::uint64_t i, std::uint64_t& times) {
    if (times != 1) ADD_FAILURE() << "index " << i << ": " << times << " times";
  });
  co_await counts.destroy();
}

constexpr std::uint64_t k_sizes[] = {0, 1, 2, 7, 255, 256, 257, 10'007};

TEST_P(loops, run_plain_bodies_once_for_each_index) {
  run([]() -> task<> {
    for (const auto size : k_sizes) {
      const auto counts = co_await ones_expected(size);
      co_await parallel_for(size, [counts](std::uint64_t i) { async_fetch_add(counts[i], 1); });
      co_await expect_ones(counts);
    }
  });
}

TEST_P(loops, run_coroutines_once_for_each_index) {
  run([]() -> task<> {
    for (const auto size : k_sizes) {
      const auto counts = co_await ones_expected(size);
      co_await parallel_for(size, [counts](std::uint64_t i) -> task<> {
        const auto before = co_await read(counts[i]);
        co_await yield();
        co_await write(counts[i], before + 1);
      });
      co_await expect_ones(counts);
    }
  });
}

TEST_P(loops, run_each_pe_its_part_in_the_order_of_pes) {
  run([]() -> task<> {
    const std::uint64_t size = 1000;
    const auto owners = co_await make_array<std::uint64_t>(size);
    co_await parallel_for(size, [owners](std::uint64_t i) {
      EXPECT_TRUE(owners[i].is_local());
      *owners[i].local() = i;
    });
    co_await for_each(owners, [](std::uint64_t i, std::uint64_t& seen) { EXPECT_EQ(seen, i); });
  });
}

TEST_P(loops, over_elements_run_where_these_live) {
  run([]() -> task<> {
    for (const std::uint64_t block : {0, 1, 64}) {
      const auto array = co_await make_array<std::uint64_t>(1009, block);
      co_await for_each(array, [array](std::uint64_t i, std::uint64_t& element) {
        EXPECT_EQ(array[i].pe(), my_pe());
        element += i;
      });
      co_await for_each(array, [array](std::uint64_t i, std::uint64_t& element) -> task<> {
        const auto other = co_await read(array[(i + 500) % array.size()]);
        EXPECT_EQ(other, (i + 500) % array.size());
        EXPECT_EQ(element, i);
      });
      co_await array.destroy();
    }
  });
}

TEST_P(loops, on_all_pes_run_once_on_each) {
  run([]() -> task<> {
    const auto counts = co_await ones_expected(static_cast<std::uint64_t>(pes()));
    const auto count = [counts]() -> task<> {
      co_await yield();
      async_fetch_add(counts[static_cast<std::uint64_t>(my_pe())], 1);
    };
    co_await on_all_pes(count);
    co_await expect_ones(counts);
  });
}

TEST_P(loops, nest) {
  run([]() -> task<> {
    const auto counts = co_await ones_expected(30 * 40);
    co_await parallel_for(30, [counts](std::uint64_t i) -> task<> {
      co_await local_parallel_for(0, 40, [counts, i](std::uint64_t j) -> task<> {
        co_await fetch_add(counts[40 * i + j], 1);
      });
    });
    co_await expect_ones(counts);
    const auto again = co_await ones_expected(5 * 50);
    co_await parallel_for(5, [again](std::uint64_t i) -> task<> {
      co_await parallel_for(50,
                            [again, i](std::uint64_t j) { async_fetch_add(again[50 * i + j], 1); });
    });
    co_await expect_ones(again);
  });
}

/// The number of bodies that run now on this PE, and the largest number so far.
struct concurrency {
  std::uint64_t now = 0;
  std::uint64_t most = 0;
};

concurrency& bodies() {
  static thread_local test::own_state<concurrency> each;
  return each();
}

task<> count_concurrent_bodies(std::uint64_t workers) {
  co_await on_all_pes([] { bodies() = {}; });
  co_await parallel_for(500 * static_cast<std::uint64_t>(pes()), [](std::uint64_t) -> task<> {
    bodies().most = std::max(bodies().most, ++bodies().now);
    for (int i = 0; i < 3; ++i) co_await yield();
    --bodies().now;
  });
  for (int pe = 0; pe < pes(); ++pe) {
    const auto most = co_await call(pe, [] { return bodies().most; });
    // The task of the loop itself is counted in addition to the workers.
    EXPECT_LE(most, workers + 1);
    EXPECT_GE(most, std::min<std::uint64_t>(workers, 100));
  }
}

TEST_P(loops, start_no_more_bodies_than_workers) {
  for (const std::uint64_t workers : {1, 2, 16, 512}) {
    options.workers = workers;
    run([workers] { return count_concurrent_bodies(workers); });
  }
}

TEST_P(loops, of_one_worker_do_not_deadlock) {
  options.workers = 1;
  run([]() -> task<> {
    const auto counts = co_await ones_expected(8 * 8 * 8);
    co_await parallel_for(8, [counts](std::uint64_t i) -> task<> {
      co_await parallel_for(8, [counts, i](std::uint64_t j) -> task<> {
        co_await local_parallel_for(0, 8, [counts, i, j](std::uint64_t k) -> task<> {
          co_await fetch_add(counts[64 * i + 8 * j + k], 1);
        });
      });
    });
    co_await expect_ones(counts);
  });
}

TEST_P(loops, may_use_what_does_not_travel_on_their_own_pe) {
  run([]() -> task<> {
    std::vector<int> seen(3000);
    const std::vector<int> added(seen.size(), 1);
    const auto body = [&seen, added](std::uint64_t i) { seen[i] += added[i]; };
    co_await local_parallel_for(0, seen.size(), body);
    EXPECT_EQ(seen, added);
    const auto waiting = [&seen, added](std::uint64_t i) -> task<> {
      co_await yield();
      seen[i] += added[i];
    };
    co_await local_parallel_for(1000, 2000, waiting);
    EXPECT_EQ(seen[999], 1);
    EXPECT_EQ(seen[1000], 2);
    EXPECT_EQ(seen[1999], 2);
    EXPECT_EQ(seen[2000], 1);
  });
}

TEST_P(loops, end_everything_before_they_throw) {
  run([]() -> task<> {
    const auto ended = co_await make_array<std::uint64_t>(1);
    bool caught = false;
    try {
      co_await parallel_for(200, [ended](std::uint64_t i) -> task<> {
        co_await sleep_for(static_cast<std::int64_t>(hash(i) % 100'000));
        if (i == 100) throw std::runtime_error("index 100");
        async_fetch_add(ended[0], 1);
      });
    } catch (const std::exception& failure) {
      caught = std::string(failure.what()).find("index 100") != std::string::npos;
    }
    EXPECT_TRUE(caught);
    const auto then = co_await read(ended[0]);
    co_await sleep_for(1'000'000);
    const auto later = co_await read(ended[0]);
    EXPECT_EQ(then, later);
  });
}

ATOLL_RUN_ON_ALL(loops);

}  // namespace
