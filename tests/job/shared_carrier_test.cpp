// Tests how the hang detector asks the PEs of one node. The detector may report a hang only if each
// PE has answered a question and then waits again. Without the question, the detector could not
// tell a waiting PE from a PE that gets no processor time.

#include "atoll/job/hang_carriers.hpp"
#include "atoll/transport/shm/endpoint.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <sched.h>
#include <thread>
#include <unistd.h>

namespace atl::job {
namespace {

/// A watch on memory to which another PE has stored. The watch reports the store only after the
/// hang detector has asked `questions` questions, and only until `take` is called.
class memory_seen_late final : public transport::memory_watch {
 public:
  memory_seen_late(shm::region& region, std::uint32_t questions)
      : region_(region), questions_(questions) {}

  bool has_changed() noexcept override {
    return !is_taken_ && region_.header().questions.load() >= questions_;
  }
  void take() { is_taken_ = true; }

 private:
  shm::region& region_;
  std::uint32_t questions_;
  bool is_taken_ = false;
};

/// A system call that blocks a PE until `end` is called.
class kernel_wait {
 public:
  kernel_wait() { EXPECT_EQ(pipe(ends_), 0); }
  ~kernel_wait() {
    for (const int end : ends_) close(end);
  }
  kernel_wait(const kernel_wait&) = delete;
  kernel_wait& operator=(const kernel_wait&) = delete;

  void enter() {
    char byte = 0;
    EXPECT_EQ(read(ends_[0], &byte, 1), 1);
  }
  void end() { EXPECT_EQ(write(ends_[1], "", 1), 1); }

 private:
  int ends_[2] = {-1, -1};
};

constexpr std::uint32_t k_never = UINT32_MAX;

/// A fixture in which PEs are threads. The PEs wait for messages, for memory, or in a function that
/// the test chooses.
class pes_as_threads : public testing::Test {
 protected:
  explicit pes_as_threads(int pes) : region_(pes, settings{}), carrier_(region_, stopping_) {}
  ~pes_as_threads() override {
    region_.end(0);
    for (std::thread& one : threads_) one.join();
  }

  /// Starts a PE, which calls `blocked` before it waits. Returns when the PE has begun to run.
  void start(std::uint32_t seen_behind, std::function<void()> blocked = nullptr) {
    const int pe = static_cast<int>(threads_.size());
    threads_.emplace_back([this, pe, seen_behind, blocked = std::move(blocked)] {
      shm::endpoint wire(region_, pe, shm::patience{});
      try {
        if (blocked) blocked();
        for (memory_seen_late memory(region_, seen_behind);;) look_around(wire, memory);
      } catch (const transport::job_ended&) {
      }
    });
    while (region_.block(pe).life.phase == 0) sched_yield();
  }

  void start_others() {
    while (static_cast<int>(threads_.size()) < region_.pes()) start(k_never);
  }

  /// Waits until all PEs wait, and returns their states.
  std::vector<pe_sample> all_at_rest() {
    for (int pe = 0; pe < region_.pes(); ++pe)
      while (region_.block(pe).life.phase % 2 != 0) sched_yield();
    return *carrier_.samples();
  }

  std::atomic<bool> stopping_{false};
  shm::region region_;
  shared_carrier carrier_;
  kernel_wait blocked_in_;

 private:
  static void look_around(shm::endpoint& wire, memory_seen_late& memory) {
    wire.watch(&memory);
    wire.wait(transport::forever, transport::awaited::anything);
    wire.watch(nullptr);
    answer_before_looking(wire);
    if (!memory.has_changed()) return;
    memory.take();
    wire.note_progress();
  }

  /// Polls for a while, because a poll answers the questions of the hang detector. In a real job,
  /// the scheduler also polls before it checks memory.
  static void answer_before_looking(shm::endpoint& wire) {
    constexpr transport::nanoseconds k_while = 20'000'000;
    const transport::nanoseconds end = transport::monotonic_now() + k_while;
    while (transport::monotonic_now() < end) EXPECT_EQ(wire.poll().data, nullptr);
  }

  std::vector<std::thread> threads_;
};

class watched_pes : public pes_as_threads, public testing::WithParamInterface<int> {
 protected:
  watched_pes() : pes_as_threads(GetParam()) {}
};

class watched_pe : public pes_as_threads {
 protected:
  watched_pe() : pes_as_threads(1) {}
};

TEST_P(watched_pes, hang_when_all_have_looked_in_vain) {
  start_others();
  EXPECT_TRUE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent));
  EXPECT_TRUE(carrier_.hangs_for_certain(all_at_rest(), seeming::no_progress));
}

TEST_P(watched_pes, do_not_hang_where_one_has_not_looked_at_its_memory_yet) {
  start(1);
  start_others();
  EXPECT_FALSE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent));
  EXPECT_TRUE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent)) << "nothing follows";
}

TEST_P(watched_pes, do_not_hang_where_one_sees_a_change_behind_its_first_look) {
  start(2);
  start_others();
  EXPECT_FALSE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent));
  EXPECT_TRUE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent));
}

TEST_P(watched_pes, hang_for_want_of_progress_where_one_is_blocked_elsewhere) {
  start(k_never, [this] { blocked_in_.enter(); });
  start_others();
  const auto seen = *carrier_.samples();
  EXPECT_FALSE(carrier_.hangs_for_certain(seen, seeming::quiescent)) << "not all wait";
  EXPECT_TRUE(carrier_.hangs_for_certain(seen, seeming::no_progress));
  blocked_in_.end();
  EXPECT_TRUE(carrier_.hangs_for_certain(all_at_rest(), seeming::quiescent));
}

// A task may start threads of its own, and block in the kernel until these threads have finished
// their work. While the threads compute, the job does not hang.
TEST_F(watched_pe, does_not_hang_while_threads_compute_that_it_is_blocked_for) {
  std::atomic<bool> computes{true};
  start(k_never, [this] { blocked_in_.enter(); });
  std::thread helper([&computes] {
    while (computes) continue;
  });
  const auto seen = *carrier_.samples();
  EXPECT_FALSE(carrier_.hangs_for_certain(seen, seeming::no_progress));
  computes = false;
  helper.join();
  EXPECT_TRUE(carrier_.hangs_for_certain(seen, seeming::no_progress));
  blocked_in_.end();
}

// While the detector asks the PEs, an event of the whole job may occur, such as a death. If an
// event of the whole job occurs, the detector must stop waiting for answers.
TEST_P(watched_pes, are_left_alone_where_something_concerns_the_whole_job) {
  start(k_never, [this] { blocked_in_.enter(); });
  start_others();
  const auto seen = *carrier_.samples();
  std::atomic<bool> judged{false};
  std::thread calls([&] {
    while (!judged) region_.note_event();
  });
  EXPECT_FALSE(carrier_.hangs_for_certain(seen, seeming::no_progress));
  judged = true;
  calls.join();
  blocked_in_.end();
}

INSTANTIATE_TEST_SUITE_P(pes, watched_pes, testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace atl::job
