// Tests jobs of processes that already have several threads when they fork the PEs.

#include "job/jobs.hpp"
#include "support/captured_stderr.hpp"
#include "support/sanitizers.hpp"
#include "support/told_by_child.hpp"

#include <atomic>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>

namespace atl::job {
namespace {

struct heard {
  bool threads = false;
  int status = -1;
};

/// Runs a job in a new process that has `threads` further threads.
heard heard_beside(int threads, const settings& options) {
  return told_by_child([&] {
    std::atomic<bool> goes_on = true;
    std::vector<std::thread> others;
    for (int i = 0; i < threads; ++i) others.emplace_back([&] { goes_on.wait(true); });
    heard result;
    {
      const test::captured_stderr captured;
      result.status = run_pes(options, [](endpoint&) { return 0; });
      result.threads =
          captured.text().find(std::to_string(threads) + " thread") != std::string::npos;
    }
    goes_on = false;
    goes_on.notify_all();
    for (std::thread& each : others) each.join();
    return result;
  });
}

class threads_before_fork : public jobs {};

TEST_P(threads_before_fork, are_said_where_pes_are_forked_and_do_no_harm) {
  if (only_threads) GTEST_SKIP() << "a thread sanitizer cannot follow a fork";
  const bool forks = pes() > 1 && std::get<1>(GetParam()).name() == "processes";
  for (const int threads : {1, 2}) {
    const heard result = heard_beside(threads, options_);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.threads, forks) << threads;
  }
  EXPECT_FALSE(heard_beside(0, options_).threads);
}

/// Calls the functions that a compiler generates for `#pragma omp parallel num_threads(3)`. Returns
/// the number of threads that have run the parallel region.
int threads_of_region() {
  using parallel = void(void (*)(void*), void*, unsigned, unsigned);
  auto* const run = reinterpret_cast<parallel*>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
  std::atomic<int> taking_part{0};
  run([](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &taking_part, 3, 0);
  return taking_part;
}

constexpr unsigned seconds_until_it_hangs = 60;

TEST_P(threads_before_fork, of_openmp_are_made_again_in_each_pe) {
  if (only_threads) GTEST_SKIP() << "a thread sanitizer cannot follow a fork";
  const int status = told_by_child([this] {
    if (dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) return -1;
    alarm(seconds_until_it_hangs);
    if (threads_of_region() != 3) return -2;
    return run([](endpoint&) { return threads_of_region() == 3 ? 0 : 1; });
  });
  if (status == -1) GTEST_SKIP() << "no libgomp here";
  EXPECT_EQ(status, 0);
}

ATOLL_INSTANTIATE(threads_before_fork, all_ways, 1, 2, 3);

}  // namespace
}  // namespace atl::job
