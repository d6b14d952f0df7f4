// A process that has threads when PEs are forked from it.

#include "job/jobs.hpp"
#include "support/captured_stderr.hpp"
#include "support/sanitizers.hpp"
#include "support/told_by_child.hpp"

#include <atomic>
#include <thread>

namespace atl::job {
namespace {

struct heard {
  bool threads = false;
  int status = -1;
};

/// Runs a job in a process of its own, which says so once, beside so many threads.
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

ATOLL_INSTANTIATE(threads_before_fork, all_ways, 1, 2, 3);

}  // namespace
}  // namespace atl::job
