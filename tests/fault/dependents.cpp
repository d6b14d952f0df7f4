// All PEs wait for each other, for so many steps: then it says whether the result is right. 0: for
// ever.
//
// usage: fault_dependents STEPS [--atoll-...]

#include "dependents.hpp"

#include <cstdio>
#include <thread>

namespace {

/// A thread that is no PE ends an event for which a task waits; another waits for it.
atl::task<> hear_of_a_thread() {
  const atl::user_event told = atl::make_user_event();
  {
    const std::jthread teller([outside = told.outside()] { outside.trigger(); });
    co_await told;
  }
  const std::jthread listener([outside = told.outside()] { outside.external_wait(); });
}

}  // namespace

int main(int argc, char** argv) {
  return atl::run(argc, argv, [&]() -> atl::task<> {
    const std::uint64_t steps = argc > 1 ? atl::parse_count(argv[1]) : 0;
    if (steps != 0) co_await atl::on_all_pes([] { return hear_of_a_thread(); });
    const bool right = co_await dependents::run(steps != 0 ? steps : UINT64_MAX);
    std::puts(right ? "the result is right" : "the result is wrong");
  });
}
