#include "atoll/machine.hpp"

#include "fake_system.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl {
namespace {

using tests::fake_system;
constexpr std::uint64_t mib = 1 << 20;

/// Returns true if `holds()` is true under the limit. A child process calls `holds`, because a
/// limit cannot always be raised again.
bool below(__rlimit_resource resource, std::uint64_t bytes, auto holds) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    _exit(setrlimit(resource, &limit) == 0 && holds() ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Writes the files of a process with 1000 pages, of which 200 are data pages.
void write_small_process(const fake_system& machine) {
  machine.write("proc/self/statm", "1000 500 300 50 0 200 0\n");
}

TEST(address_space, without_limits_is_not_limited) {
  EXPECT_EQ(read_address_space_left().all, UINT64_MAX);
  EXPECT_EQ(read_address_space_left().writable, UINT64_MAX);
}

TEST(address_space, is_what_each_limit_leaves_beside_what_the_process_has) {
  const fake_system machine;
  write_small_process(machine);
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_TRUE(below(RLIMIT_AS, 16384 * mib, [&] {
    const auto left = read_address_space_left(machine.root());
    return left.all == 16384 * mib - 1000 * page && left.writable == UINT64_MAX;
  }));
  EXPECT_TRUE(below(RLIMIT_DATA, 512 * mib, [&] {
    const auto left = read_address_space_left(machine.root());
    return left.all == UINT64_MAX && left.writable == 512 * mib - 200 * page;
  }));
}

TEST(address_space, of_a_limit_that_is_exceeded_is_nothing) {
  const fake_system machine;
  machine.write("proc/self/statm", "9000000000 0 0 0 0 9000000000 0\n");
  EXPECT_TRUE(below(RLIMIT_DATA, 512 * mib,
                    [&] { return read_address_space_left(machine.root()).writable == 0; }));
}

TEST(address_space, counts_nothing_as_used_where_the_system_does_not_say) {
  const fake_system machine;
  EXPECT_TRUE(below(RLIMIT_DATA, 512 * mib,
                    [&] { return read_address_space_left(machine.root()).writable == 512 * mib; }));
}

}  // namespace
}  // namespace atl
