// Tests one-sided access. Puts and gets must transfer the right data. Atomic operations must be
// atomic. Puts and gets must take effect in an order that OpenSHMEM allows. The tests access memory
// on all PEs.

#include "atoll/collectives.hpp"
#include "support/refusal.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>

using namespace atl;
namespace os = atl::one_sided;

namespace {

class one_sided_access : public test::on_pes {};

using symmetric_words = symmetric_array<std::uint64_t>;

template <class T>
std::span<const T> all_of(const std::vector<T>& values) {
  return values;
}

int next_pe(int steps = 1) { return (my_pe() + steps) % pes(); }
int previous_pe() { return (my_pe() + pes() - 1) % pes(); }

std::vector<std::uint64_t> numbered(int pe, std::size_t count) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = hash(1'000'000 * static_cast<std::uint64_t>(pe) + i);
  return values;
}

task<> put_round(symmetric_words array, std::size_t count) {
  const auto mine = numbered(my_pe(), count);
  co_await os::put(array.on(next_pe()), all_of(mine));
  co_await os::quiet();
  co_await all_barrier();
  const auto expected = numbered(previous_pe(), count);
  EXPECT_TRUE(std::ranges::equal(array.local().first(count), expected)) << count;
  std::vector<std::uint64_t> got(count);
  co_await os::get(array.on(next_pe(2)), std::span(got));
  EXPECT_EQ(got, numbered(next_pe(), count)) << count;
  co_await all_barrier();
}

TEST_P(one_sided_access, moves_any_number_of_bytes) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(200'000);
    for (const std::size_t count : {0, 1, 2, 7, 8, 9, 1000, 200'000})
      co_await together([array, count] { return put_round(array, count); });
    co_await array.destroy();
  });
}

task<> put_and_get_without_waiting(symmetric_words array) {
  constexpr std::size_t count = 100;
  const auto mine = numbered(my_pe(), count);
  for (std::size_t i = 0; i < count; ++i)
    os::put_nbi(array.on(next_pe(), i), std::span(mine).subspan(i, 1));
  co_await os::quiet();
  co_await all_barrier();
  std::vector<std::uint64_t> got(count);
  for (std::size_t i = 0; i < count; ++i)
    os::get_nbi(array.on(next_pe(), i), std::span(got).subspan(i, 1));
  co_await os::quiet();
  EXPECT_EQ(got, mine);
  co_await all_barrier();
}

TEST_P(one_sided_access, without_waiting_is_complete_behind_quiet) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(100);
    co_await together([array] { return put_and_get_without_waiting(array); });
  });
}

task<> send_numbers_behind_a_fence(symmetric_words array, symmetric_words flag,
                                   std::uint64_t rounds) {
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    for (std::uint64_t i = 0; i < 10; ++i) os::put(array.on(next_pe(), i), 100 * round + i);
    os::fence();
    os::put(flag.on(next_pe()), round);
    const auto seen = co_await os::wait_until(flag.local().data(), os::comparison::equal, round);
    EXPECT_EQ(seen, round);
    for (std::uint64_t i = 0; i < 10; ++i)
      EXPECT_EQ(co_await os::get(array.on(my_pe(), i)), 100 * round + i);
    co_await all_barrier();
  }
}

// Begins gets of short and long pieces from several PEs, and waits for one get after another.
task<> get_up_to_moments(symmetric_words array) {
  std::ranges::copy(numbered(my_pe(), array.size()), array.local().begin());
  co_await all_barrier();
  std::vector<std::vector<std::uint64_t>> got;
  std::vector<os::moment> begun;
  for (const std::size_t count : {1, 3000, 20'000, 5}) {
    got.emplace_back(count);
    const int from = next_pe(static_cast<int>(got.size()));
    os::get_nbi(array.on(from), std::span(got.back()));
    begun.push_back(os::begun_so_far());
  }
  const auto none_more = os::begun_so_far();
  for (std::size_t i = 0; i < got.size(); ++i) {
    co_await os::quiet(begun[i]);
    EXPECT_EQ(got[i], numbered(next_pe(static_cast<int>(i) + 1), got[i].size())) << i;
  }
  co_await os::quiet(none_more);
  co_await all_barrier();
}

TEST_P(one_sided_access, is_complete_up_to_the_moment_that_is_awaited) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(20'000);
    co_await together([array] { return get_up_to_moments(array); });
    co_await array.destroy();
  });
}

TEST_P(one_sided_access, behind_a_fence_is_seen_behind_what_was_put_before) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(10);
    const auto flag = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([=] { return send_numbers_behind_a_fence(array, flag, 5); });
  });
}

task<> signal_the_next(symmetric_words array, symmetric_words signal) {
  constexpr std::size_t count = 3000;
  for (std::uint64_t round = 1; round <= 4; ++round) {
    const auto mine = numbered(my_pe() + 100 * static_cast<int>(round), count);
    if (round % 2 == 0)
      os::put_signal(array.on(next_pe()), all_of(mine), signal.on(next_pe()), round,
                     os::signal_operation::set);
    else
      os::put_signal_nbi(array.on(next_pe()), all_of(mine), signal.on(next_pe()), 1,
                         os::signal_operation::add);
    co_await os::wait_until(signal.local().data(), os::comparison::greater_equal, round);
    const auto expected = numbered(previous_pe() + 100 * static_cast<int>(round), count);
    EXPECT_TRUE(std::ranges::equal(array.local(), expected));
    co_await os::quiet();
    co_await all_barrier();
  }
}

TEST_P(one_sided_access, with_a_signal_is_there_when_the_signal_is) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(3000);
    const auto signal = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([=] { return signal_the_next(array, signal); });
  });
}

template <class T>
task<> count_on(symmetric_array<T> array, int rounds) {
  T sum = 0;
  for (int i = 0; i < rounds; ++i) {
    os::add(array.on(0, 0), 1);
    const T before = co_await os::fetch_add(array.on(0, 1), 2);
    EXPECT_EQ(before % 2, 0);
    sum += before;
    const T old = co_await os::fetch(array.on(pes() - 1, 2));
    (void)co_await os::compare_exchange(array.on(pes() - 1, 2), old, static_cast<T>(old + 1));
    os::bit_or(array.on(0, 3), static_cast<T>(T{1} << my_pe()));
    os::bit_xor(array.on(0, 4), static_cast<T>(i));
  }
  co_await os::quiet();
  co_await all_barrier();
  const T all = static_cast<T>(pes()) * static_cast<T>(rounds);
  EXPECT_EQ(co_await os::fetch(array.on(0, 0)), all);
  EXPECT_EQ(co_await os::fetch(array.on(0, 1)), 2 * all);
  EXPECT_EQ(co_await os::fetch(array.on(0, 3)), static_cast<T>((T{1} << pes()) - 1));
  const T successes = co_await os::fetch(array.on(pes() - 1, 2));
  EXPECT_GE(successes, static_cast<T>(rounds));
  EXPECT_LE(successes, all);
  const T total = co_await all_reduce(sum, std::plus<>());
  EXPECT_EQ(total, all * (all - 1)) << "each number was returned once";
}

TEST_P(one_sided_access, counts_atomically) {
  run([]() -> task<> {
    const auto wide = co_await make_symmetric_array<std::int64_t>(8);
    const auto narrow = co_await make_symmetric_array<std::int32_t>(8);
    co_await together([=] { return count_on(wide, 50); });
    co_await together([=] { return count_on(narrow, 50); });
  });
}

task<> each_atomic(symmetric_words array) {
  const int pe = next_pe();
  os::set(array.on(pe), 12);
  co_await os::quiet();
  EXPECT_EQ(co_await os::exchange(array.on(pe), 10), 12u);
  EXPECT_EQ(co_await os::compare_exchange(array.on(pe), 9, 7), 10u) << "another value: not stored";
  EXPECT_EQ(co_await os::compare_exchange(array.on(pe), 10, 6), 10u);
  EXPECT_EQ(co_await os::fetch_add(array.on(pe), 1), 6u);
  EXPECT_EQ(co_await os::fetch_and(array.on(pe), 5), 7u);
  EXPECT_EQ(co_await os::fetch_or(array.on(pe), 8), 5u);
  EXPECT_EQ(co_await os::fetch_xor(array.on(pe), 1), 13u);
  os::bit_and(array.on(pe), 12);
  os::fence();
  os::add(array.on(pe), 3);
  co_await os::quiet();
  EXPECT_EQ(co_await os::fetch(array.on(pe)), 15u);
  co_await all_barrier();
}

TEST_P(one_sided_access, has_every_atomic) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([array] { return each_atomic(array); });
  });
}

task<> wait_in_many_tasks(symmetric_words array) {
  const std::uint64_t count = array.size();
  std::uint64_t woken = 0;
  const auto wait_for_all = [&]() -> task<> {
    for (std::uint64_t i = 0; i < count; ++i)
      spawn([&woken, array, i]() -> task<> {
        const auto word = array.local().data() + i;
        EXPECT_EQ(co_await os::wait_until(word, os::comparison::not_equal, 0u), i + 1);
        ++woken;
      });
    for (std::uint64_t i = 0; i < count; ++i) {
      os::put(array.on(next_pe(), i), i + 1);
      co_await yield();
    }
  };
  co_await finish(wait_for_all);
  EXPECT_EQ(woken, count);
  co_await all_barrier();
}

TEST_P(one_sided_access, wakes_each_of_many_tasks) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(40);
    co_await together([array] { return wait_in_many_tasks(array); });
  });
}

/// A task that waits for its own puts must not wait longer because another task keeps putting data.
task<> wait_beside_puts(symmetric_words array) {
  bool came_back = false;
  const auto both = [&] {
    spawn([&]() -> task<> {
      os::put(array.on(next_pe()), 1);
      co_await os::quiet();
      came_back = true;
    });
    spawn([&]() -> task<> {
      while (!came_back) {
        os::put(array.on(next_pe(), 1), 2);
        co_await yield();
      }
    });
  };
  co_await finish(both);
  co_await os::quiet();
  co_await all_barrier();
  EXPECT_EQ(array.local()[0], 1u);
}

TEST_P(one_sided_access, is_complete_although_others_go_on) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(2);
    co_await together([array] { return wait_beside_puts(array); });
  });
}

task<> go_round(symmetric_words token, std::uint64_t rounds) {
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    if (my_pe() != 0)
      co_await os::wait_until(token.local().data(), os::comparison::greater_equal, round);
    os::put(token.on(next_pe()), round);
    if (my_pe() == 0)
      co_await os::wait_until(token.local().data(), os::comparison::greater_equal, round);
  }
  co_await os::quiet();
}

TEST_P(one_sided_access, sends_a_token_round) {
  run([]() -> task<> {
    const auto token = co_await make_symmetric_array<std::uint64_t>(1);
    co_await together([token] { return go_round(token, 200); });
  });
}

TEST_P(one_sided_access, compares_in_every_way) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::int64_t>(1);
    std::int64_t* const word = array.local().data();
    *word = -3;
    using enum os::comparison;
    EXPECT_TRUE(os::test(word, equal, -3) && !os::test(word, equal, 3));
    EXPECT_TRUE(os::test(word, not_equal, 3) && !os::test(word, not_equal, -3));
    EXPECT_TRUE(os::test(word, less, -2) && !os::test(word, less, -3));
    EXPECT_TRUE(os::test(word, less_equal, -3) && !os::test(word, less_equal, -4));
    EXPECT_TRUE(os::test(word, greater, -4) && !os::test(word, greater, -3));
    EXPECT_TRUE(os::test(word, greater_equal, -3) && !os::test(word, greater_equal, -2));
    co_return;
  });
}

TEST_P(one_sided_access, refuses_what_does_not_exist) {
  run([]() -> task<> {
    const auto array = co_await make_symmetric_array<std::uint64_t>(4);
    const auto other = co_await make_array<std::uint64_t>(4);
    const std::vector<std::uint64_t> five(5);
    using testing::HasSubstr;
    const auto beyond = "put: PE " + std::to_string(pes()) + " does not exist; there are " +
                        std::to_string(pes()) + " PEs";
    EXPECT_THAT(test::refusal_of([&] { os::put(array.on(pes()), 1); }), HasSubstr(beyond));
    EXPECT_THAT(test::refusal_of([&] { os::put(array.on(-1), 1); }), HasSubstr("put: a null"));
    EXPECT_THAT(test::refusal_of([&] { os::put_nbi(array.on(0), all_of(five)); }),
                HasSubstr("put_nbi: 40 bytes at offset"));
    EXPECT_THAT(test::refusal_of([&] { os::put_nbi(array.on(0), all_of(five)); }),
                HasSubstr("reach beyond their array, which has 32 bytes"));
    EXPECT_THAT(test::refusal_of([&] { (void)os::fetch_add(other[0], 1); }),
                HasSubstr("fetch_add: the address, offset"));
    EXPECT_THAT(test::refusal_of([&] { (void)os::get(array.on(0, 3) + 1000); }),
                HasSubstr("get: no symmetric array lies at offset"));
    const auto between = global_address<std::uint64_t>(0, array.on(0, 1).offset() + 4);
    EXPECT_THAT(test::refusal_of([&] { os::add(between, 1); }),
                HasSubstr("add: a word of 8 bytes cannot be at offset"));
    std::uint64_t own = 0;
    EXPECT_THAT(test::refusal_of([&] { (void)os::wait_until(&own, os::comparison::equal, 0u); }),
                HasSubstr("is not in symmetric memory of PE"));
    const auto signal = co_await make_symmetric_array<std::uint64_t>(1);
    const auto elsewhere = [&] {
      os::put_signal(array.on(0), all_of(five).first(1), signal.on(pes() - 1), 1,
                     os::signal_operation::set);
    };
    if (pes() > 1) {
      EXPECT_THAT(test::refusal_of(elsewhere), HasSubstr("put_signal: the signal is of PE"));
    }
    co_await array.destroy();
    EXPECT_THAT(test::refusal_of([&] { os::put(array.on(0), 1); }),
                HasSubstr("put: no symmetric array"));
  });
}

ATOLL_RUN_ON_ALL(one_sided_access);

}  // namespace
