// The checker of random programs must accept all results that OpenSHMEM allows. The checker must
// also accept results that processors with store buffers can produce. The checker must reject
// results that the tests know to be impossible.

#include "memory/one_sided_programs/script.hpp"

#include <gmock/gmock.h>

using atl::test::access::place;
using atl::test::access::script;
using testing::HasSubstr;

namespace {

namespace access = atl::test::access;

constexpr int k_flag_of_0 = access::k_first_flag;
constexpr place k_x{0, 0}, k_y{1, 0}, k_z{1, 1};
constexpr place k_lock{1, access::k_first_exchanged};
constexpr place k_count{0, access::k_counter};

void expect_allowed(const script& all) { EXPECT_EQ(all.fault(), ""); }
void expect_refused(const script& all, const char* why = "before the next one") {
  EXPECT_THAT(all.fault(), HasSubstr(why));
}

/// In this program, PE 0 puts 1 in x, and PE 1 then reads x in different ways.
script with_x_put() { return script(2).put(0, k_x, 1); }

TEST(one_sided_checker, lets_a_put_take_its_time) {
  for (const access::word seen : {0, 1}) {
    expect_allowed(with_x_put().get(1, k_x, {seen}).barrier().get(1, k_x, {1}));
    expect_allowed(with_x_put().get(0, k_x, {seen}).quiet(0).get(0, k_x, {1}));
  }
}

TEST(one_sided_checker, wants_a_put_seen_behind_quiet_and_barrier) {
  expect_refused(with_x_put().barrier().get(1, k_x, {0}));
  expect_refused(with_x_put().quiet(0).get(0, k_x, {0}));
  expect_refused(with_x_put().barrier().put(1, k_x, 2).barrier().get(0, k_x, {1}));
}

TEST(one_sided_checker, knows_who_stores_what) {
  expect_refused(with_x_put().barrier().get(1, k_x, {7}), "7 from word 0 of PE 0, which nobody");
  expect_refused(with_x_put().get(1, k_y, {1}), "1 from word 0 of PE 1, which nobody");
  expect_refused(script(2).get(1, k_x, {1}).barrier().put(0, k_x, 1));
  expect_refused(script(2).get(0, k_x, {1}).put(0, k_x, 1).barrier().get(1, k_x, {0}));
  expect_refused(script(1).get(0, k_x, {}).get(0, k_x, {0, 0}).barrier().wait(0, 8, 1, 0),
                 "step 3 waits for 1 and ends with 0");
}

TEST(one_sided_checker, allows_a_put_in_pieces) {
  const access::word second = 1 + access::k_both_halves;
  for (const access::word seen : {0, 1})
    expect_allowed(script(2).put(0, k_y, 1, 2).get(1, k_y, {seen, (1 - seen) * second}));
  expect_refused(script(2).put(0, k_y, 1, 2).barrier().get(1, k_y, {1, 0}));
}

TEST(one_sided_checker, orders_puts_by_a_fence_alone) {
  const script free = script(2).put(0, k_y, 1).put(0, k_z, 2);
  expect_allowed(script(free).get(1, k_z, {2}).get(1, k_y, {0}));
  const script fenced = script(2).put(0, k_y, 1).fence(0).put(0, k_z, 2);
  expect_refused(script(fenced).get(1, k_z, {2}).get(1, k_y, {0}));
  expect_allowed(script(fenced).get(1, k_z, {0}).get(1, k_y, {1}));
}

TEST(one_sided_checker, orders_by_a_fence_what_goes_to_one_pe) {
  const script two = script(3).put(0, k_y, 1).fence(0).put(0, {2, k_flag_of_0}, 1);
  expect_allowed(script(two).wait(2, k_flag_of_0, 1, 1).get(2, k_y, {0}));
  const script quiet = script(3).put(0, k_y, 1).quiet(0).put(0, {2, k_flag_of_0}, 1);
  expect_refused(script(quiet).wait(2, k_flag_of_0, 1, 1).get(2, k_y, {0}));
}

TEST(one_sided_checker, looks_behind_a_flag) {
  const place flag{1, k_flag_of_0};
  const script free = script(2).put(0, k_y, 1).put(0, flag, 1).wait(1, k_flag_of_0, 1, 1);
  expect_allowed(script(free).get(1, k_y, {0}));
  const script fenced =
      script(2).put(0, k_y, 1).fence(0).put(0, flag, 1).wait(1, k_flag_of_0, 1, 1);
  expect_allowed(script(fenced).get(1, k_y, {1}));
  expect_refused(script(fenced).get(1, k_y, {0}));
  expect_refused(script(fenced).get_nbi(1, k_y, 0).quiet(1));
  const script twice = script(2).put(0, k_y, 1).fence(0).fence(0).put(0, flag, 1);
  expect_refused(script(twice).wait(1, k_flag_of_0, 1, 1).get(1, k_y, {0}));
}

TEST(one_sided_checker, passes_on_what_a_flag_says) {
  const script chain = script(3)
                           .put(0, k_x, 1)
                           .quiet(0)
                           .put(0, {1, k_flag_of_0}, 1)
                           .wait(1, k_flag_of_0, 1, 1)
                           .put(1, {2, k_flag_of_0 + 1}, 1)
                           .wait(2, k_flag_of_0 + 1, 1, 1);
  expect_allowed(script(chain).get(2, k_x, {1}));
  expect_refused(script(chain).get(2, k_x, {0}));
}

TEST(one_sided_checker, wants_data_seen_before_its_signal) {
  const script told =
      script(2).put(0, k_z, 1).put_signal(0, k_y, 2, k_flag_of_0).wait(1, k_flag_of_0, 1, 1);
  expect_allowed(script(told).get(1, k_y, {2, 0}));
  expect_allowed(script(told).get(1, k_y, {2, 1}));
  expect_refused(script(told).get(1, k_y, {0, 1}));
}

TEST(one_sided_checker, counts_signals) {
  const script two =
      script(3).put_signal(0, k_y, 1, access::k_signals).put_signal(2, k_z, 2, access::k_signals);
  expect_allowed(script(two).wait(1, access::k_signals, 1, 1).get(1, k_y, {1, 0}));
  expect_allowed(script(two).wait(1, access::k_signals, 1, 1).get(1, k_y, {0, 2}));
  expect_refused(script(two).wait(1, access::k_signals, 1, 2).get(1, k_y, {0, 2}));
  expect_refused(script(two).wait(1, access::k_signals, 1, 3), "no more than 2");
}

TEST(one_sided_checker, lets_processors_buffer_stores) {
  const script puts = script(2).put(0, k_x, 1).put(1, k_y, 2);
  expect_allowed(script(puts).get(0, k_y, {0}).get(1, k_x, {0}));
  expect_allowed(script(puts).get(0, k_x, {1}).get(1, k_y, {2}).get(0, k_y, {0}).get(1, k_x, {0}));
  expect_refused(script(puts).quiet(0).quiet(1).get(0, k_y, {0}).get(1, k_x, {0}));
  expect_allowed(script(puts).quiet(0).get(0, k_y, {0}).get(1, k_x, {0}));
}

TEST(one_sided_checker, wants_all_to_see_one_order_of_each_word) {
  const script two = script(4).put(0, k_x, 1).put(1, k_x, 2);
  expect_allowed(script(two).get(2, k_x, {1}).get(2, k_x, {2}).get(3, k_x, {1}).barrier());
  expect_refused(script(two).get(2, k_x, {1}).get(2, k_x, {2}).get(2, k_x, {1}));
  const script disagree = script(two).get(2, k_x, {1}).get(2, k_x, {2}).get(3, k_x, {2});
  expect_refused(script(disagree).get(3, k_x, {1}));
  expect_refused(script(disagree).barrier().get(0, k_x, {1}));
  expect_refused(script(two).get(2, k_x, {1}).get(2, k_x, {0}));
}

TEST(one_sided_checker, allows_any_order_of_puts_without_a_fence) {
  const script two = script(2).put(0, k_y, 1).put(0, k_y, 2);
  for (const access::word last : {1, 2}) expect_allowed(script(two).barrier().get(1, k_y, {last}));
  const script fenced = script(2).put(0, k_y, 1).fence(0).put(0, k_y, 2);
  expect_refused(script(fenced).get(1, k_y, {2}).get(1, k_y, {1}));
  expect_refused(script(fenced).barrier().get(1, k_y, {1}));
}

TEST(one_sided_checker, lets_a_get_take_place_until_quiet) {
  const script asked = script(2).get_nbi(1, k_x, 1).get(1, k_x, {0});
  expect_allowed(script(asked).put(0, k_x, 1).quiet(1).barrier());
  expect_refused(script(asked).quiet(1).barrier().put(0, k_x, 1));
  expect_refused(with_x_put().barrier().get_nbi(1, k_x, 0).quiet(1));
  const script crossed = script(2).put(0, k_y, 1).fence(0).put(0, k_z, 2);
  expect_allowed(script(crossed).get_nbi(1, k_z, 2).get_nbi(1, k_y, 0).quiet(1));
  expect_refused(script(crossed).get_nbi(1, k_z, 2).quiet(1).get_nbi(1, k_y, 0).quiet(1));
}

TEST(one_sided_checker, gives_each_value_to_one_exchange) {
  const script first = script(3).exchange(0, k_lock, 1, 0);
  expect_allowed(script(first).exchange(2, k_lock, 2, 1).barrier().fetch(1, k_lock, 2));
  expect_allowed(script(3).exchange(0, k_lock, 1, 2).exchange(2, k_lock, 2, 0));
  expect_refused(script(first).exchange(2, k_lock, 2, 0), "and so does step 1 of PE 2");
  expect_refused(script(first).compare_exchange(2, k_lock, 0, 2, 0), "and so does");
  expect_refused(script(3).exchange(0, k_lock, 1, 2).exchange(2, k_lock, 2, 1));
  expect_refused(script(first).exchange(0, k_lock, 2, 1).barrier().fetch(1, k_lock, 1));
}

TEST(one_sided_checker, knows_whether_a_comparison_held) {
  const script set = script(3).set(0, k_lock, 1).quiet(0);
  expect_allowed(script(set).compare_exchange(0, k_lock, 1, 2, 1).fetch(0, k_lock, 2));
  expect_allowed(script(set).compare_exchange(0, k_lock, 0, 2, 1).fetch(0, k_lock, 1));
  expect_refused(script(set).compare_exchange(0, k_lock, 0, 2, 1).fetch(0, k_lock, 2),
                 "which nobody stores");
  expect_refused(script(set).compare_exchange(0, k_lock, 1, 2, 1).fetch(0, k_lock, 1));
  expect_refused(script(set).compare_exchange(0, k_lock, 0, 2, 0));
}

TEST(one_sided_checker, lets_nothing_between_what_an_exchange_reads_and_stores) {
  const script both = script(3).exchange(0, k_lock, 1, 0).set(2, k_lock, 2);
  expect_allowed(script(both).barrier().fetch(1, k_lock, 2));
  expect_refused(script(both).barrier().fetch(1, k_lock, 1));
  expect_allowed(script(both).fetch(1, k_lock, 1).fetch(1, k_lock, 2));
  expect_refused(script(both).fetch(1, k_lock, 2).fetch(1, k_lock, 1));
  const script chain = script(3).exchange(0, k_lock, 1, 0).exchange(0, k_lock, 2, 1);
  expect_refused(script(chain).fetch(1, k_lock, 2).set(1, k_lock, 3).exchange(0, k_lock, 4, 1),
                 "and so does");
}

TEST(one_sided_checker, counts_adds) {
  const script two = script(2).fetch_add(0, k_count, 1).fetch_add(1, k_count, 0);
  expect_allowed(script(two).barrier().fetch(0, k_count, 2));
  expect_refused(script(two).barrier().fetch(0, k_count, 1));
  expect_refused(script(two).barrier().fetch(0, k_count, 3), "no more than 2");
  expect_refused(script(2).fetch_add(0, k_count, 0).fetch_add(1, k_count, 0), "and so does");
  expect_refused(script(2).fetch_add(0, k_count, 1).fetch_add(0, k_count, 0));
  expect_refused(script(2).fetch_add(0, k_count, 2).fetch_add(1, k_count, 0), "no more than 1");
}

TEST(one_sided_checker, counts_adds_that_return_nothing) {
  const script some = script(2).add_one(0, k_count).add_one(0, k_count);
  for (const access::word seen : {0, 1, 2}) expect_allowed(script(some).fetch(0, k_count, seen));
  expect_refused(script(some).quiet(0).fetch(0, k_count, 1), "2 were added before");
  expect_refused(script(some).fetch(1, k_count, 2).fetch(1, k_count, 1));
  expect_allowed(script(some).fetch_add(1, k_count, 1).barrier().fetch(0, k_count, 3));
  expect_refused(script(some).fetch_add(1, k_count, 0).quiet(0).fetch(0, k_count, 1), "3 were");
}

}  // namespace
