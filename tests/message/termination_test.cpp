// Tests the detection of termination. A wave visits one PE after another, and adds up the numbers
// of messages that each PE has created and executed. A job is quiet if two successive waves find
// equal sums, all created messages were executed, and no task can run.

#include "atoll/message/termination.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using atl::message::termination_detector;
using atl::message::wave;

namespace {

TEST(termination_detector, needs_two_equal_waves) {
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({5, 5, 0}));
  EXPECT_TRUE(detector.quiet_after({5, 5, 0}));
}

TEST(termination_detector, needs_two_waves_also_when_nothing_was_ever_sent) {
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({0, 0, 0}));
  EXPECT_TRUE(detector.quiet_after({0, 0, 0}));
}

TEST(termination_detector, goes_on_while_a_message_is_under_way) {
  termination_detector detector;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(detector.quiet_after({8, 7, 0}));
}

TEST(termination_detector, is_not_fooled_by_more_executed_than_created) {
  // A wave can miss the creation of a message but count its execution: the message is created on a
  // PE that was already counted.
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({7, 8, 0}));
  EXPECT_FALSE(detector.quiet_after({7, 8, 0}));
}

TEST(termination_detector, is_not_fooled_by_sums_that_happen_to_balance) {
  // A message may be missing in both sums of a wave, so one wave with equal sums proves nothing.
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({7, 7, 0}));
  EXPECT_FALSE(detector.quiet_after({8, 8, 0}));
  EXPECT_FALSE(detector.quiet_after({9, 9, 0}));
  EXPECT_TRUE(detector.quiet_after({9, 9, 0}));
}

TEST(termination_detector, goes_on_while_a_task_can_run) {
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({5, 5, 1}));
  EXPECT_FALSE(detector.quiet_after({5, 5, 1}));
  EXPECT_FALSE(detector.quiet_after({5, 5, 0}));
  EXPECT_TRUE(detector.quiet_after({5, 5, 0}));
}

TEST(termination_detector, starts_anew_when_a_wave_differs) {
  termination_detector detector;
  EXPECT_FALSE(detector.quiet_after({5, 5, 0}));
  EXPECT_FALSE(detector.quiet_after({5, 5, 2}));
  EXPECT_FALSE(detector.quiet_after({5, 5, 0}));
  EXPECT_FALSE(detector.quiet_after({6, 5, 0}));
  EXPECT_FALSE(detector.quiet_after({6, 6, 0}));
  EXPECT_TRUE(detector.quiet_after({6, 6, 0}));
}

TEST(termination_detector, stays_quiet) {
  termination_detector detector;
  detector.quiet_after({3, 3, 0});
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(detector.quiet_after({3, 3, 0}));
}

/// PEs that forward messages at random. While messages are forwarded, waves count the messages on
/// one PE after another.
class model {
 public:
  model(std::uint64_t seed, std::size_t pes, int messages)
      : random_(seed), created_(pes), executed_(pes) {
    for (int i = 0; i < messages; ++i) create(pick(pes));
  }

  bool silent() const { return travelling_.empty(); }

  /// Counts the messages of one PE after another, from a random PE on, while messages are
  /// forwarded.
  wave next_wave() {
    wave sums;
    const auto first = pick(created_.size());
    for (std::size_t i = 0; i < created_.size(); ++i) {
      const auto pe = (first + i) % created_.size();
      sums = sums + wave{created_[pe], executed_[pe], 0};
      for (auto moves = pick(4); moves > 0; --moves) execute_one();
    }
    return sums;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }

  void create(std::size_t source) {
    ++created_[source];
    travelling_.push_back(pick(created_.size()));
  }

  void execute_one() {
    if (travelling_.empty()) return;
    std::swap(travelling_[pick(travelling_.size())], travelling_.back());
    const auto pe = travelling_.back();
    travelling_.pop_back();
    ++executed_[pe];
    if (pick(8) != 0) create(pe);
  }

  std::mt19937_64 random_;
  std::vector<std::uint64_t> created_;
  std::vector<std::uint64_t> executed_;
  std::vector<std::size_t> travelling_;  // destinations of the messages in flight
};

TEST(termination_detector, is_never_early_and_always_ends_in_a_model) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    model job(seed, 1 + seed % 9, static_cast<int>(seed % 5));
    termination_detector detector;
    int waves_after_the_end = 0;
    while (!detector.quiet_after(job.next_wave())) {
      if (job.silent()) ++waves_after_the_end;
    }
    ASSERT_TRUE(job.silent()) << "seed " << seed;
    ASSERT_LE(waves_after_the_end, 2) << "seed " << seed;
  }
}

}  // namespace
