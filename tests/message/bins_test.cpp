// Tests bins, in which a sender collects the updates of one range of an array. The updates of a bin
// are executed together. No update may wait in a bin forever.

#include "support/own_state.hpp"
#include "support/run_on.hpp"

#include <functional>
#include <numeric>

using namespace atl;

namespace {

using words = global_array<std::uint64_t>;

// The array has 16 MiB per PE, which are divided into sixteen ranges.
constexpr std::uint64_t k_words = 2 << 20;
constexpr std::uint64_t k_stretches = 16;
constexpr std::uint64_t k_words_of_stretch = k_words / k_stretches;

task<words> large_array() { return make_array<std::uint64_t>(k_words * std::uint64_t(pes())); }

constexpr auto itself = [](std::uint64_t key) noexcept { return key; };
constexpr auto add_one = [](std::uint64_t& word, std::uint64_t) noexcept { ++word; };

/// The range that was updated last on a PE, and the number of changes to another range.
struct visits {
  std::uint64_t last = ~std::uint64_t{0};
  std::uint64_t changes = 0;
};

visits& visits_here() {
  static thread_local test::own_state<visits> each;
  return each();
}

/// An update that counts on its PE how often two successive updates change different ranges of
/// memory.
struct visit {
  words array;
  std::uint64_t words_of_stretch;

  void operator()(std::uint64_t& word, std::uint64_t) const noexcept {
    visits& here = visits_here();
    const auto stretch =
        static_cast<std::uint64_t>(&word - array.local().data()) / words_of_stretch;
    here.changes += here.last != stretch;
    here.last = stretch;
  }
};

/// Returns keys that alternate between distant ranges of an array.
struct jumping {
  std::uint64_t size;
  std::uint64_t i = 0;
  std::uint64_t operator()() { return hash(++i) % size; }
};

/// Lets each PE issue 1,024 updates for each range, in a random order. A bin holds 256 updates for
/// one range, so successive updates at the owner must change the range about once per 256 updates.
task<> expect_few_changes(std::uint64_t size, std::uint64_t block, std::uint64_t stretch) {
  const words array = co_await make_array<std::uint64_t>(size, block);
  const auto part = [=]() -> task<> {
    visits_here() = {};
    co_await all_barrier();
    const std::uint64_t keys = 1024 * k_stretches * static_cast<std::uint64_t>(pes());
    const auto issue = [=] {
      auto updates = updates_by_key<std::uint64_t>(array, itself, visit{array, stretch});
      updates.issue(keys, jumping{size});
    };
    co_await finish(issue);
    co_await all_barrier();
    const auto senders = static_cast<std::uint64_t>(pes());
    EXPECT_LE(visits_here().changes, keys / 256 + 2 * k_stretches * senders);
  };
  co_await on_all_pes(part);
  co_await array.destroy();
}

class bins : public test::on_pes {
 protected:
  bins() { options.routing = routing::direct; }
};

TEST_P(bins, let_what_touches_one_stretch_be_executed_in_a_row) {
  run([]() -> task<> {
    const std::uint64_t size = k_words * static_cast<std::uint64_t>(pes());
    co_await expect_few_changes(size, 0, k_words_of_stretch);
    co_await expect_few_changes(size, 4096, k_words_of_stretch);
    co_await expect_few_changes(size, 7, 2 * k_words_of_stretch);
    co_await expect_few_changes(size + 12'345, 0, 2 * k_words_of_stretch);
  });
}

TEST_P(bins, have_created_what_waits_in_them) {
  run([]() -> task<> {
    const words array = co_await large_array();
    const auto issue = [=] {
      const std::uint64_t before = this_pe().messages->created();
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      updates.issue(5'000, jumping{array.size()});
      EXPECT_EQ(this_pe().messages->created() - before, 5'000u);
    };
    co_await finish(issue);
    co_await array.destroy();
  });
}

TEST_P(bins, are_not_quiet_while_something_waits_in_them) {
  run([]() -> task<> {
    const words array = co_await large_array();
    const auto part = [=]() -> task<> {
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      updates.issue(5'000, jumping{array.size()});
      co_await all_quiet();
      const auto mine = array.local();
      const auto landed = std::accumulate(mine.begin(), mine.end(), std::uint64_t{0});
      const std::uint64_t all = co_await all_reduce(landed, std::plus<>());
      EXPECT_EQ(all, 5'000 * static_cast<std::uint64_t>(pes()));
    };
    co_await on_all_pes(part);
    co_await array.destroy();
  });
}

/// Issues updates of this PE's own memory until an update is refused. Returns the number of
/// accepted updates.
std::uint64_t issue_until_refused(const words& array) {
  std::uint64_t asked = 0;
  auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
  const std::uint64_t first = static_cast<std::uint64_t>(my_pe()) * k_words;
  const auto next = [&] { return first + asked++ * 7919 % k_words; };
  try {
    updates.issue(std::uint64_t{1} << 40, next);
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.code(), errc::overflow);
  }
  return asked - 1;
}

// No update is delivered while a PE issues updates, so the memory for unsent messages reaches its
// limit. Accepted updates must be executed, and refused updates must not be executed.
TEST_P(bins, refuse_what_the_overflow_has_no_room_for_and_lose_nothing) {
  options.overflow_limit = 64 << 10;
  run([]() -> task<> {
    const words array = co_await large_array();
    const auto part = [=]() -> task<> {
      std::uint64_t accepted = 0;
      for (int round = 0; round < 3; ++round) {
        const auto issue = [&] { accepted += issue_until_refused(array); };
        co_await finish(issue);
      }
      const auto mine = array.local();
      EXPECT_EQ(std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}), accepted);
    };
    co_await on_all_pes(part);
    co_await array.destroy();
  });
}

ATOLL_RUN_ON_ALL(bins);

TEST(bins_of_a_job, do_not_aggregate_where_nothing_does) {
  settings options = test::job_of(2);
  options.aggregation = false;
  test::run_on(options, []() -> task<> {
    const words array = co_await large_array();
    const auto issue = [=] {
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      const std::uint64_t before = this_pe().counters->buffers_sent;
      updates.issue(50, [key = k_words]() mutable { return key += 40'000; });
      // The last buffer has not been sent yet.
      EXPECT_EQ(this_pe().counters->buffers_sent - before, 49u);
    };
    co_await finish(issue);
    co_await array.destroy();
  });
}

settings two_pes_that_flush_after(std::uint64_t nanoseconds) {
  settings options = test::job_of(2);
  options.flush_age = static_cast<decltype(options.flush_age)>(nanoseconds);
  return options;
}

/// Returns true if PE 1 reports an update of PE 0 within `nanoseconds` ns. Until PE 1 reports the
/// update, PE 0 is always busy and calls `meanwhile(updates)`.
template <class Meanwhile>
task<bool> lands_within(std::int64_t nanoseconds, const Meanwhile& meanwhile) {
  static thread_local bool told;
  told = false;
  const words array = co_await large_array();
  auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
  bool landed = false;
  const auto issue = [&]() -> task<> {
    async_call(1, [array] {
      spawn([array]() -> task<> {
        while (array.local()[0] == 0) co_await yield();
        async_call(0, [] { told = true; });
      });
    });
    this_pe().messages->flush();
    updates.issue(k_words);
    auto& tasks = *this_pe().tasks;
    for (const auto begin = tasks.now(); !told && tasks.now() - begin < nanoseconds;) {
      meanwhile(updates);
      co_await yield();
    }
    landed = told;
  };
  co_await finish(issue);
  co_await array.destroy();
  co_return landed;
}

constexpr auto nothing = [](auto&) {};

TEST(bins_of_a_busy_pe, let_go_what_is_old) {
  test::run_on(two_pes_that_flush_after(1'000'000), []() -> task<> {
    const bool landed = co_await lands_within(50'000'000'000, nothing);
    EXPECT_TRUE(landed);
  });
}

// A sender collects updates in a bin, and recent updates must stay in the bin. If updates of a bin
// were moved to a buffer, the counter `runs_opened` would grow.
TEST(bins_of_a_busy_pe, keep_what_is_not_old) {
  test::run_on(two_pes_that_flush_after(10'000'000'000), []() -> task<> {
    const words array = co_await large_array();
    const auto issue = [=]() -> task<> {
      const std::uint64_t before = this_pe().counters->runs_opened;
      auto updates = updates_by_key<std::uint64_t>(array, itself, add_one);
      updates.issue(k_words);
      auto& tasks = *this_pe().tasks;
      for (const auto begin = tasks.now(); tasks.now() - begin < 5'000'000;) co_await yield();
      EXPECT_EQ(this_pe().counters->runs_opened, before);
    };
    co_await finish(issue);
    co_await array.destroy();
  });
}

// Updates in a bin wait longer while other bins fill up. Even if a bin never fills up, its updates
// must be sent in the end.
TEST(bins_of_a_busy_pe, let_go_what_is_old_while_others_get_full) {
  test::run_on(two_pes_that_flush_after(100'000), []() -> task<> {
    const auto fill_another = [](auto& updates) {
      updates.issue(1'000, [key = std::uint64_t{0}]() mutable { return key++; });
    };
    const bool landed = co_await lands_within(50'000'000'000, fill_another);
    EXPECT_TRUE(landed);
  });
}

TEST(bins_of_arrays, are_for_large_ones_on_few_pes) {
  using memory::log2_stretches_of;
  EXPECT_EQ(log2_stretches_of(std::uint64_t{16} << 20, 1), 4u);
  EXPECT_EQ(log2_stretches_of((std::uint64_t{16} << 20) - 8, 1), 0u);
  EXPECT_EQ(log2_stretches_of(std::uint64_t{1} << 40, 1), 7u);
  EXPECT_EQ(log2_stretches_of(std::uint64_t{1} << 40, 3), 5u);
  EXPECT_EQ(log2_stretches_of(std::uint64_t{1} << 40, 8), 4u);
  EXPECT_EQ(log2_stretches_of(std::uint64_t{1} << 40, 9), 0u);
  EXPECT_EQ(log2_stretches_of(std::uint64_t{1} << 40, 100'000), 0u);
}

}  // namespace
