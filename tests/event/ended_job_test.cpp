// Tests programs that use events of an ended job.

#include "atoll/deferred.hpp"
#include "atoll/event.hpp"
#include "atoll/phase_barrier.hpp"
#include "support/run_on.hpp"

#include <functional>
#include <gmock/gmock.h>

using namespace atl;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class ended_jobs_on : public test::on_pes {};

struct kept {
  user_event open;
  user_event triggered;
  event of_last_pe;
  reservation door;
  phase_barrier barrier;
};

constexpr unsigned k_made = __LINE__ + 4;

task<> make_all(kept& all) {
  const auto make = [] { return make_user_event(); };
  all.open = make_user_event(), all.triggered = make_user_event();
  all.triggered.trigger();
  all.door = make_reservation();
  all.barrier = make_phase_barrier(2);
  all.of_last_pe = co_await call(pes() - 1, make);
}

std::string text_of(const std::function<void()>& use) {
  try {
    use();
  } catch (const error& refused) {
    EXPECT_EQ(refused.code(), errc::input);
    return refused.what();
  }
  return "not refused";
}

auto names_both_places(const std::string& place) {
  return AllOf(HasSubstr(place), HasSubstr("in a job that has ended"),
               HasSubstr(" at ended_job_test.cpp:"));
}

TEST_P(ended_jobs_on, their_names_are_refused_with_both_places) {
  kept all;
  run([&]() -> task<> { co_await make_all(all); });
  run([&]() -> task<> {
    const auto at = [](unsigned line) { return "ended_job_test.cpp:" + std::to_string(line); };
    // Events of this job are stored in the same slots as events of the earlier job.
    const user_event here = make_user_event();
    const user_event too = make_user_event();
    std::string text;
    try {
      co_await all.open;
    } catch (const error& refused) {
      text = refused.what();
    }
    EXPECT_THAT(text, names_both_places("the event made at " + at(k_made)));
    EXPECT_THAT(text, HasSubstr("waited for at"));
    EXPECT_THAT(text_of([&] { all.triggered.trigger(); }),
                names_both_places("the event triggered at " + at(k_made + 1)));
    EXPECT_THAT(text_of([&] { (void)all.open.has_triggered(); }), names_both_places(at(k_made)));
    EXPECT_THAT(text_of([&] { (void)merge_events({here, all.open, too}); }),
                names_both_places(at(k_made)));
    EXPECT_THAT(text_of([&] { trigger_when(here, all.open); }), names_both_places(at(k_made)));
    EXPECT_THAT(text_of([&] { trigger_when(all.open, here); }), names_both_places(at(k_made)));
    EXPECT_THAT(text_of([&] { (void)spawn_when(all.open, [] { ADD_FAILURE(); }); }),
                names_both_places(at(k_made)));
    EXPECT_THAT(text_of([&] { (void)all.door.acquire(); }),
                names_both_places("the reservation made at " + at(k_made + 2)));
    EXPECT_THAT(text_of([&] { (void)all.barrier.completion(); }),
                names_both_places("the phase barrier made at " + at(k_made + 3)));
    EXPECT_THAT(text_of([&] { all.of_last_pe.subscribe(); }), names_both_places(""));
    here.trigger();
    too.trigger();
    const event both = merge_events({here, too});
    co_await both;
  });
}

// Every PE of a job must refuse events that an earlier job has made. The later job has fewer PEs
// than the earlier job, so some events were made by a PE that no longer exists.
TEST_P(ended_jobs_on, other_pes_refuse_them_too) {
  kept all;
  run([&]() -> task<> { co_await make_all(all); });
  options.pes = 1 + options.pes / 2;
  run_spmd([all]() -> task<> {
    EXPECT_THAT(text_of([&] { all.open.trigger(); }), names_both_places(""));
    EXPECT_THAT(text_of([&] { all.of_last_pe.subscribe(); }), names_both_places(""));
    EXPECT_THAT(text_of([&] { (void)all.door.acquire(); }), names_both_places(""));
    EXPECT_THAT(text_of([&] { all.barrier.arrive(); }), names_both_places(""));
    EXPECT_FALSE(event::none.is_poisoned());
    EXPECT_TRUE(event::none.has_triggered());
    co_return;
  });
}

ATOLL_RUN_ON_ALL(ended_jobs_on);

}  // namespace
