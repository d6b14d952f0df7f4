// Tests region instances, which are arrays with several fields. The tests check the locations of
// elements, copies and fills between all placements and layouts, refused calls, and the freeing of
// memory.

#include "atoll/instance.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <string>

using namespace atl;

namespace {

class instances : public test::on_pes {};

std::int64_t value_at(const point<2>& p) { return 1000 * p[0] + p[1]; }

constexpr rectangle<2> k_points{{-2, 3}, {9, 10}};

std::vector<instance_placement> placements() {
  const int last = pes() - 1;
  return {instance_placement(),
          instance_placement::on(last),
          instance_placement::in_node_memory_of(last),
          instance_placement::spread(),
          instance_placement::in_blocks<2>({2, 3}),
          instance_placement::in_blocks<2>({4, 7}).with(field_order::array_of_structures),
          instance_placement::on(last).with(field_order::array_of_structures)};
}

using plain = region_instance<2, std::int64_t>;
using record = region_instance<2, std::int8_t, std::int64_t, std::int32_t>;

/// Lets each PE write the elements that it owns.
task<> write_own(record instance) {
  co_await on_all_pes([instance] {
    for (const auto& block : instance.local_blocks()) {
      const auto wide = instance.access<1>(block);
      const auto narrow = instance.access<2>(block);
      regions::for_each_point(block, [&](const point<2>& p) {
        wide[p] = value_at(p);
        narrow[p] = static_cast<std::int32_t>(-value_at(p));
      });
    }
  });
}

/// Checks on PE 0 that the element at each point p of a part equals `expected(p)`.
template <class T, class Expected>
task<> expect_elements(region_part<T, 2> part, Expected expected) {
  const auto here = make_instance<T>(rectangle_of<2>(part.extents()));
  const event copied = copy_when(here.ready(), here.part(), part);
  co_await copied;
  const auto elements = here.access();
  regions::for_each_point(here.bounds(), [&](const point<2>& p) {
    if (elements[p] != expected(p)) ADD_FAILURE() << p[0] << " " << p[1] << ": " << elements[p];
  });
  co_await here.destroy();
}

TEST_P(instances, lie_where_they_are_placed) {
  run([]() -> task<> {
    for (const auto& chosen : placements()) {
      const record made = make_instance<std::int8_t, std::int64_t, std::int32_t>(k_points, chosen);
      co_await made.ready();
      std::uint64_t elements = 0;
      const auto count = [made](std::uint64_t, std::uint64_t& mine) {
        for (const auto& block : made.local_blocks()) mine += block.volume();
      };
      elements = co_await parallel_for(std::uint64_t(pes()), sum<std::uint64_t>{}, count);
      EXPECT_EQ(elements, k_points.volume());
      co_await write_own(made);
      co_await expect_elements(made.part<1>(), [](const point<2>& p) {
        return value_at({p[0] + k_points.low[0], p[1] + k_points.low[1]});
      });
      co_await expect_elements(made.part<2>(k_points).transposed(), [](const point<2>& p) {
        return static_cast<std::int32_t>(
            -value_at({p[1] + k_points.low[0], p[0] + k_points.low[1]}));
      });
      co_await made.destroy();
    }
  });
}

TEST_P(instances, are_copied_between_all_placements_and_layouts) {
  run([]() -> task<> {
    for (const auto& from_place : placements()) {
      const record from =
          make_instance<std::int8_t, std::int64_t, std::int32_t>(k_points, from_place);
      co_await from.ready();
      co_await write_own(from);
      for (const auto& to_place : placements()) {
        const plain to = make_instance<std::int64_t>(rectangle_of<2>({7, 11}), to_place);
        const event filled = fill_when(to.ready(), to.part(), 5);
        const rectangle<2> some{{-1, 4}, {8, 9}};
        const auto place = to.part(rectangle<2>{{1, 2}, {6, 11}});
        const event copied = copy_when(filled, place, from.part<1>(some).transposed());
        co_await copied;
        co_await expect_elements(to.part(), [](const point<2>& p) -> std::int64_t {
          if (p[0] < 1 || p[0] >= 6 || p[1] < 2) return 5;
          return value_at({p[1] - 2 - 1, p[0] - 1 + 4});
        });
        co_await to.destroy();
      }
      co_await from.destroy();
    }
  });
}

TEST_P(instances, of_many_elements_are_copied_in_messages) {
  run([]() -> task<> {
    const auto rows = rectangle_of<2>({300, 501});
    const auto from = make_instance<std::uint32_t>(rows, instance_placement::on(pes() - 1));
    const auto to = make_instance<std::uint32_t>(rectangle_of<2>({501, 300}));
    co_await from.ready();
    const auto write = [from] {
      const auto elements = from.access();
      regions::for_each_point(from.bounds(), [&](const point<2>& p) {
        elements[p] = static_cast<std::uint32_t>(value_at(p));
      });
    };
    co_await call(pes() - 1, write);
    const event copied = copy_when(to.ready(), to.part().transposed(), from.part());
    co_await copied;
    const auto elements = to.access();
    regions::for_each_point(rows, [&](const point<2>& p) {
      if (elements[{p[1], p[0]}] != static_cast<std::uint32_t>(value_at(p))) ADD_FAILURE() << p[0];
    });
    co_await from.destroy();
    co_await to.destroy();
  });
}

TEST_P(instances, are_reduced_into_others) {
  run([]() -> task<> {
    for (const auto& place : placements()) {
      const plain total = make_instance<std::int64_t>(k_points, place);
      const event ready = total.ready();
      const auto add = [total]() -> task<> {
        const plain mine = make_instance<std::int64_t>(k_points);
        const event filled = fill_when(mine.ready(), mine.part(), my_pe() + 1);
        const event reduced = reduce_when(filled, total.part(), mine.part(), sum<std::int64_t>{});
        co_await reduced;
        co_await mine.destroy();
      };
      co_await ready;
      co_await on_all_pes(add);
      const std::int64_t all = pes() * (pes() + 1) / 2;
      co_await expect_elements(total.part(), [all](const point<2>&) { return all; });
      co_await total.destroy();
    }
  });
}

std::string text_of(const std::optional<event_fault>& fault) {
  if (!fault) return "no fault";
  try {
    std::rethrow_exception(fault->failure);
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

TEST_P(instances, are_poisoned_by_what_fails_while_it_writes) {
  run([]() -> task<> {
    struct refusing : sum<std::int64_t> {
      void apply(std::int64_t& data, const std::int64_t& more) const {
        if (more == 7) throw error(errc::input, "no sevens");
        data += more;
      }
    };
    const plain from = make_instance<std::int64_t>(k_points);
    const plain to =
        make_instance<std::int64_t>(k_points, instance_placement::in_blocks<2>({3, 3}));
    co_await to.ready();
    const event sevens = fill_when(from.ready(), from.part(), 7);
    const event failed = reduce_when(sevens, to.part(), from.part(), refusing{});
    EXPECT_THAT(text_of(co_await failed.settled()), testing::HasSubstr("no sevens"));
    const event later = copy_when(event::none, from.part(), to.part());
    EXPECT_THAT(text_of(co_await later.settled()), testing::HasSubstr("no sevens"));
    const event again = fill_when(event::none, to.part(), 1);
    EXPECT_THAT(text_of(co_await again.settled()), testing::HasSubstr("no sevens"));
    co_await to.destroy();
    co_await from.destroy();
  });
}

/// A reduction that fails with a text as long as a message.
struct talkative : sum<std::int64_t> {
  void apply(std::int64_t&, const std::int64_t&) const {
    throw error(errc::input, std::string(3000, 'x') + "y");
  }
};

TEST_P(instances, are_poisoned_for_all_who_reach_their_memory) {
  options.buffer_size = 1024;
  run([]() -> task<> {
    const plain from = make_instance<std::int64_t>(k_points);
    const plain to =
        make_instance<std::int64_t>(k_points, instance_placement::in_node_memory_of(pes() - 1));
    co_await to.ready();
    co_await from.ready();
    const event failed = reduce_when(event::none, to.part(), from.part(), talkative{});
    EXPECT_THAT(text_of(co_await failed.settled()), testing::HasSubstr("xxxx"));
    const auto use = [to]() -> task<> {
      const plain own = make_instance<std::int64_t>(k_points);
      const event read = copy_when(own.ready(), own.part(), to.part());
      EXPECT_THAT(text_of(co_await read.settled()), testing::HasSubstr("xxxx"));
      co_await own.destroy();
      const plain other = make_instance<std::int64_t>(k_points);
      const event written = copy_when(other.ready(), to.part(), other.part());
      EXPECT_THAT(text_of(co_await written.settled()), testing::HasSubstr("xxxx"));
      co_await other.destroy();
      EXPECT_THROW(to.access(), error);
    };
    co_await on_all_pes(use);
    co_await to.destroy();
    co_await from.destroy();
  });
}

TEST_P(instances, of_more_than_can_be_counted_have_no_memory) {
  run([]() -> task<> {
    constexpr std::int64_t half = std::int64_t{1} << 32;
    const rectangle<2> beyond{{-half, 0}, {half, half}};
    EXPECT_FALSE(beyond.empty());
    const plain small = make_instance<std::int64_t>(k_points);
    co_await small.ready();
    for (const auto& place : placements()) {
      const record huge = make_instance<std::int8_t, std::int64_t, std::int32_t>(beyond, place);
      EXPECT_TRUE((co_await huge.ready().settled()).has_value());
      const auto some = huge.part<1>(rectangle<2>{{0, 0}, {11, 7}});
      const event copied = copy_when(ignore_faults(huge.ready()), some, small.part());
      EXPECT_THAT(text_of(co_await copied.settled()), testing::HasSubstr("no such region"));
    }
    co_await small.destroy();
  });
}

TEST_P(instances, take_no_more_memory_for_blocks_beyond_their_bounds) {
  options.memory_limit = std::uint64_t{64} << 20;
  run([]() -> task<> {
    const auto place = instance_placement::in_blocks<2>({1 << 20, 1 << 20});
    const plain made = make_instance<std::int64_t>(k_points, place);
    const event filled = fill_when(made.ready(), made.part(), 4);
    co_await filled;
    co_await expect_elements(made.part(), [](const point<2>&) { return 4; });
    co_await made.destroy();
  });
}

TEST_P(instances, of_elements_beyond_a_message_are_copied_in_memory_only) {
  options.buffer_size = 1024;
  run([]() -> task<> {
    struct large {
      std::array<std::int64_t, 160> all;
    };
    const auto from = make_instance<large>(interval(0, 3));
    const auto to = make_instance<large>(interval(0, 3), instance_placement::on(pes() - 1));
    co_await from.ready();
    co_await to.ready();
    const event copied = copy_when(event::none, to.part(), from.part());
    EXPECT_THAT(text_of(co_await copied.settled()),
                testing::HasSubstr(pes() > 1 ? "--buffer-size" : "no fault"));
    co_await to.destroy();
    co_await from.destroy();
  });
}

TEST_P(instances, that_are_left_are_given_back_at_the_end) {
  run([]() -> task<> {
    for (const auto& place : placements()) {
      const plain made = make_instance<std::int64_t>(rectangle_of<2>({100, 3000}), place);
      co_await made.ready();
    }
  });
}

TEST_P(instances, without_memory_fail_and_leave_the_rest) {
  options.memory_limit = std::uint64_t{64} << 20;
  run([]() -> task<> {
    const plain other = make_instance<std::int64_t>(k_points);
    const event filled = fill_when(other.ready(), other.part(), 3);
    co_await filled;
    const auto held = this_pe().account->held();
    for (const auto& place : placements()) {
      const plain large = make_instance<std::int64_t>(rectangle_of<2>({1 << 15, 1 << 15}), place);
      const auto some = large.part(rectangle<2>{{0, 0}, {11, 7}});
      const event copied = copy_when(large.ready(), some, other.part());
      EXPECT_THAT(text_of(co_await large.ready().settled()), testing::HasSubstr("memory"));
      EXPECT_TRUE((co_await copied.settled()).has_value());
    }
    EXPECT_EQ(this_pe().account->held(), held);
    co_await expect_elements(other.part(), [](const point<2>&) { return 3; });
    co_await other.destroy();
  });
}

TEST_P(instances, that_the_system_has_no_memory_for_fail) {
  options.memory_limit = std::uint64_t{1} << 48;
  run([]() -> task<> {
    const auto held = this_pe().account->held();
    const auto large = make_instance<std::int64_t>(interval(0, std::int64_t{1} << 44));
    EXPECT_THAT(text_of(co_await large.ready().settled()),
                testing::HasSubstr(pes() == 1 ? "the system has no" : "out of memory"));
    EXPECT_EQ(this_pe().account->held(), held);
  });
}

template <class Use>
std::string refusal(const Use& use) {
  try {
    use();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    return refused.what();
  }
  return "not refused";
}

TEST_P(instances, refuse_places_that_there_are_not) {
  run([]() -> task<> {
    EXPECT_THAT(refusal([] { instance_placement::on(pes()); }), testing::HasSubstr("there are"));
    EXPECT_THAT(refusal([] { instance_placement::on(-1); }), testing::HasSubstr("PE -1"));
    EXPECT_THAT(refusal([] { instance_placement::in_blocks<2>({4, -2}); }),
                testing::HasSubstr("extent of -2"));
    co_return;
  });
}

TEST_P(instances, that_were_never_asked_for_have_no_elements) {
  run([]() -> task<> {
    const plain none;
    EXPECT_TRUE(none.local_blocks().empty());
    EXPECT_EQ(refusal([&] { none.access(); }).find("not refused"), std::string::npos);
    const event filled = fill_when(none.ready(), none.part(), 1);
    co_await filled;
    const event destroyed = none.destroy();
    EXPECT_THAT(text_of(co_await destroyed.settled()), testing::HasSubstr("no such region"));
  });
}

TEST_P(instances, refuse_wrong_use_and_say_what_is_wrong) {
  run([]() -> task<> {
    const plain a = make_instance<std::int64_t>(k_points);
    const plain blocks =
        make_instance<std::int64_t>(k_points, instance_placement::in_blocks<2>({1, 1}));
    co_await a.ready();
    co_await blocks.ready();
    EXPECT_THAT(refusal([&] { a.part(rectangle<2>{{0, 0}, {1, 1}}); }),
                testing::HasSubstr("(0, 0) to below (1, 1)"));
    EXPECT_THAT(refusal([&] {
                  (void)copy_when(event::none, a.part(), a.part(rectangle<2>{{0, 3}, {1, 4}}));
                }),
                testing::HasSubstr("1 x 1 elements to a part of 11 x 7"));
    EXPECT_THAT(refusal([&] {
                  (void)copy_when(event::none, a.part(rectangle<2>{{0, 3}, {3, 6}}),
                                  a.part(rectangle<2>{{2, 3}, {5, 6}}));
                }),
                testing::HasSubstr("overlap"));
    EXPECT_THAT(refusal([&] { blocks.access(); }), testing::HasSubstr("several"));
    const auto second_block = [&] { blocks.access(rectangle<2>{{-2, 4}, {-1, 5}}); };
    EXPECT_THAT(refusal(second_block),
                testing::HasSubstr(pes() > 1 ? "memory of PE 1" : "not refused"));
    co_await a.destroy();
    EXPECT_THAT(refusal([&] { a.access(); }), testing::HasSubstr("destroyed"));
    const event twice = a.destroy();
    EXPECT_THAT(text_of(co_await twice.settled()), testing::HasSubstr("destroyed"));
    co_await blocks.destroy();
  });
}

TEST_P(instances, give_their_memory_back) {
  run([]() -> task<> {
    const auto use_all = []() -> task<> {
      for (const auto& place : placements()) {
        const plain made = make_instance<std::int64_t>(rectangle_of<2>({100, 3000}), place);
        const event filled = fill_when(made.ready(), made.part(), 1);
        co_await filled;
        co_await made.destroy();
      }
    };
    co_await use_all();
    const auto held = this_pe().account->held();
    co_await use_all();
    EXPECT_EQ(this_pe().account->held(), held);
    EXPECT_EQ(regions::instance_table::here().size(), 0u);
  });
}

ATOLL_RUN_ON_ALL(instances);

}  // namespace
