#include "atoll/job/hang_watch.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace atl::job {
namespace {

using activity = pe_sample::activity;
using verdict = hang_judge::verdict;

constexpr nanoseconds timeout = 10;

pe_sample waiter(std::uint64_t phase = 2) {
  return {.what = activity::waits, .phase = phase, .thread = {.letter = 'S'}};
}

pe_sample working(char letter, std::uint64_t ticks = 7) {
  return {
      .what = activity::works, .phase = 1, .thread = {.letter = letter, .processor_ticks = ticks}};
}

pe_sample gone() { return {.what = activity::left}; }

pe_sample with(pe_sample sample, auto change) {
  change(sample);
  return sample;
}

/// Returns the verdict after a time-out during which the PEs were in the states `samples`.
verdict after_timeout(hang_judge& judge, const std::vector<pe_sample>& samples) {
  verdict found = judge.judge(samples, 1);
  for (nanoseconds time = 0; time < timeout && found == verdict::goes_on; ++time)
    found = judge.judge(samples, 1);
  return found;
}

verdict after_timeout(const std::vector<pe_sample>& samples) {
  hang_judge judge(timeout);
  return after_timeout(judge, samples);
}

TEST(hang_judge, sees_at_once_that_nothing_can_happen) {
  hang_judge judge(timeout);
  EXPECT_EQ(judge.judge({waiter(2), waiter(4), gone()}, 1), verdict::goes_on);
  EXPECT_EQ(judge.judge({waiter(2), waiter(4), gone()}, 1), verdict::quiescent);
}

TEST(hang_judge, does_not_take_a_job_that_ends_for_one_that_hangs) {
  EXPECT_EQ(after_timeout({gone(), gone()}), verdict::goes_on);
  hang_judge judge(timeout);
  judge.judge({waiter(), waiter()}, 1);
  EXPECT_EQ(judge.judge({waiter(), gone()}, 1), verdict::goes_on);
}

TEST(hang_judge, needs_all_pes_to_wait_at_one_time) {
  hang_judge judge(timeout);
  judge.judge({waiter(2), waiter(2)}, 1);
  EXPECT_EQ(judge.judge({waiter(2), waiter(4)}, 1), verdict::goes_on) << "one has woken between";
  EXPECT_EQ(judge.judge({waiter(2), waiter(4)}, 1), verdict::quiescent);
}

TEST(hang_judge, knows_that_a_message_under_way_may_change_all) {
  const auto arrived = with(waiter(), [](auto& of) { of.something_arrived = true; });
  hang_judge judge(timeout);
  judge.judge({waiter(), arrived}, 1);
  EXPECT_EQ(judge.judge({waiter(), arrived}, 1), verdict::goes_on);
  EXPECT_EQ(after_timeout({waiter(), arrived}), verdict::no_progress) << "but not for ever";
  const auto about_to_run = with(arrived, [](auto& of) { of.thread.letter = 'R'; });
  EXPECT_EQ(after_timeout({waiter(), about_to_run}), verdict::goes_on);
}

TEST(hang_judge, leaves_pes_in_programs_of_their_own_alone) {
  const hang_rule rule(timeout, true);
  hang_judge away(rule);
  EXPECT_EQ(after_timeout(away, {waiter(), working('S')}), verdict::goes_on);
  hang_judge all_wait(rule);
  EXPECT_EQ(after_timeout(all_wait, {waiter(), waiter()}), verdict::quiescent);
}

TEST(hang_judge, takes_computing_for_progress) {
  EXPECT_EQ(after_timeout({waiter(), working('R')}), verdict::goes_on);
  EXPECT_EQ(after_timeout({waiter(), working('D')}), verdict::goes_on);
  EXPECT_EQ(after_timeout({waiter(), working('S')}), verdict::no_progress);
  hang_judge judge(timeout);
  for (std::uint64_t ticks = 1; ticks < 100; ++ticks)
    EXPECT_EQ(judge.judge({waiter(), working('S', ticks)}, 1), verdict::goes_on);
}

TEST(hang_judge, takes_tasks_and_handlers_for_progress) {
  hang_judge judge(timeout);
  for (std::uint64_t done = 1; done < 100; ++done) {
    const auto busy = with(waiter(), [&](auto& of) { of.progress = done; });
    EXPECT_EQ(judge.judge({waiter(), busy}, 1), verdict::goes_on);
  }
}

TEST(hang_judge, waits_for_a_pe_that_has_not_begun) {
  EXPECT_EQ(after_timeout({waiter(), pe_sample{}}), verdict::goes_on);
}

TEST(hang_judge, waits_for_a_stopped_pe_and_says_so_once) {
  const auto stopped = with(waiter(), [](auto& of) { of.thread.letter = 'T'; });
  hang_judge judge(timeout);
  EXPECT_EQ(after_timeout(judge, {working('S'), stopped}), verdict::stopped);
  EXPECT_EQ(judge.pe(), 1);
  EXPECT_EQ(after_timeout(judge, {working('S'), stopped}), verdict::goes_on);
  EXPECT_EQ(judge.judge({working('S'), waiter()}, 1), verdict::goes_on);
  EXPECT_EQ(after_timeout(judge, {working('S'), waiter()}), verdict::no_progress)
      << "the time-out begins when it goes on";
}

TEST(hang_judge, waits_for_a_reader_and_says_so_once) {
  const auto writes = with(working('S'), [](auto& of) { of.thread.writes = true; });
  hang_judge judge(timeout);
  EXPECT_EQ(after_timeout(judge, {waiter(), writes}), verdict::writes);
  EXPECT_EQ(judge.pe(), 1);
  EXPECT_EQ(after_timeout(judge, {waiter(), writes}), verdict::goes_on);
  EXPECT_EQ(after_timeout(judge, {waiter(), working('S')}), verdict::no_progress);
}

TEST(hang_judge, waits_for_a_timer_and_says_so_once) {
  const auto sleeps = with(waiter(), [](auto& of) { of.deadline = 1000; });
  hang_judge judge(timeout);
  EXPECT_EQ(after_timeout(judge, {sleeps, waiter()}), verdict::sleeps);
  EXPECT_EQ(judge.pe(), 0);
  EXPECT_EQ(after_timeout(judge, {sleeps, waiter()}), verdict::goes_on);
}

}  // namespace
}  // namespace atl::job
