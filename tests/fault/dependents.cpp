// In each of STEPS steps, all PEs wait for each other. After the last step, the program prints
// whether the result is right, and repeats all steps in a second job. If STEPS is 0, the program
// never ends.
//
// usage: fault_dependents STEPS [--atoll-...]

#include "dependents.hpp"

#include <cstdio>
#include <thread>
#include <vector>

namespace {

/// A thread that belongs to no PE triggers an event for which a task waits. Another thread that
/// belongs to no PE waits for the event.
atl::task<> hear_of_a_thread() {
  const atl::user_event told = atl::make_user_event();
  {
    const std::jthread teller([outside = told.outside()] { outside.trigger(); });
    co_await told;
  }
  const std::jthread listener([outside = told.outside()] { outside.external_wait(); });
}

/// All PEs try to acquire a reservation, until each PE has acquired it several times.
atl::task<bool> try_in_turns() {
  constexpr std::uint64_t k_times = 20;
  const atl::reservation door = atl::make_reservation();
  const auto count = co_await atl::make_array<std::uint64_t>(1);
  co_await atl::on_all_pes([door, count]() -> atl::task<> {
    for (std::uint64_t i = 0; i < k_times; ++i) {
      while (!co_await door.try_acquire()) co_await atl::yield();
      const std::uint64_t seen = co_await atl::read(count[0]);
      co_await atl::write(count[0], seen + 1);
      door.release();
    }
  });
  co_return co_await atl::read(count[0]) == k_times* static_cast<std::uint64_t>(atl::pes());
}

/// Starts a job that the runtime of this process refuses. No task of the refused job runs, and the
/// other ranks do not learn of the job.
void refuse_one() {
  atl::settings options;
  options.trace = "no/such/folder/trace.json";
  try {
    atl::run_job(options, []() -> atl::task<> { co_return; });
    std::puts("it was not refused");
  } catch (const atl::error&) {
  }
}

int run_one(int argc, std::vector<char*> argv, std::uint64_t steps) {
  return atl::run(argc, argv.data(), [steps]() -> atl::task<> {
    if (steps != 0) co_await atl::on_all_pes([] { return hear_of_a_thread(); });
    bool right = steps == 0 || co_await try_in_turns();
    right &= co_await dependents::run(steps != 0 ? steps : UINT64_MAX);
    std::puts(right ? "the result is right" : "the result is wrong");
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> all(argv, argv + argc + 1);
  const std::uint64_t steps = argc > 1 ? atl::parse_count(argv[1]) : 0;
  const int status = run_one(argc, all, steps);
  if (status != 0) return status;
  refuse_one();
  return run_one(argc, all, steps);
}
