// A program that hangs: on every PE a task waits for a latch that nobody counts down. With the
// argument `slowly` it says that it has begun, and goes on after some seconds.

#include "atoll/atoll.hpp"

#include <cstdio>
#include <string_view>

namespace {

atl::task<> wait_for_nobody() {
  atl::latch never(1);
  co_await never.wait();
}

atl::task<> hang() {
  co_await atl::on_all_pes([] { return wait_for_nobody(); });
}

atl::task<> wait_slowly() {
  for (int i = 0; i < 300; ++i) co_await atl::sleep_for(10'000'000);
}

atl::task<> hang_slowly() {
  std::puts("begun");
  std::fflush(stdout);
  co_await atl::on_all_pes([] { return wait_slowly(); });
}

}  // namespace

int main(int argc, char** argv) {
  const bool slowly = argc > 1 && std::string_view(argv[1]) == "slowly";
  return slowly ? atl::run(argc, argv, hang_slowly) : atl::run(argc, argv, hang);
}
