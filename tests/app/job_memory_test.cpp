#include "app/driver/memory.hpp"

#include <gtest/gtest.h>

namespace atl::app {
namespace {

job::launch launched(int ranks, int ranks_of_host) {
  return {"a launcher", mpi_library::openmpi, 0, ranks, ranks_of_host};
}

TEST(job_memory, is_what_the_limit_says_on_any_number_of_hosts) {
  settings options;
  options.memory_limit = 3 << 20;
  EXPECT_EQ(memory_for_job(options, launched(8, 2)).bytes, 3U << 20);
  EXPECT_EQ(memory_for_job(options, std::nullopt).sentence, "--memory-limit allows 3 MiB");
}

/// The estimate assumes that other hosts have as much free memory per rank as this host has.
TEST(job_memory, grows_with_the_hosts) {
  const settings options;
  const auto bytes = [&](const job_memory& of) { return static_cast<double>(of.bytes); };
  const double one_host = bytes(memory_for_job(options, std::nullopt));
  const double same_host = bytes(memory_for_job(options, launched(8, 8)));
  const double four_hosts = bytes(memory_for_job(options, launched(8, 2)));
  const double unknown = bytes(memory_for_job(options, launched(8, 0)));
  EXPECT_GT(one_host, 0);
  EXPECT_NEAR(same_host / one_host, 1, 0.5);
  EXPECT_GE(unknown, 8 * one_host);
  EXPECT_NEAR(four_hosts / one_host, 4, 2);
  EXPECT_NE(memory_for_job(options, launched(8, 2)).sentence.find("2 of the 8 PEs"),
            std::string::npos);
}

}  // namespace
}  // namespace atl::app
