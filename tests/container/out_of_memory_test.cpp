// If there is no memory for coroutine frames, operations on a global structure throw an error. No
// operation may wait forever, and no stored element may be lost. When memory is free again, all
// operations must work.

#include "container/combining_modes.hpp"
#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <cstdlib>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace atl;

namespace {

/// While the object exists, the pool of coroutine frames of this PE is empty and cannot grow.
class no_frames {
 public:
  no_frames() {
    taken_.reserve(1 << 20);
    keep_room_for_all_else();
    getrlimit(RLIMIT_AS, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_AS, &none);
    take_what_is_free();
  }

  /// Takes all free frames, including those that were freed since the last call.
  void take_what_is_free() {
    for (std::size_t bytes = 64; bytes <= 1024; bytes += 64) take_all(bytes);
  }
  ~no_frames() {
    setrlimit(RLIMIT_AS, &before_);
    for (const auto& [frame, bytes] : taken_) this_pe().tasks->frames().release(frame, bytes);
  }
  no_frames(const no_frames&) = delete;
  no_frames& operator=(const no_frames&) = delete;

 private:
  /// Frees some memory for other allocations, because only allocations of frames should fail. The C
  /// library does not return the freed memory to the kernel, because the block `last_` has a higher
  /// address.
  void keep_room_for_all_else() {
    std::vector<std::unique_ptr<std::byte[]>> room(257);
    for (auto& one : room) one = std::make_unique<std::byte[]>(32 << 10);
    last_ = std::move(*std::ranges::max_element(room));
  }

  void take_all(std::size_t bytes) {
    try {
      while (taken_.size() < taken_.capacity()) {
        taken_.emplace_back(this_pe().tasks->frames().allocate(bytes), bytes);
        // The zeros tell the hang report that this memory is not a coroutine.
        std::memset(taken_.back().first, 0, bytes);
      }
    } catch (const error& failure) {
      EXPECT_EQ(failure.code(), errc::out_of_memory);
    }
  }

  std::unique_ptr<std::byte[]> last_;
  rlimit before_{};
  std::vector<std::pair<void*, std::size_t>> taken_;
};

/// Numbers of pushes and pops, by outcome.
struct tally {
  std::uint64_t pushed = 0;
  std::uint64_t popped = 0;
  std::uint64_t found_nothing = 0;
  std::uint64_t refused = 0;

  std::uint64_t ended() const { return pushed + popped + found_nothing + refused; }
};

constexpr std::uint64_t k_tasks = 600;

/// Pushes and pops elements of the structure. The first half of the operations begins while there
/// is memory for coroutines. The second half of the operations begins after all free memory for
/// coroutines is taken away.
template <class Structure>
task<tally> use_without_frames(Structure structure) {
  tally all;
  std::optional<no_frames> now;
  const auto use = [&](std::uint64_t i) -> task<> {
    const bool late = i >= k_tasks / 2;
    for (int turn = 0; turn < (late ? 4 : 2); ++turn) co_await yield();
    if (i == k_tasks / 2) now.emplace();
    try {
      if (i % 3 != 2) {
        co_await structure.push(i);
        ++all.pushed;
      } else {
        const auto taken = co_await structure.pop();
        ++(taken ? all.popped : all.found_nothing);
      }
    } catch (const error& failure) {
      EXPECT_EQ(failure.code(), errc::out_of_memory) << failure.what();
      ++all.refused;
    }
    if (now) now->take_what_is_free();
  };
  const auto start_all = [&] {
    for (std::uint64_t i = 0; i < k_tasks; ++i) spawn([&use, i] { return use(i); });
  };
  co_await finish(start_all);
  now.reset();
  EXPECT_EQ(all.ended(), k_tasks);
  co_return all;
}

/// Lets the tasks of `pe` use the structure, and checks that all of them end.
template <class Structure>
task<> expect_all_end(int pe, combining_mode mode, bool refuses) {
  const auto structure = co_await Structure::make(combining_options(mode));
  const auto use = [structure] { return use_without_frames(structure); };
  const tally all = co_await call(pe, use);
  EXPECT_EQ(all.refused != 0, refuses) << "mode " << static_cast<int>(mode);
  EXPECT_EQ(co_await structure.size(), all.pushed - all.popped);
  co_await structure.push(1);
  EXPECT_EQ(co_await structure.size(), all.pushed - all.popped + 1);
  co_await structure.destroy();
}

void expect_all_end_on(int pes) {
  // The memory of sanitized builds cannot be limited.
  if (test::sanitized || test::only_threads) return;
  settings options = test::job_of(pes, pe_kind::process);
  options.hang_timeout = 0;  // The thread of the hang detector would need memory too.
  test::run_on(options, [pes]() -> task<> {
    for (const combining_mode mode : test::k_combining_modes) {
      // A request that another PE executes needs no frame on this PE, so it is not refused.
      const bool combines = mode == combining_mode::local || mode == combining_mode::both;
      const bool refuses = combines || pes == 1;
      co_await expect_all_end<global_stack<std::uint64_t>>(pes - 1, mode, refuses);
      co_await expect_all_end<global_queue<std::uint64_t>>(pes - 1, mode, refuses);
    }
  });
}

/// While the object exists, all allocations fail: allocations of frames and allocations by malloc.
class no_memory {
 public:
  no_memory() { take_what_is_free(); }
  ~no_memory() {
    while (taken_ != nullptr) std::free(std::exchange(taken_, taken_->next));
  }
  no_memory(const no_memory&) = delete;
  no_memory& operator=(const no_memory&) = delete;

  /// Takes all free memory, including memory that was freed since the last call.
  void take_what_is_free() {
    frames_.take_what_is_free();
    for (const std::size_t bytes : {1 << 16, 1 << 12, 1 << 9, 64, 24})
      while (void* const place = std::malloc(bytes)) taken_ = new (place) block{taken_};
  }

 private:
  struct block {
    block* next;
  };

  no_frames frames_;
  block* taken_ = nullptr;
};

template <class Structure>
task<> use_without_memory(combining_mode mode, std::uint64_t every) {
  const auto structure = co_await Structure::make(combining_options(mode));
  std::optional<no_memory> now;
  const auto use = [&](std::uint64_t i) -> task<> {
    for (std::uint64_t turn = 0; turn < 1 + i % 5; ++turn) co_await yield();
    if (i == k_tasks / 5) now.emplace();
    try {
      if (i % 3 != 2) {
        co_await structure.push(i);
      } else {
        co_await structure.pop();
      }
    } catch (const error&) {
    } catch (const std::bad_alloc&) {
    }
    if (now && i % every == 0) now->take_what_is_free();
  };
  const auto start_all = [&] {
    for (std::uint64_t i = 0; i < k_tasks; ++i) spawn([&use, i] { return use(i); });
  };
  co_await finish(start_all);
  now.reset();
  co_await structure.destroy();
}

/// Returns the exit status of a job without memory, or 128 plus the number of the signal that has
/// ended the job. A hanging job ends by SIGALRM.
template <class Structure>
int status_without_memory(combining_mode mode, std::uint64_t every) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    settings options = test::job_of(1, pe_kind::process);
    options.hang_timeout = 0;
    const auto use = [=] { return use_without_memory<Structure>(mode, every); };
    try {
      _exit(run_job(options, use));
    } catch (const std::exception&) {
      _exit(2);
    }
  }
  int ending = 0;
  waitpid(child, &ending, 0);
  return WIFEXITED(ending) ? WEXITSTATUS(ending) : 128 + WTERMSIG(ending);
}

// Without any memory, operations may fail with errors, or the job may end with an error. No
// operation may wait forever.
TEST(out_of_memory, of_all_kinds_leaves_nobody_waiting) {
  if (test::sanitized || test::only_threads) GTEST_SKIP();
  const test::captured_stderr errors_of_jobs;
  for (const combining_mode mode : test::k_combining_modes) {
    for (const std::uint64_t every : {1, 2, 3, 5, 8, 13, 21}) {
      const int stack = status_without_memory<global_stack<std::uint64_t>>(mode, every);
      const int queue = status_without_memory<global_queue<std::uint64_t>>(mode, every);
      for (const int status : {stack, queue})
        EXPECT_TRUE(status == 0 || status == 2) << status << " in mode " << static_cast<int>(mode);
    }
  }
}

TEST(out_of_memory, on_the_master) { expect_all_end_on(1); }
TEST(out_of_memory, on_another_pe) { expect_all_end_on(2); }

}  // namespace
