#include "app/driver/report.hpp"

#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace atl::app {
namespace {

report two_trials() {
  settings options;
  options.set("pes", "2", "--pes");
  options.set("buffer-size", "8KiB", "--buffer-size");
  report result("gups", options);
  result.parameter("log2-table", 25U);
  result.add(measurements{{"rate", "updates/s", 81e6}, {"seconds", "s", 3.25}});
  result.add(measurements{{"rate", "updates/s", 83e6}, {"seconds", "s", 3.15}});
  return result;
}

TEST(report, json_follows_the_schema) {
  auto result = two_trials();
  result.verified(true);
  result.section("bytes_per_pe") = {1, 2};
  const auto json = result.json();
  EXPECT_EQ(json["name"], "gups");
  EXPECT_EQ(json["parameters"]["pes"], 2);
  EXPECT_EQ(json["parameters"]["seed"], 1);
  EXPECT_EQ(json["parameters"]["aggregation"], true);
  EXPECT_EQ(json["parameters"]["buffer-size"], 8192);
  EXPECT_EQ(json["parameters"]["log2-table"], 25);
  EXPECT_FALSE(json["parameters"].contains("workers"));
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["metrics"]["rate"]["unit"], "updates/s");
  EXPECT_EQ(json["metrics"]["rate"]["values"], (std::vector<double>{81e6, 83e6}));
  EXPECT_EQ(json["metrics"]["rate"]["median"], 82e6);
  EXPECT_EQ(json["host"]["transport"], "shm");
  EXPECT_GE(json["host"]["cores"], 1);
  EXPECT_EQ(json["version"], ATOLL_VERSION);
  EXPECT_EQ(json["bytes_per_pe"], (std::vector<int>{1, 2}));
}

TEST(report, pes_default_to_the_cores) {
  const report result("x", settings{});
  EXPECT_EQ(result.pes(), result.json()["host"]["cores"]);
  EXPECT_EQ(result.busy_cores(), result.pes());
}

TEST(report, is_neither_right_nor_wrong_until_checked) {
  auto result = two_trials();
  EXPECT_TRUE(result.json()["verified"].is_null());
  EXPECT_FALSE(result.wrong());
  EXPECT_NE(result.text().find("not verified"), std::string::npos);
  result.verified(true);
  EXPECT_FALSE(result.wrong());
  result.verified(false);
  result.verified(true);
  EXPECT_TRUE(result.wrong());
  EXPECT_EQ(result.json()["verified"], false);
  EXPECT_NE(result.text().find("WRONG RESULT"), std::string::npos);
}

TEST(report, an_answer_is_its_lines_and_whether_they_are_right) {
  auto result = two_trials();
  result.becomes_answer();
  result.line("two words");
  EXPECT_EQ(result.text(), "two words\n");
  result.verified(true);
  EXPECT_EQ(result.text(), "two words\nverified: the result is right\n");
  result.verified(false);
  EXPECT_EQ(result.text(), "two words\nWRONG RESULT: nothing above counts\n");
}

TEST(report, a_wrong_result_has_no_figure) {
  auto result = two_trials();
  result.verified(false);
  EXPECT_TRUE(result.json()["metrics"].empty());
  const std::string text = result.text();
  for (const char* figure : {"rate", "updates/s", "seconds", "82"})
    EXPECT_EQ(text.find(figure), std::string::npos) << figure << " in " << text;
}

TEST(report, knows_last_value_and_median) {
  const auto result = two_trials();
  EXPECT_EQ(result.last("rate"), 83e6);
  EXPECT_EQ(result.median("rate"), 82e6);
  EXPECT_EQ(result.median("rhubarb"), std::nullopt);
}

TEST(report, refuses_two_units_for_one_metric) {
  auto result = two_trials();
  EXPECT_THROW(result.add(measurement("rate", "keys/s", 1)), error);
}

TEST(report, text_has_human_numbers_and_comparisons) {
  auto result = two_trials();
  result.add(measurement("limit", "updates/s", 164e6));
  result.add(measurement("fraction_of_limit", "", 0.5));
  result.add(measurement("peer:alltoallv", "updates/s", 41e6));
  result.add(measurement("bytes_peak", "B", 512 << 20));
  result.add(measurement("nanoseconds_per_switch", "ns", 12.5));
  result.line("the table fits no cache");
  const std::string text = result.text();
  for (const char* part :
       {"gups: 2 PEs on ", "log2-table 25", "82 M updates/s", "(81 M updates/s to 83 M updates/s)",
        "3.2 s", "512 MiB", "12.5 ns", "50 %", "50 % of the limit of this machine",
        "2 times the rate of peer alltoallv", "the table fits no cache"})
    EXPECT_NE(text.find(part), text.npos) << part << " in:\n" << text;
}

TEST(report, compares_a_peer_with_the_rate_of_the_same_name) {
  report result("switches", settings{});
  result.add(measurement("rate_10", "switches/s", 30));
  result.add(measurement("rate_500", "switches/s", 20));
  result.add(measurement("peer:fibers_500", "switches/s", 10));
  EXPECT_NE(result.text().find("\n2 times the rate of peer fibers 500\n"), std::string::npos);
}

}  // namespace
}  // namespace atl::app
