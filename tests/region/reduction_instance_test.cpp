// Compares the contributions of all PEs with a plain loop. The contributions are made by each kind
// of reduction instance, and by single messages.

#include "atoll/instance.hpp"
#include "atoll/random.hpp"
#include "region/some_totals.hpp"
#include "support/run_on.hpp"

#include <limits>
#include <vector>

using namespace atl;
using test::adding;
using test::elements_of;
using test::total_part;
using test::totals;

namespace {

class reduction_instances : public test::on_pes {};

constexpr std::int64_t k_first = -3;

std::vector<instance_placement> places_of_totals() {
  const int last = pes() - 1;
  return {instance_placement::spread(), instance_placement::on(last),
          instance_placement::in_node_memory_of(last),
          instance_placement::in_blocks<1>({5}).with(field_order::array_of_structures),
          instance_placement::spread().with(field_order::array_of_structures)};
}

/// Calls `reduce(element, value)` for each contribution of a PE.
template <class Reduce>
void for_each_contribution(int pe, std::uint64_t contributions, std::uint64_t size,
                           const Reduce& reduce) {
  random_stream random(7, static_cast<std::uint64_t>(pe));
  for (std::uint64_t k = 0; k < contributions; ++k) {
    const std::uint64_t element = random.below(size);
    reduce(element, static_cast<std::int32_t>(random.below(100)) - 40);
  }
}

template <class Operation>
std::vector<std::int64_t> expected_totals(const Operation& operation, std::int64_t start,
                                          std::uint64_t contributions, std::uint64_t size) {
  std::vector<std::int64_t> all(size, start);
  for (int pe = 0; pe < pes(); ++pe)
    for_each_contribution(pe, contributions, size, [&](std::uint64_t element, std::int32_t value) {
      operation.apply(all[element], value);
    });
  return all;
}

/// Reduces into `size` elements in the middle of larger instances of all placements. All elements
/// initially have the value `start`. Each PE awaits `reduce_all(part)`. Elements outside of the
/// reduced part must keep the value `start`.
template <class Operation, class ReduceAll>
task<> check(Operation operation, std::int64_t start, std::uint64_t contributions,
             std::uint64_t size, ReduceAll reduce_all) {
  const auto points = interval(k_first, k_first + static_cast<std::int64_t>(size) + 9);
  for (const auto& place : places_of_totals()) {
    const totals all = make_instance<std::int8_t, std::int64_t>(points, place);
    const event begun = fill_when(all.ready(), all.part<1>(), start);
    co_await begun;
    const total_part some = all.part<1>().cut(interval(4, static_cast<std::int64_t>(size) + 4));
    co_await on_all_pes([some, reduce_all] { return reduce_all(some); });
    EXPECT_EQ(co_await elements_of(some), expected_totals(operation, start, contributions, size));
    const auto before = co_await elements_of(all.part<1>().cut(interval(0, 4)));
    EXPECT_EQ(before, std::vector<std::int64_t>(4, start));
    co_await all.destroy();
  }
}

template <template <class> class Instance, class Operation>
task<> check_instance(Operation operation, std::int64_t start) {
  for (const auto& [contributions, size] :
       {std::pair{0, 10}, {1, 1}, {3, 1000}, {5000, 37}, {700, 2000}}) {
    const auto number = static_cast<std::uint64_t>(contributions);
    const auto elements = static_cast<std::uint64_t>(size);
    const auto reduce_all = [=](total_part part) -> task<> {
      Instance<Operation> mine(operation, part);
      for_each_contribution(my_pe(), number, elements,
                            [&](auto element, auto value) { mine.reduce(element, value); });
      const event merged = mine.merge();
      co_await merged;
    };
    co_await check(operation, start, number, elements, reduce_all);
  }
}

TEST_P(reduction_instances, as_lists_reduce_all) {
  run([] { return check_instance<list_instance>(adding(), 5); });
}
TEST_P(reduction_instances, as_partial_results_reduce_all) {
  run([] { return check_instance<fold_instance>(adding(), -5); });
}
TEST_P(reduction_instances, that_choose_reduce_all) {
  run([] { return check_instance<automatic_instance>(adding(), 0); });
}
TEST_P(reduction_instances, find_the_largest) {
  run([]() -> task<> {
    const std::int64_t lowest = std::numeric_limits<std::int64_t>::lowest();
    co_await check_instance<list_instance>(max<std::int64_t>(), lowest);
    co_await check_instance<fold_instance>(max<std::int64_t>(), lowest);
    co_await check_instance<automatic_instance>(max<std::int64_t>(), 10);
  });
}

TEST_P(reduction_instances, are_not_needed_for_single_elements) {
  run([]() -> task<> {
    const auto by_messages = [](total_part part) -> task<> {
      const region_elements<std::int64_t> elements(part);
      for_each_contribution(my_pe(), 500, 77, [&](auto element, auto value) {
        elements.async_reduce(adding(), element, value);
      });
      co_return;
    };
    co_await check(adding(), 3, 500, 77, by_messages);
    const auto one_by_one = [](total_part part) -> task<> {
      const region_elements<std::int64_t> elements(part);
      std::vector<std::pair<std::uint64_t, std::int32_t>> all;
      for_each_contribution(my_pe(), 100, 77,
                            [&](auto element, auto value) { all.emplace_back(element, value); });
      for (const auto& [element, value] : all) co_await elements.reduce(adding(), element, value);
    };
    co_await check(adding(), 3, 100, 77, one_by_one);
  });
}

TEST_P(reduction_instances, may_be_read_and_written_by_element) {
  run([]() -> task<> {
    for (const auto& place : places_of_totals()) {
      const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 23), place);
      co_await all.ready();
      const region_elements<std::int64_t> elements(all.part<1>());
      for (std::uint64_t i = 0; i < elements.size(); ++i)
        co_await elements.write(i, static_cast<std::int64_t>(i * i));
      for (std::uint64_t i = 0; i < elements.size(); ++i) {
        const std::int64_t found = co_await elements.read(i);
        EXPECT_EQ(found, static_cast<std::int64_t>(i * i));
      }
      co_await all.destroy();
    }
  });
}

TEST_P(reduction_instances, merge_when_they_may) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 50));
    co_await all.ready();
    const user_event go = make_user_event();
    list_instance<adding> list(adding(), all.part<1>(), go);
    fold_instance<adding> fold(adding(), all.part<1>(), go);
    automatic_instance<adding> chosen(adding(), all.part<1>(), 0, go);
    for (int k = 0; k < 20'000; ++k) list.reduce(7, 1);
    fold.reduce(7, 2);
    for (int k = 0; k < 3000; ++k) chosen.reduce(7, 1);
    const event every[] = {list.merge(), fold.merge(), chosen.merge()};
    co_await sleep_for(50'000);
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 0);
    go.trigger();
    const event merged = merge_events(every);
    co_await merged;
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 23'002);
    co_await all.destroy();
  });
}

// A list whose precondition is an event of another PE must learn of the event's end without waiting
// for it. After its precondition has ended, the list must send each full chunk.
TEST_P(reduction_instances, leave_when_another_pe_lets_them) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 50));
    co_await all.ready();
    const user_event go = co_await call(pes() - 1, [] { return make_user_event(); });
    list_instance<adding> list(adding(), all.part<1>(), go);
    const auto reduce_some = [&] {
      for (int k = 0; k < 20'000; ++k) list.reduce(7, 1);
    };
    reduce_some();
    go.trigger();
    for (int k = 0; k < 1000 && !go.has_triggered(); ++k) co_await sleep_for(50'000);
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 0);
    reduce_some();
    EXPECT_GT((co_await elements_of(all.part<1>()))[7], 0);
    const event merged = list.merge();
    co_await merged;
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 40'000);
    co_await all.destroy();
  });
}

// An automatic instance first collects contributions in a list, and later folds contributions into
// partial results. No contribution may be lost when the instance changes its method.
TEST_P(reduction_instances, that_choose_lose_nothing_when_they_change) {
  run([]() -> task<> {
    constexpr std::int64_t size = 36'000;
    const totals all =
        make_instance<std::int8_t, std::int64_t>(interval(0, size), instance_placement::spread());
    co_await all.ready();
    const auto reduce_all = [all]() -> task<> {
      automatic_instance<adding> mine(adding(), all.part<1>());
      bool was_list = false;
      for_each_contribution(my_pe(), 12'000, size, [&](auto element, auto value) {
        mine.reduce(element, value);
        was_list = was_list || !mine.is_fold();
      });
      EXPECT_TRUE(was_list);
      EXPECT_TRUE(mine.is_fold());
      const event merged = mine.merge();
      co_await merged;
    };
    co_await on_all_pes(reduce_all);
    EXPECT_EQ(co_await elements_of(all.part<1>()), expected_totals(adding(), 0, 12'000, size));
    co_await all.destroy();
  });
}

// Three elements get most of the contributions. Elements with few contributions sometimes evict
// elements with many contributions from the cache of partial results.
TEST_P(reduction_instances, that_choose_fold_where_a_few_elements_get_most) {
  run([]() -> task<> {
    const std::int64_t size = 1'200'000;
    const totals all =
        make_instance<std::int8_t, std::int64_t>(interval(0, size), instance_placement::spread());
    co_await all.ready();
    automatic_instance<adding> mine(adding(), all.part<1>());
    std::vector<std::int64_t> expected(size);
    for (std::uint64_t k = 0; k < 9000; ++k) {
      const std::uint64_t element = k % 50 == 0 ? hash(k) % size : k % 3 * 400'000;
      mine.reduce(element, 1 + static_cast<std::int32_t>(k % 5));
      expected[element] += 1 + static_cast<std::int64_t>(k % 5);
    }
    EXPECT_FALSE(mine.is_fold());
    const event merged = mine.merge();
    co_await merged;
    EXPECT_TRUE(co_await elements_of(all.part<1>()) == expected);
    co_await all.destroy();
  });
}

ATOLL_RUN_ON_ALL(reduction_instances);

}  // namespace
