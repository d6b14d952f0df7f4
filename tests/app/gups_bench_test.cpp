// Tests `atoll bench gups` as a user starts it.

#include "tests/app/shell.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace atl::app {
namespace {

// Expects that the command fails with status 2 and one line of error, and writes no file.
void expect_refusal_without_a_file(const std::string& command, const std::string& line) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("atoll-gups-refused-" + std::to_string(getpid()) + ".json");
  const auto result = shell(command + " --json " + file.string());
  EXPECT_EQ(result.status, 2) << command;
  EXPECT_EQ(result.output, "atoll: error: " + line + "\n") << command;
  EXPECT_FALSE(std::filesystem::exists(file)) << command;
}

TEST(gups_bench, counts_what_it_verified) {
  for (const int pes : {1, 3}) {
    const auto json = json_of("$p bench gups --pes " + std::to_string(pes) +
                              " --log2-table 8 --updates-per-word 3 --verify --trials 2");
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(json["parameters"]["log2_table"], 8);
    EXPECT_EQ(json["parameters"]["updates_per_word"], 3);
    EXPECT_EQ(json["applied_updates"], pes * 256 * 3);
    EXPECT_EQ(json["executed_messages"], json["remote_updates"]);
    EXPECT_EQ(json["executed_messages"] == 0, pes == 1);
    EXPECT_EQ(json["wrong_words"], 0);
    EXPECT_EQ(json["unrestored_words"], 0);
    EXPECT_EQ(json["metrics"]["rate"]["unit"], "updates/s");
    EXPECT_EQ(json["metrics"]["rate"]["values"].size(), 2U);
    EXPECT_GT(json["metrics"]["seconds"]["median"], 0);
    EXPECT_EQ(json["metrics"]["bytes_peak"]["median"], pes * 256 * 8 * 2);
  }
}

TEST(gups_bench, does_not_claim_what_it_has_not_verified) {
  const auto json = json_of("$p bench gups --pes 2 --log2-table 8 --trials 1");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["applied_updates"], 2 * 256 * 4);
  EXPECT_FALSE(json.contains("remote_updates"));
  EXPECT_FALSE(json["metrics"].contains("aggregation_factor"));
}

TEST(gups_bench, says_what_aggregation_gains) {
  const std::string command =
      "$p bench gups --pes 2 --log2-table 8 --trials 2 --verify --aggregation off";
  expect(command, 0, "aggregation factor");
  const auto json = json_of(command);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["parameters"]["aggregation"], false);
  const auto& metrics = json["metrics"];
  EXPECT_EQ(metrics["aggregation_factor"]["values"].size(), 2U);
  EXPECT_DOUBLE_EQ(metrics["aggregation_factor"]["values"][0].get<double>(),
                   metrics["rate_with_aggregation"]["values"][0].get<double>() /
                       metrics["rate"]["values"][0].get<double>());
}

TEST(gups_bench, writes_the_metrics_of_the_job_that_was_asked_for) {
  const std::string file =
      testing::TempDir() + "gups_metrics_" + std::to_string(getpid()) + ".json";
  // With this --flush-age, no partly filled buffer becomes old enough to be sent.
  const std::string command =
      "$p bench gups --pes 2 --log2-table 8 --trials 1 --flush-age 10s --metrics " + file;
  const auto buffers_sent = [&](const std::string& flags) {
    EXPECT_EQ(shell(command + flags).status, 0);
    const auto written = nlohmann::json::parse(std::ifstream(file));
    return written["counters"]["buffers_sent"]["total"].get<std::uint64_t>();
  };
  EXPECT_GT(buffers_sent(" --aggregation off"), 10 * buffers_sent(""));
  std::filesystem::remove(file);
}

TEST(gups_bench, stands_beside_the_limit_and_the_peer) {
  const auto result = shell("$p bench gups --pes 2 --log2-table 10 --trials 1 --compare");
  EXPECT_EQ(result.status, 0) << result.output;
  for (const std::string name : {"limit", "peer:alltoallv"}) {
    std::string metric = name;
    std::ranges::replace(metric, ':', ' ');
    const bool measured = result.output.find("\n" + metric + "  ") != std::string::npos;
    const bool left_out = result.output.find(name + " is left out") != std::string::npos;
    EXPECT_NE(measured, left_out) << name << "\n" << result.output;
  }
}

TEST(gups_bench, verifies_without_a_warning_of_the_stall_detector) {
  const auto result =
      shell("$p bench gups --pes 2 --log2-table 20 --updates-per-word 16 --trials 1 "
            "--verify --stall-time 50ms");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.find("without a switch"), std::string::npos) << result.output;
}

TEST(gups_bench, refuses_bad_input) {
  expect_refusal_without_a_file("$p bench gups --pes 0", "--pes: 0 is out of range (1 to 16384)");
  expect_refusal_without_a_file("$p bench gups --log2-tabel 20",
                                "unknown flag --log2-tabel, did you mean --log2-table?");
  expect_refusal_without_a_file(
      "ATOLL_AGREGATION=off $p bench gups",
      "unknown variable ATOLL_AGREGATION, did you mean ATOLL_AGGREGATION?");
  expect_refusal_without_a_file("$p bench gups --log2-table 60",
                                "--log2-table: 60 is out of range (1 to 40)");
  expect_refusal_without_a_file("$p bench gups --updates-per-word 0",
                                "--updates-per-word: 0 is out of range (1 to 1024)");
  expect_refusal_without_a_file("$p bench gups --trials 0",
                                "--trials: 0 is out of range (1 to 10000)");
  expect_refusal_without_a_file("$p bench gups 20",
                                "unexpected argument 20, see atoll bench gups --help");
}

TEST(gups_bench, refuses_a_table_larger_than_memory) {
  expect("$p bench gups --pes 2 --log2-table 40", 2,
         "atoll: error: --log2-table: 2^40 words on each of 2 PEs need 16 TiB, and ");
  // --verify repeats all updates, which doubles the memory.
  const std::string limited =
      "$p bench gups --pes 1 --log2-table 17 --trials 1 --memory-limit 1MiB";
  EXPECT_EQ(shell(limited).status, 0);
  expect_refusal_without_a_file(
      limited + " --verify",
      "--log2-table: 2^17 words on each of 1 PE need 2 MiB, half of it to verify them, "
      "and --memory-limit allows 1 MiB");
}

}  // namespace
}  // namespace atl::app
