// Tests that a benchmark is refused if it needs too much memory. The error names the flags that
// determine the needed memory, and their values.

#include "atoll/machine.hpp"
#include "support/sanitizers.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

TEST(bench_memory, beyond_the_limit_is_refused_with_the_flags) {
  for (const std::string sizes :
       {"copies --side 2001", "messages --tasks 1000000", "reductions --buckets 200000000",
        "reductions --reductions 200000000", "stealing --tasks 10000000",
        "event-latency --events 50000000", "reservations --chains 1000000 --length 1000",
        "context-switch --tasks 100000000", "queue --operations 1000000000",
        "stack --prefill 100000000", "hash-map --key-range 268435456 --alone"}) {
    const std::string flags = sizes.substr(sizes.find("--"));
    expect_refused(fmt::format("$p bench {} --trials 1 --memory-limit 24MiB", sizes),
                   {flags.substr(0, flags.find(" --alone")), "24 MiB"});
  }
}

/// The vertices fit into the limit, but the levels from which the vertices are built do not fit.
TEST(bench_memory, of_a_tree_in_memory_counts_what_it_is_built_from) {
  expect_refused("$p bench uts --in-memory --trials 1 --memory-limit 34MiB",
                 {"--tree T1 --in-memory", "34 MiB"});
}

TEST(bench_memory, of_copies_is_refused_on_any_pes_with_the_side) {
  for (const std::string form :
       {"--pes 1", "--pes 3", "--pes 3 --pe-kind thread", "--pes 3 --transport sim"})
    for (const int side : {1000, 3000})
      expect_refused(
          fmt::format("$p bench copies --side {} --trials 1 --memory-limit 12MiB {}", side, form),
          {fmt::format("--side {}", side), "12 MiB"});
}

TEST(bench_memory, of_address_space_is_refused_with_the_side) {
  if (test::sanitized) return;  // Sanitizers need more address space than the limit allows.
  expect_refused("ulimit -v 1000000; $p bench copies --side 3000 --trials 1 --pes 2",
                 {"--side 3000", "ulimit -v, now 977 MiB"});
}

TEST(bench_memory, beyond_the_machine_is_refused_with_the_flags) {
  if (read_memory_status().free() > std::uint64_t{50} << 30) GTEST_SKIP() << "there is too much";
  expect_refused("$p bench copies --side 100000 --trials 1",
                 {"two blocks of --side 100000 need 149 GiB on PE 0, and "});
  expect_refused("$p bench reductions --buckets 70 --reductions 2147483648 --pes 8 --trials 1",
                 {"--reductions 2147483648", "on each of 8 PEs"});
}

}  // namespace
}  // namespace atl::app
