// Contributions of all PEs by each kind of reduction instance, and by single messages, against the
// same in one plain loop.

#include "atoll/base/random.hpp"
#include "atoll/region/automatic_instance.hpp"
#include "atoll/region/copies.hpp"
#include "atoll/region/fold_instance.hpp"
#include "atoll/region/list_instance.hpp"
#include "atoll/region/region_elements.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace atl;

namespace {

class reduction_instances : public test::on_pes {};

using totals = region_instance<1, std::int8_t, std::int64_t>;
using total_part = region_part<std::int64_t, 1>;

constexpr std::int64_t k_first = -3;

std::vector<instance_placement> places_of_totals() {
  const int last = pes() - 1;
  return {instance_placement::spread(), instance_placement::on(last),
          instance_placement::in_node_memory_of(last),
          instance_placement::in_blocks<1>({5}).with(field_order::array_of_structures),
          instance_placement::spread().with(field_order::array_of_structures)};
}

/// Adds in another type than the elements have.
struct adding {
  using value = std::int64_t;
  using partial = std::int32_t;

  partial identity() const { return 0; }
  void apply(value& data, partial more) const { data += more; }
  void fold(partial& left, partial right) const { left += right; }
};

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

task<std::vector<std::int64_t>> elements_of(total_part part) {
  const auto here = make_instance<std::int64_t>(rectangle_of<1>(part.extents()));
  const event copied = copy_when(here.ready(), here.part(), part);
  co_await copied;
  std::vector<std::int64_t> all;
  const auto elements = here.access();
  for (std::int64_t k = 0; k < part.extents()[0]; ++k) all.push_back(elements[k]);
  co_await here.destroy();
  co_return all;
}

/// Of `size` elements in the middle of larger instances of all placements, that all begin with
/// `start`; each PE awaits `reduce_all(part)`. The rest stays as it was.
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
    for (int k = 0; k < 20'000; ++k) list.reduce(7, 1);
    fold.reduce(7, 2);
    const event both[] = {list.merge(), fold.merge()};
    co_await sleep_for(50'000);
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 0);
    go.trigger();
    const event merged = merge_events(both);
    co_await merged;
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 20'002);
    co_await all.destroy();
  });
}

struct refusing : adding {
  void apply(value& data, partial more) const {
    if (more == 13) throw error(errc::input, "no thirteens");
    data += more;
  }
};

template <template <class> class Instance>
task<> expect_refusal() {
  const totals all =
      make_instance<std::int8_t, std::int64_t>(interval(0, 64), instance_placement::on(pes() - 1));
  co_await all.ready();
  const auto held = this_pe().account->held();
  Instance<refusing> mine(refusing(), all.part<1>());
  mine.reduce(3, 13);
  const event merged = mine.merge();
  const std::optional<event_fault> refused = co_await merged.settled();
  EXPECT_TRUE(refused.has_value());
  const event later = fill_when(event::none, all.part<1>(), 0);
  const std::optional<event_fault> poisoned = co_await later.settled();
  EXPECT_TRUE(poisoned.has_value()) << "the instance is poisoned";
  EXPECT_EQ(this_pe().account->held(), held);
  co_await all.destroy();
}

TEST_P(reduction_instances, poison_what_they_fail_to_reduce) {
  run([]() -> task<> {
    co_await expect_refusal<list_instance>();
    co_await expect_refusal<fold_instance>();
    co_await expect_refusal<automatic_instance>();
  });
}

// Full chunks leave before, and have to be waited for.
TEST_P(reduction_instances, may_be_given_up) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64),
                                                                instance_placement::on(pes() - 1));
    co_await all.ready();
    const auto some = [all]() -> task<> {
      list_instance<adding> list(adding(), all.part<1>());
      for (int k = 0; k < 20'000; ++k) list.reduce(9, 1);
      throw std::runtime_error("given up");
      co_return;
    };
    std::string text;
    try {
      co_await finish(some);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_EQ(text, "given up");
    const std::int64_t reduced = (co_await elements_of(all.part<1>()))[9];
    EXPECT_GT(reduced, 0);
    EXPECT_LE(reduced, 20'000);
    co_await all.destroy();
  });
}

// A failed precondition keeps all of a list from the part, also what filled chunks before.
TEST_P(reduction_instances, of_failed_preconditions_change_nothing) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 50));
    co_await all.ready();
    const user_event go = make_user_event();
    list_instance<adding> list(adding(), all.part<1>(), go);
    go.poison(std::make_exception_ptr(error(errc::input, "not to begin")));
    for (int k = 0; k < 20'000; ++k) list.reduce(7, 1);
    const event merged = list.merge();
    const std::optional<event_fault> cancelled = co_await merged.settled();
    EXPECT_TRUE(cancelled.has_value());
    EXPECT_EQ((co_await elements_of(all.part<1>()))[7], 0);
    co_await all.destroy();
  });
}

/// Keeps more than a PE may have uncounted, and then lets some of it leave.
void reduce_many_into(list_instance<adding>& list, const user_event& open) {
  for (std::uint64_t k = 0; k < std::uint64_t{1} << 20; ++k) list.reduce(k % 64, 1);
  open.trigger();
  for (std::uint64_t k = 0; k < std::uint64_t{1} << 16; ++k) list.reduce(k % 64, 1);
}

TEST_P(reduction_instances, that_are_given_up_leave_no_memory_behind) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64),
                                                                instance_placement::on(pes() - 1));
    co_await all.ready();
    const auto held = this_pe().account->held();
    const auto some = [all]() -> task<> {
      const user_event open = make_user_event();
      list_instance<adding> list(adding(), all.part<1>(), open);
      reduce_many_into(list, open);
      throw std::runtime_error("given up");
      co_return;
    };
    std::string text;
    try {
      co_await finish(some);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_EQ(text, "given up");
    EXPECT_EQ(this_pe().account->held(), held);
    co_await all.destroy();
  });
}

TEST_P(reduction_instances, may_take_the_place_of_others_that_have_sent) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64),
                                                                instance_placement::on(pes() - 1));
    co_await all.ready();
    const auto some = [all]() -> task<> {
      list_instance<adding> list(adding(), all.part<1>());
      automatic_instance<adding> chosen(adding(), all.part<1>());
      for (int k = 0; k < 20'000; ++k) list.reduce(9, 1);
      list = list_instance<adding>(adding(), all.part<1>());
      chosen = automatic_instance<adding>(adding(), all.part<1>());
      list.reduce(10, 1);
      chosen.reduce(10, 2);
      const event both[] = {list.merge(), chosen.merge()};
      const event merged = merge_events(both);
      co_await merged;
    };
    co_await finish(some);
    EXPECT_EQ((co_await elements_of(all.part<1>()))[10], 3);
    co_await all.destroy();
  });
}

// As the memory of a task that merges is refused, what has left is under way.
TEST_P(reduction_instances, that_cannot_merge_do_no_harm) {
  options.memory_limit = std::uint64_t{1} << 30;
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64),
                                                                instance_placement::on(pes() - 1));
    co_await all.ready();
    const auto some = [all]() -> task<> {
      list_instance<adding> list(adding(), all.part<1>());
      for (int k = 0; k < 20'000; ++k) list.reduce(9, 1);
      auto code = errc::input;
      this_pe().account->add(std::size_t{1} << 40);
      try {
        for (int k = 0; k < 1000; ++k) static_cast<void>(spawn_when(event::none, [] {}));
      } catch (const error& refused) {
        code = refused.code();
      }
      EXPECT_EQ(code, errc::out_of_memory);
      code = errc::input;
      try {
        const event merged = list.merge();
        this_pe().account->release(std::size_t{1} << 40);
        co_await merged;
      } catch (const error& refused) {
        this_pe().account->release(std::size_t{1} << 40);
        code = refused.code();
      }
      EXPECT_EQ(code, errc::out_of_memory);
    };
    co_await finish(some);
    EXPECT_LE((co_await elements_of(all.part<1>()))[9], 20'000);
    co_await all.destroy();
  });
}

TEST_P(reduction_instances, without_memory_throw) {
  options.memory_limit = std::uint64_t{48} << 20;
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64));
    co_await all.ready();
    list_instance<adding> list(adding(), all.part<1>(), make_user_event());
    std::string text;
    try {
      for (std::uint64_t k = 0; k < std::uint64_t{1} << 24; ++k) list.reduce(k % 64, 1);
    } catch (const error& refused) {
      EXPECT_EQ(refused.code(), errc::out_of_memory);
      text = refused.what();
    }
    EXPECT_THAT(text, testing::HasSubstr("--memory-limit"));
    co_await all.destroy();
  });
}

ATOLL_RUN_ON_ALL(reduction_instances);

}  // namespace
