// Tests delegates, which are operations that the owner of an object executes. Each delegate is
// called as a blocking and as an asynchronous operation, on memory of this PE and of other PEs.

#include "support/run_on.hpp"

using namespace atl;

namespace {

struct point {
  point() = default;
  point(double x, double y, std::uint32_t tag) : x(x), y(y), tag(tag) {}

  double x = 0;
  double y = 0;
  std::uint32_t tag = 0;

  friend bool operator==(const point&, const point&) = default;
};

class delegates : public test::on_pes {};

/// Calls `check(array, i)` from a task on each PE, once for an element of every PE.
template <class T, class Check>
task<> from_everywhere_to_everywhere(Check check) {
  const auto array = co_await make_array<T>(static_cast<std::uint64_t>(pes() * pes()), 1);
  const auto part = [array, check]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const auto mine = static_cast<std::uint64_t>(my_pe() * pes() + pe);
      co_await check(array, mine);
    }
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

TEST_P(delegates, read_what_was_written) {
  run([] {
    return from_everywhere_to_everywhere<std::uint64_t>([](auto array, auto i) -> task<> {
      const auto before = co_await read(array[i]);
      EXPECT_EQ(before, 0u);
      co_await write(array[i], 100 + i);
      const auto after = co_await read(array[i]);
      EXPECT_EQ(after, 100 + i);
    });
  });
}

TEST_P(delegates, read_and_write_structs) {
  run([] {
    return from_everywhere_to_everywhere<point>([](auto array, auto i) -> task<> {
      const point value(1.5, -2.5, static_cast<std::uint32_t>(i));
      co_await write(array[i], value);
      const point seen = co_await read(array[i]);
      EXPECT_EQ(seen, value);
    });
  });
}

TEST_P(delegates, update_at_the_owner_and_return_what_the_function_does) {
  run([] {
    return from_everywhere_to_everywhere<std::uint64_t>([](auto array, auto i) -> task<> {
      const auto owner = co_await update(array[i], [i](std::uint64_t& word) {
        word += i;
        return my_pe();
      });
      EXPECT_EQ(owner, array[i].pe());
      co_await update(array[i], [](std::uint64_t& word) { word *= 2; });
      const auto after = co_await read(array[i]);
      EXPECT_EQ(after, 2 * i);
    });
  });
}

TEST_P(delegates, add_and_exchange_and_return_the_value_before) {
  run([] {
    return from_everywhere_to_everywhere<std::int32_t>([](auto array, auto i) -> task<> {
      const auto zero = co_await fetch_add(array[i], 5);
      EXPECT_EQ(zero, 0);
      const auto five = co_await compare_exchange(array[i], 5, 9);
      EXPECT_EQ(five, 5);
      const auto nine = co_await compare_exchange(array[i], 5, 11);
      EXPECT_EQ(nine, 9);
      const auto still_nine = co_await fetch_add(array[i], -10);
      EXPECT_EQ(still_nine, 9);
      const auto last = co_await read(array[i]);
      EXPECT_EQ(last, -1);
    });
  });
}

TEST_P(delegates, return_early_and_land_before_the_scope_ends) {
  run([] {
    return from_everywhere_to_everywhere<std::uint64_t>([](auto array, auto i) -> task<> {
      std::uint64_t seen = 1;
      std::uint64_t before_add = 1;
      std::uint64_t before_exchange = 1;
      const auto in_order = [&]() -> task<> {
        const auto first = [&] { async_write(array[i], 7 + i); };
        co_await finish(first);
        const auto second = [&] { async_fetch_add(array[i], 1); };
        co_await finish(second);
        const auto third = [&] { async_fetch_add(array[i], 10, before_add); };
        co_await finish(third);
        const auto fourth = [&] {
          async_compare_exchange(array[i], 18 + i, std::uint64_t{100}, before_exchange);
        };
        co_await finish(fourth);
        const auto fifth = [&] { async_update(array[i], [](std::uint64_t& word) { word += 3; }); };
        co_await finish(fifth);
        async_read(array[i], seen);
      };
      co_await finish(in_order);
      EXPECT_EQ(before_add, 8 + i);
      EXPECT_EQ(before_exchange, 18 + i);
      EXPECT_EQ(seen, 103u);
    });
  });
}

TEST_P(delegates, add_exactly_when_all_pes_add_to_one_word) {
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto target = words[words.size() - 1];
    const auto add = [target]() -> task<> {
      for (std::uint64_t i = 0; i < 300; ++i) {
        if (i % 10 == 0) {
          co_await fetch_add(target, i);
        } else {
          async_fetch_add(target, i);
        }
      }
    };
    co_await on_all_pes(add);
    const auto sum = co_await read(target);
    EXPECT_EQ(sum, 300u * 299 / 2 * static_cast<std::uint64_t>(pes()));
  });
}

TEST_P(delegates, give_each_ticket_once) {
  run([]() -> task<> {
    const auto next = co_await make_array<std::uint64_t>(1);
    const auto tickets = static_cast<std::uint64_t>(100 * pes());
    const auto taken = co_await make_array<std::uint64_t>(tickets);
    const auto take = [next, taken]() -> task<> {
      for (int i = 0; i < 100; ++i) {
        const auto ticket = co_await fetch_add(next[0], 1);
        async_fetch_add(taken[ticket], 1);
      }
    };
    co_await on_all_pes(take);
    co_await for_each(taken, [](std::uint64_t, std::uint64_t& times) { EXPECT_EQ(times, 1u); });
  });
}

TEST_P(delegates, let_exactly_one_win_an_exchange) {
  run([]() -> task<> {
    constexpr std::uint64_t rounds = 50;
    const auto words = co_await make_array<std::uint64_t>(rounds, 1);
    const auto wins = co_await make_array<std::uint64_t>(rounds, 1);
    const auto compete = [words, wins]() -> task<> {
      const auto me = static_cast<std::uint64_t>(my_pe()) + 1;
      for (std::uint64_t round = 0; round < rounds; ++round) {
        const auto before = co_await compare_exchange(words[round], std::uint64_t{0}, me);
        if (before == 0) async_fetch_add(wins[round], me);
      }
    };
    co_await on_all_pes(compete);
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto winner = co_await read(words[round]);
      const auto won = co_await read(wins[round]);
      EXPECT_NE(winner, 0u);
      EXPECT_EQ(won, winner);
    }
  });
}

TEST_P(delegates, let_an_exchange_loop_count_exactly) {
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(1);
    const auto count = [words]() -> task<> {
      for (int i = 0; i < 20; ++i) {
        std::uint64_t seen = co_await read(words[0]);
        while (true) {
          const auto before = co_await compare_exchange(words[0], seen, seen + 1);
          if (before == seen) break;
          seen = before;
        }
      }
    };
    co_await on_all_pes(count);
    const auto sum = co_await read(words[0]);
    EXPECT_EQ(sum, static_cast<std::uint64_t>(20 * pes()));
  });
}

TEST_P(delegates, call_functions_and_coroutines) {
  run([]() -> task<> {
    for (int pe = 0; pe < pes(); ++pe) {
      const int plain = co_await call(pe, [] { return 10 * my_pe(); });
      EXPECT_EQ(plain, 10 * pe);
      const int waited = co_await call(pe, []() -> task<int> {
        co_await yield();
        co_await sleep_for(10'000);
        co_return 100 * my_pe();
      });
      EXPECT_EQ(waited, 100 * pe);
      const point far = co_await call(pe, [pe]() -> task<point> {
        const int next = co_await call((pe + 1) % pes(), [] { return my_pe(); });
        co_return point(0.5, 0, static_cast<std::uint32_t>(next));
      });
      EXPECT_EQ(far, point(0.5, 0, static_cast<std::uint32_t>((pe + 1) % pes())));
      co_await call(pe, []() -> task<> { co_await yield(); });
      co_await call(pe, [] {});
    }
  });
}

/// Returns how many messages each PE has executed since the counts `before` were taken.
task<std::vector<message_counts>> all_executed_since(message_counts before) {
  message_counts mine = local_message_counts();
  mine.of_this_pe -= before.of_this_pe;
  mine.of_other_pes -= before.of_other_pes;
  return all_gather(mine);
}

TEST_P(delegates, are_counted_where_they_run) {
  run_spmd([]() -> task<> {
    co_await all_barrier();
    const message_counts before = local_message_counts();
    co_await all_barrier();
    const auto send = [] {
      for (int pe = 0; pe < pes(); ++pe)
        for (int i = 0; i <= my_pe(); ++i) async_call(pe, [] {});
    };
    co_await finish(send);
    co_await all_barrier();
    const auto counts = co_await all_executed_since(before);
    const auto all = static_cast<std::uint64_t>(pes());
    for (std::uint64_t pe = 0; pe < all; ++pe) {
      EXPECT_EQ(counts[pe].of_this_pe, pe + 1);
      EXPECT_EQ(counts[pe].all(), all * (all + 1) / 2);
    }
  });
}

ATOLL_RUN_ON_ALL(delegates);

}  // namespace
