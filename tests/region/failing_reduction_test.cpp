// Tests reduction instances that fail, are destroyed early, or get no memory.

#include "atoll/instance.hpp"
#include "region/some_totals.hpp"
#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <stdexcept>
#include <string>

using namespace atl;
using test::adding;
using test::elements_of;
using test::totals;

namespace {

class failing_reductions : public test::on_pes {};

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

TEST_P(failing_reductions, poison_what_they_fail_to_reduce) {
  run([]() -> task<> {
    co_await expect_refusal<list_instance>();
    co_await expect_refusal<fold_instance>();
    co_await expect_refusal<automatic_instance>();
  });
}

/// Awaits `body`, which must end with the error "given up". The error destroys the reduction
/// instance before its contributions are merged.
template <class Body>
task<> expect_given_up(Body body) {
  std::string text;
  try {
    co_await finish(body);
  } catch (const std::exception& failure) {
    text = failure.what();
  }
  EXPECT_EQ(text, "given up");
}

// The list has already sent full chunks of contributions when the error destroys the list. The
// enclosing scope must wait for the chunks that were sent.
TEST_P(failing_reductions, may_be_given_up) {
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
    co_await expect_given_up(some);
    const std::int64_t reduced = (co_await elements_of(all.part<1>()))[9];
    EXPECT_GT(reduced, 0);
    EXPECT_LE(reduced, 20'000);
    co_await all.destroy();
  });
}

// The list may send contributions only after its precondition. If the precondition fails, no
// contribution may change the part, even if it is in a full chunk.
TEST_P(failing_reductions, of_failed_preconditions_change_nothing) {
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

/// Adds so many contributions that their memory counts towards the limit, and then lets some of
/// them be sent.
void reduce_many_into(list_instance<adding>& list, const user_event& open) {
  for (std::uint64_t k = 0; k < std::uint64_t{1} << 20; ++k) list.reduce(k % 64, 1);
  open.trigger();
  for (std::uint64_t k = 0; k < std::uint64_t{1} << 16; ++k) list.reduce(k % 64, 1);
}

TEST_P(failing_reductions, that_are_given_up_leave_no_memory_behind) {
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
    co_await expect_given_up(some);
    EXPECT_EQ(this_pe().account->held(), held);
    co_await all.destroy();
  });
}

// The account counts the memory of lists only if it exceeds 4 MiB. Together, 100 instances would
// exceed 4 MiB if the memory of each instance were not freed.
TEST_P(failing_reductions, that_are_short_leave_no_memory_behind) {
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64));
    co_await all.ready();
    const auto held = this_pe().account->held();
    for (int k = 0; k < 100; ++k) list_instance<adding>(adding(), all.part<1>()).reduce(7, 1);
    EXPECT_EQ(this_pe().account->held(), held);
    co_await all.destroy();
  });
}

TEST_P(failing_reductions, may_take_the_place_of_others_that_have_sent) {
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

// Some contributions are already in flight when the task that merges gets no memory.
TEST_P(failing_reductions, that_cannot_merge_do_no_harm) {
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

TEST_P(failing_reductions, that_choose_go_on_without_memory) {
  options.memory_limit = std::uint64_t{1} << 30;
  run([]() -> task<> {
    const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64));
    co_await all.ready();
    const std::size_t too_much = std::size_t{1} << 40;
    automatic_instance<adding> list(adding(), all.part<1>());
    this_pe().account->add_array(too_much);
    for (int k = 0; k < 5000; ++k) list.reduce(7, 1);
    this_pe().account->release_array(too_much);
    EXPECT_FALSE(list.is_fold()) << "there was no memory for partial results";

    automatic_instance<adding> fold(adding(), all.part<1>());
    this_pe().account->add(too_much);
    auto code = errc::input;
    int taken = 0;
    try {
      for (; taken < 5000; ++taken) fold.reduce(8, 1);
    } catch (const error& refused) {
      code = refused.code();
    }
    this_pe().account->release(too_much);
    EXPECT_EQ(code, errc::out_of_memory) << "there was none for a list";
    for (; taken < 5000; ++taken) fold.reduce(8, 1);
    EXPECT_TRUE(fold.is_fold());
    const event both[] = {list.merge(), fold.merge()};
    const event merged = merge_events(both);
    co_await merged;
    const auto found = co_await elements_of(all.part<1>());
    EXPECT_EQ(found[7], 5000);
    EXPECT_EQ(found[8], 5000);
    co_await all.destroy();
  });
}

#ifdef ATOLL_CHECKED
template <template <class> class Instance>
task<> expect_no_element_behind_the_last() {
  const totals all = make_instance<std::int8_t, std::int64_t>(interval(0, 64));
  co_await all.ready();
  Instance<adding> mine(adding(), all.part<1>().cut(interval(3, 13)));
  for (const std::uint64_t beyond : {std::uint64_t{10}, std::uint64_t(-1)}) {
    auto code = errc::out_of_memory;
    try {
      mine.reduce(beyond, 1);
    } catch (const error& refused) {
      code = refused.code();
    }
    EXPECT_EQ(code, errc::input);
  }
  mine.reduce(9, 4);
  const event merged = mine.merge();
  co_await merged;
  EXPECT_EQ((co_await elements_of(all.part<1>()))[12], 4);
  co_await all.destroy();
}

TEST_P(failing_reductions, refuse_elements_that_are_not_there) {
  run([]() -> task<> {
    co_await expect_no_element_behind_the_last<list_instance>();
    co_await expect_no_element_behind_the_last<fold_instance>();
    co_await expect_no_element_behind_the_last<automatic_instance>();
  });
}
#endif

TEST_P(failing_reductions, without_memory_throw) {
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

ATOLL_RUN_ON_ALL(failing_reductions);

}  // namespace
