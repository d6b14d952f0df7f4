// Tests the slots that store events, and the lists of the waiters of an event.

#include "atoll/event/table.hpp"
#include "support/run_on.hpp"

#include <deque>
#include <set>

using namespace atl;
using namespace atl::events;

namespace {

TEST(event_slots, are_used_again_oldest_first) {
  memory_account account;
  slot_table slots(account);
  std::deque<std::uint32_t> free;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t taken = slots.take(use::user, {});
    if (!free.empty() && taken == free.front())
      free.pop_front();
    else
      ASSERT_EQ(std::ranges::count(free, taken), 0);
    ++slots[taken].generation;
    slots.give_back(taken);
    free.push_back(taken);
  }
  EXPECT_LT(slots.size(), 300U);
}

TEST(event_slots, are_retired_after_their_last_generation) {
  memory_account account;
  constexpr std::uint32_t k_last = 5;
  slot_table slots(account, 1, k_last);
  std::set<std::pair<std::uint32_t, std::uint32_t>> names;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint32_t taken = slots.take(use::user, {});
    EXPECT_LT(std::uint32_t{slots[taken].generation}, k_last);
    const std::uint32_t generation = slots[taken].generation;
    EXPECT_TRUE(names.emplace(taken, generation).second) << "a name was used twice";
    ++slots[taken].generation;
    slots.give_back(taken);
  }
}

TEST(event_waiters, are_taken_in_order) {
  memory_account account(1'000'000'000, 1);
  waiter_blocks blocks(account);
  std::vector<waiter_list> lists(1000);
  for (int number = 0; number < 2000; ++number)
    for (std::size_t i = 0; i < lists.size(); ++i)
      if (number < static_cast<int>(2 * i)) blocks.add(lists[i], waiter::of_pe(number));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    int next = 0;
    blocks.for_each(lists[i], [&](waiter each) { EXPECT_EQ(each.pe(), next++); });
    EXPECT_EQ(next, static_cast<int>(2 * i));
    next = 0;
    blocks.take(lists[i], [&](waiter each) { EXPECT_EQ(each.pe(), next++); });
    EXPECT_EQ(next, static_cast<int>(2 * i));
    EXPECT_FALSE(lists[i].first);
  }
}

// A timed operation has two successive entries in a waiter list: its task, and the object that
// stores its times (clock). `remove` must remove both entries and leave the entries of other
// operations.
TEST(event_waiters, take_their_clocks_along) {
  memory_account account(1'000'000'000, 1);
  for (std::size_t removed = 0; removed < 9; ++removed) {
    waiter_blocks blocks(account);
    waiter_list list;
    std::vector<tasks::frame> frames(9);
    std::vector<std::int64_t> clocks(9);
    std::vector<waiter> staying;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const waiter task = waiter::of_task(frames[i]);
      const waiter clock = waiter::of_clock(clocks[i]);
      const bool is_timed = i % 3 != 0;
      blocks.add(list, task);
      if (is_timed) blocks.add(list, clock);
      if (i != removed) staying.push_back(task);
      if (i != removed && is_timed) staying.push_back(clock);
    }
    EXPECT_TRUE(blocks.remove(list, waiter::of_task(frames[removed])));
    std::vector<waiter> found;
    blocks.for_each(list, [&](waiter each) { found.push_back(each); });
    EXPECT_EQ(found, staying) << removed;
    EXPECT_FALSE(blocks.remove(list, waiter::of_task(frames[removed])));
  }
}

TEST(event_waiters, take_sixteen_bytes_at_most) {
  for (int count = 2; count <= 300; ++count) {
    memory_account account;
    waiter_blocks blocks(account);
    constexpr std::size_t k_lists = 1024;
    std::vector<waiter_list> lists(k_lists);
    for (int number = 0; number < count; ++number)
      for (waiter_list& list : lists) blocks.add(list, waiter::of_pe(number));
    const std::size_t most = k_lists * (count == 5 ? 96 : 16 * static_cast<std::size_t>(count));
    // When the first block of a new size is allocated, bytes before the block may stay unused.
    EXPECT_LE(blocks.bytes(), most + 2048) << count;
  }
}

// The event `any` ends as soon as one of its inputs has ended. The event must then leave the waiter
// lists of its other inputs.
TEST(event_waiters, are_withdrawn_when_they_have_ended) {
  test::run_alone([]() -> task<> {
    const user_event never = make_user_event();
    const auto held = this_pe().account->held();
    for (int i = 0; i < 1'000'000; ++i) {
      const user_event soon = make_user_event();
      const event any = any_of_events({never, soon});
      soon.trigger();
      if (!any.has_triggered()) ADD_FAILURE() << i;
    }
    EXPECT_EQ(this_pe().account->held(), held);
    const event last = any_of_events({never, make_user_event()});
    never.trigger();
    EXPECT_TRUE(last.has_triggered());
    co_return;
  });
}

// The number of slots in use must not grow with the number of events made so far.
TEST(event_slots, are_few_however_many_events_there_were) {
  test::run_alone([]() -> task<> {
    const int rounds = test::sanitized ? 10'000 : 2'000'000;
    event last = event::none;
    std::uint32_t largest = 0;
    for (int i = 0; i < rounds; ++i) {
      const user_event a = make_user_event();
      const user_event b = make_user_event();
      const event both = merge_events({a, b, last});
      largest = std::max({largest, a.name().slot(), both.name().slot()});
      a.trigger();
      EXPECT_FALSE(both.has_triggered());
      b.trigger();
      last = both;
      if (!last.has_triggered()) ADD_FAILURE() << i;
    }
    EXPECT_LT(largest, 300U);
    EXPECT_EQ(table::here().own_slots_in_use(), 0U);
    co_return;
  });
}

}  // namespace
