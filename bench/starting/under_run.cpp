// Runs the serial program as the main task of a job. If there are 0 updates, the job only starts
// and ends.

#include "atoll/atoll.hpp"
#include "starting/updates.hpp"

int main(int argc, char** argv) {
  const std::uint64_t updates = bench::updates_of(argc, argv);
  return atl::run(argc, argv, [updates]() -> atl::task<> {
    bench::update_and_print(updates);
    co_return;
  });
}
