#include "bench/gups.hpp"

#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

namespace atl::bench::gups {
namespace {

class gups : public test::on_pes {
 protected:
  outcome measured(parameters chosen) {
    chosen.verify = true;
    outcome result;
    run([&]() -> task<> { result = co_await measure(chosen); });
    return result;
  }

  void expect_right(parameters chosen) {
    const outcome result = measured(chosen);
    const auto words = static_cast<std::uint64_t>(size()) << chosen.log2_table;
    EXPECT_EQ(result.complaint(), "") << "2^" << chosen.log2_table << " words on each PE";
    EXPECT_EQ(result.updates, words * chosen.updates_per_word);
    EXPECT_EQ(result.applied_updates, result.updates);
    EXPECT_EQ(result.bytes_peak, 2 * words * sizeof(std::uint64_t));
    EXPECT_GT(result.seconds, 0);
  }

  void expect_right_on_tables_of_all_sizes() {
    expect_right({.log2_table = 0, .updates_per_word = 1});
    expect_right({.log2_table = 3, .updates_per_word = 7});
    expect_right({.log2_table = 11, .updates_per_word = 4});
  }
};

TEST_P(gups, makes_no_error) { expect_right_on_tables_of_all_sizes(); }

TEST_P(gups, makes_no_error_without_aggregation) {
  options.aggregation = false;
  expect_right_on_tables_of_all_sizes();
}

TEST_P(gups, makes_no_error_where_room_is_scarce) {
  options.buffer_size = 1 << 10;
  options.buffers_per_pair = 2;
  expect_right({.log2_table = 12, .updates_per_word = 4});
}

// The owners of words are distributed evenly. A PE therefore sends about 1 / PEs of its updates to
// itself.
TEST_P(gups, sends_messages_to_other_pes_only) {
  const outcome result = measured({.log2_table = 12, .updates_per_word = 4});
  const double expected =
      static_cast<double>(result.updates) * static_cast<double>(size() - 1) / size();
  EXPECT_NEAR(static_cast<double>(result.executed_messages), expected, 0.1 * expected);
}

TEST_P(gups, gives_its_memory_back) {
  run([&]() -> task<> {
    const parameters chosen{.log2_table = 8, .verify = true};
    const outcome first = co_await measure(chosen);
    const outcome second = co_await measure(chosen);
    EXPECT_EQ(first.bytes_peak, second.bytes_peak);
    EXPECT_EQ(second.complaint(), "");
  });
}

/// Updates a table of 2^8 words per PE, calls `spoil` on every PE, and verifies the table.
template <class Spoil>
task<outcome> verified_pass_with(Spoil spoil) {
  const std::uint64_t size = static_cast<std::uint64_t>(pes()) << 8;
  const table words = co_await make_array<std::uint64_t>(size);
  const table expected = co_await make_array<std::uint64_t>(size);
  outcome result;
  const auto on_each = [=, to_pe_0 = &result]() -> task<> {
    co_await initialise(words);
    outcome mine = co_await all_counted_pass(words, 4 * size);
    spoil(words, mine);
    co_await all_verify(words, expected, mine);
    const outcome all = co_await all_reduce(mine, &combined);
    if (my_pe() == 0) *to_pe_0 = all;
  };
  co_await on_all_pes(on_each);
  co_return result;
}

TEST_P(gups, finds_one_wrong_bit_on_the_last_pe) {
  run([]() -> task<> {
    const auto spoil = [](table words, outcome&) {
      if (my_pe() == pes() - 1) words.local()[77] ^= std::uint64_t{1} << 63;
    };
    const outcome result = co_await verified_pass_with(spoil);
    EXPECT_FALSE(result.right());
    EXPECT_EQ(result.complaint(),
              "words that differ from the replay of the stream: 1 instead of 0; "
              "words that a second pass does not restore: 1 instead of 0");
  });
}

TEST_P(gups, finds_two_words_that_changed_places) {
  run([]() -> task<> {
    const auto spoil = [](table words, outcome&) {
      if (my_pe() == 0) std::swap(words.local()[0], words.local()[1]);
    };
    const outcome result = co_await verified_pass_with(spoil);
    EXPECT_EQ(result.wrong_words, 2U);
    EXPECT_EQ(result.unrestored_words, 2U);
  });
}

TEST_P(gups, finds_an_update_that_was_applied_twice) {
  run([]() -> task<> {
    const auto spoil = [](table, outcome& mine) {
      if (my_pe() == 0) ++mine.applied_updates;
    };
    const outcome result = co_await verified_pass_with(spoil);
    EXPECT_EQ(result.complaint(),
              fmt::format("applied updates: {} instead of {}", result.updates + 1, result.updates));
  });
}

TEST_P(gups, finds_nothing_in_a_table_left_alone) {
  run([]() -> task<> {
    const auto spoil = [](table, outcome&) {};
    const outcome result = co_await verified_pass_with(spoil);
    EXPECT_EQ(result.complaint(), "");
  });
}

// The verification needs as much memory as the table.
TEST_P(gups, refuses_a_table_that_does_not_fit) {
  const parameters chosen{.log2_table = 10, .verify = true};
  options.memory_limit = static_cast<std::uint64_t>(size()) * (12 << 10);
  const test::captured_stderr said;
  EXPECT_EQ(test::status_of(options, [&]() -> task<> { co_await measure(chosen); }), 2);
  EXPECT_NE(said.text().find("needs 8 KiB on each of"), std::string::npos) << said.text();
}

ATOLL_RUN_ON_ALL(gups);

}  // namespace
}  // namespace atl::bench::gups
