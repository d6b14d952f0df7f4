// Tests jobs on several hosts. The hosts are network namespaces of this machine.

#include "tests/app/mpi_job.hpp"

#include <filesystem>

namespace atl::app {
namespace {

#ifndef ATOLL_SANITIZED  // Sanitizers would report faults of the MPI libraries.

std::string tool() {
  return std::filesystem::path(__FILE__).parent_path().string() + "/../../tools/hosts.sh";
}

/// Checks the number of network bytes that `tools/hosts.sh` reports. The test is skipped if the
/// tool cannot run on this machine.
class several_hosts : public testing::TestWithParam<std::string> {};

TEST_P(several_hosts, run_one_job_whose_bytes_cross_the_network) {
  if (!launcher_of(GetParam()).is_there()) GTEST_SKIP() << "no " << GetParam() << " here";
  const std::string metrics = testing::TempDir() + "atoll_hosts_" + GetParam() + ".json";
  const auto result = shell(fmt::format("timeout 200 {} --hosts 2 --mpi {} $p bench gups "
                                        "--log2-table 14 --verify --trials 1 --metrics {}",
                                        tool(), GetParam(), metrics));
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

struct hosts_tool : testing::Test {
  void SetUp() override {
    if (!launcher_of("openmpi").is_there()) GTEST_SKIP() << "no openmpi here";
  }
};

TEST_F(hosts_tool, makes_four_hosts) {
  const auto result =
      shell("timeout 200 " + tool() +
            " --hosts 4 --ranks 2 $p bench gups --log2-table 10 --verify --trials 1");
  if (result.status == 77) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("gups: 8 PEs"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("bytes crossed between 4 hosts"), std::string::npos)
      << result.output;
}

// A host with a rate limit may send a burst without delay. Bytes beyond the burst must take at
// least the time that the rate limit implies.
TEST_F(hosts_tool, limits_what_a_host_sends) {
  constexpr double rate = 20e6 / 8;
  constexpr double burst = 70 << 10;
  const std::string files = testing::TempDir() + "atoll_hosts_rate";
  const auto result =
      shell(fmt::format("timeout 200 {0} --rate 20mbit $p bench gups --log2-table 16 "
                        "--trials 1 --json {1}.json --metrics {1}.metrics",
                        tool(), files));
  if (result.status == 77) GTEST_SKIP() << result.output;
  ASSERT_EQ(result.status, 0) << result.output;
  const auto json = nlohmann::json::parse(shell("cat " + files + ".json").output, nullptr, false);
  const auto metrics =
      nlohmann::json::parse(shell("cat " + files + ".metrics").output, nullptr, false);
  ASSERT_FALSE(json.is_discarded() || metrics.is_discarded()) << result.output;
  const double seconds = json["metrics"]["seconds"]["median"];
  const double sent = metrics["counters"]["distant_message_bytes_executed"]["total"];
  EXPECT_GT(sent / 2, 2 * burst);
  EXPECT_GE(seconds, 0.5 * (sent / 2 - burst) / rate) << sent;
  shell("rm -f " + files + ".json " + files + ".metrics");
}

TEST_F(hosts_tool, leaves_nothing_when_interrupted) {
  const auto before = shell("ip netns list | wc -l; ls /etc/netns 2>/dev/null");
  const auto result =
      shell("timeout --preserve-status -s INT 6 " + tool() +
            " --hosts 3 $p bench gups --log2-table 10 --trials 10000 --seed 990017");
  if (result.status == 77) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.status, 130) << result.output;
  EXPECT_EQ(shell("ip netns list | wc -l; ls /etc/netns 2>/dev/null").output, before.output);
  EXPECT_EQ(shell("pgrep -fc 'seed 99001''7'").output, "0\n");
}

TEST_F(hosts_tool, skips_for_who_is_not_root) {
  if (shell("setpriv --version && [ $(id -u) = 0 ]").status != 0) GTEST_SKIP() << "needs root";
  const std::string copy = testing::TempDir() + "atoll_hosts_copy.sh";
  const auto result = shell("cp " + tool() + " " + copy + " && chmod 755 " + copy +
                            " && setpriv --reuid 65534 --clear-groups " + copy + " true");
  shell("rm -f " + copy);
  EXPECT_EQ(result.status, 77) << result.output;
  EXPECT_NE(result.output.find("hosts.sh: skipped: only root"), std::string::npos) << result.output;
}

INSTANTIATE_TEST_SUITE_P(, several_hosts, testing::Values("openmpi", "mpich"),
                         [](const auto& of) { return of.param; });

#endif

}  // namespace
}  // namespace atl::app
