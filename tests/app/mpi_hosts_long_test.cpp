// Jobs over several hosts, which are network namespaces of this machine.

#include "tests/app/mpi_job.hpp"

#include <filesystem>

namespace atoll::app {
namespace {

#ifndef ATOLL_SANITIZED  // the MPI libraries are not, and leak

/// What `tools/hosts.sh` says of the bytes that crossed; skips where it does.
class several_hosts : public testing::TestWithParam<std::string> {};

TEST_P(several_hosts, run_one_job_whose_bytes_cross_the_network) {
  if (!launcher_of(GetParam()).is_there()) GTEST_SKIP() << "no " << GetParam() << " here";
  const std::string tool =
      std::filesystem::path(__FILE__).parent_path().string() + "/../../tools/hosts.sh";
  const std::string metrics = testing::TempDir() + "atoll_hosts_" + GetParam() + ".json";
  const auto result = shell(fmt::format(
      "timeout 200 {} --hosts 2 --mpi {} $p gups --log2-table 14 --verify --trials 1 --metrics {}",
      tool, GetParam(), metrics));
  if (result.status == 77) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("verified: the result is right"), std::string::npos)
      << result.output;
  const auto json = nlohmann::json::parse(shell("cat " + metrics).output, nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  const std::uint64_t sent = json["counters"]["network_bytes_sent"]["total"];
  const std::uint64_t payload = json["counters"]["distant_message_bytes_executed"]["total"];
  const auto says = result.output.find("hosts.sh: ");
  ASSERT_NE(says, std::string::npos) << result.output;
  EXPECT_GE(std::stoull(result.output.substr(says + 10)), sent);
  EXPECT_GE(sent, payload);
  EXPECT_GT(payload, 0U);
  shell("rm -f " + metrics);
}

INSTANTIATE_TEST_SUITE_P(, several_hosts, testing::Values("openmpi", "mpich"),
                         [](const auto& of) { return of.param; });

#endif

}  // namespace
}  // namespace atoll::app
