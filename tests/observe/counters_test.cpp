#include "atoll/observe/counters.hpp"

#include "atoll/error.hpp"
#include "atoll/observe/recorder.hpp"
#include "support/file_size_limit.hpp"
#include "support/scratch_folder.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace atl;
using observe::combination;
using observe::counters;

namespace {

nlohmann::json metrics_of(std::span<const observe::counters> pes,
                          const log_histogram& latencies = {}) {
  return nlohmann::json::parse(observe::metrics_text(pes, latencies));
}

/// Returns the counters of two PEs. Each counter has a different value.
std::vector<counters> two_pes() {
  std::vector<counters> all(2);
  std::uint64_t value = 1;
  for (const auto& entry : observe::counter_table()) {
    all[0].*entry.member = value;
    all[1].*entry.member = 1000 + value;
    ++value;
  }
  return all;
}

TEST(counter_table, describes_every_counter) {
  std::set<std::string_view> names;
  for (const auto& entry : observe::counter_table()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.unit.empty()) << entry.name;
    EXPECT_GT(entry.sentence.size(), 10u) << entry.name;
    EXPECT_TRUE(std::all_of(entry.name.begin(), entry.name.end(), [](char c) {
      return std::islower(c) || c == '_';
    })) << entry.name;
  }
  EXPECT_EQ(names.size() * sizeof(std::uint64_t), sizeof(counters));
  for (const auto* name : {"messages_sent", "buffers_sent", "context_switches", "active_tasks_peak",
                           "idle_nanoseconds", "buffers_overflowed"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(counters, combine_as_sums_or_as_the_largest) {
  const auto pes = two_pes();
  const counters all = observe::combined(pes);
  for (const auto& entry : observe::counter_table()) {
    const auto [a, b] = std::pair(pes[0].*entry.member, pes[1].*entry.member);
    EXPECT_EQ(all.*entry.member, entry.combine == combination::sum ? a + b : std::max(a, b))
        << entry.name;
  }
  EXPECT_EQ(observe::combined({}).messages_sent, 0u);
}

TEST(counters, differ_by_what_was_counted_between) {
  const auto readings = two_pes();
  const counters between = observe::difference(readings[1], readings[0]);
  for (const auto& entry : observe::counter_table()) {
    EXPECT_EQ(between.*entry.member,
              entry.combine == combination::sum ? 1000 : readings[1].*entry.member)
        << entry.name;
  }
}

TEST(metrics, hold_every_counter_in_all_and_by_pe) {
  const auto pes = two_pes();
  const auto document = metrics_of(pes);
  EXPECT_EQ(document["pes"], 2);
  EXPECT_EQ(document["counters"].size(), observe::counter_table().size());
  for (const auto& entry : observe::counter_table()) {
    const auto& shown = document["counters"].at(std::string(entry.name));
    EXPECT_EQ(shown.at("unit"), entry.unit);
    EXPECT_EQ(shown.at("sentence"), entry.sentence);
    EXPECT_EQ(shown.at("per_pe"), nlohmann::json({pes[0].*entry.member, pes[1].*entry.member}));
    const bool is_sum = entry.combine == combination::sum;
    EXPECT_EQ(shown.at(is_sum ? "total" : "largest"), observe::combined(pes).*entry.member);
  }
}

TEST(metrics, hold_averages) {
  std::vector<counters> pes(2);
  pes[0].messages_executed = 30;
  pes[1].messages_executed = 10;
  pes[0].message_bytes_executed = 640;
  pes[0].buffers_sent = 4;
  pes[1].buffer_bytes_sent = 2000;
  pes[0].run_nanoseconds = 100;
  pes[1].run_nanoseconds = 300;
  pes[1].idle_nanoseconds = 100;
  const auto averages = metrics_of(pes)["averages"];
  EXPECT_DOUBLE_EQ(averages["bytes_per_message"]["value"], 16.0);
  EXPECT_DOUBLE_EQ(averages["bytes_per_buffer"]["value"], 500.0);
  EXPECT_DOUBLE_EQ(averages["idle_fraction"]["value"], 0.25);
  for (const auto& [name, average] : averages.items()) {
    EXPECT_TRUE(average.contains("unit")) << name;
    EXPECT_TRUE(average.contains("sentence")) << name;
  }
}

TEST(metrics, hold_the_time_by_activity) {
  std::vector<counters> pes(2);
  pes[0].tasks_nanoseconds = 60;
  pes[0].idle_nanoseconds = 40;
  pes[1].handlers_nanoseconds = 100;
  const auto time = metrics_of(pes)["time"];
  EXPECT_EQ(time.size(), observe::activity_table().size());
  EXPECT_DOUBLE_EQ(time["tasks"]["per_pe"][0], 60);
  EXPECT_DOUBLE_EQ(time["handlers"]["per_pe"][1], 100);
  EXPECT_DOUBLE_EQ(time["handlers"]["all_pes"], 50);
  EXPECT_DOUBLE_EQ(time["idle"]["all_pes"], 20);
}

TEST(metrics, hold_the_latency_of_blocking_delegates) {
  log_histogram latencies;
  latencies.add(10, 98);
  latencies.add(15, 2);
  const auto shown = metrics_of({}, latencies)["latency"]["blocking_delegates"];
  EXPECT_EQ(shown["samples"], 100);
  EXPECT_EQ(shown["p50"], 10);
  EXPECT_EQ(shown["p90"], 10);
  EXPECT_EQ(shown["p99"], 15);
  EXPECT_EQ(shown["max"], 15);
  EXPECT_DOUBLE_EQ(shown["mean"], 10.1);
}

TEST(latency_sampler, times_one_operation_of_many) {
  observe::latency_sampler sampler;
  std::int64_t now = 0;
  int timed = 0;
  for (std::uint32_t i = 0; i < 10 * observe::latency_sampler::period; ++i) {
    if (!sampler.is_due()) continue;
    const auto place = sampler.begin(now);
    ASSERT_NE(place, 0);
    sampler.end(place, now += 7);
    ++timed;
  }
  EXPECT_EQ(timed, 10);
  EXPECT_EQ(sampler.latencies().count(), 10u);
  EXPECT_EQ(sampler.latencies().smallest(), 7u);
  EXPECT_EQ(sampler.latencies().largest(), 7u);
}

TEST(latency_sampler, times_no_more_at_once_than_it_has_places_for) {
  observe::latency_sampler sampler;
  std::vector<std::uint8_t> places;
  std::int64_t now = 0;
  while (const auto place = sampler.begin(++now)) places.push_back(place);
  EXPECT_EQ(std::set(places.begin(), places.end()).size(), places.size());
  EXPECT_EQ(places.size(), 64u);
  sampler.end(places[3], 1000);
  EXPECT_EQ(sampler.latencies().largest(), 1000u - 4);
  EXPECT_EQ(sampler.begin(1000), places[3]);
}

TEST(metrics, of_nothing_divide_by_nothing) {
  const std::vector<counters> pes(1);
  const auto averages = metrics_of(pes)["averages"];
  for (const auto& [name, average] : averages.items()) EXPECT_EQ(average["value"], 0.0) << name;
}

TEST(metrics, are_written_to_a_file) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("atoll_metrics_" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << std::string(100'000, 'x');  // longer than the text that replaces it
  const auto pes = two_pes();
  observe::write_metrics(file, pes);
  std::ifstream in(file);
  EXPECT_EQ(nlohmann::json::parse(in), metrics_of(pes));
  std::filesystem::remove(file);
}

TEST(metrics, leave_what_was_there_where_there_is_no_room) {
  const scratch_folder folder;
  const auto file = folder.file("metrics.json", "old");
  {
    const test::file_size_limit full(1000);
    EXPECT_THROW(observe::write_metrics(file, two_pes()), error);
  }
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(metrics, that_could_not_be_written_are_refused_before) {
  const scratch_folder folder;
  const auto file = folder.file("metrics.json", "old");
  for (const std::string& fine : {file, std::string("-"), std::string(), std::string("/dev/null")})
    EXPECT_NO_THROW(observe::check_metrics_file(fine)) << fine;
  EXPECT_EQ(content_of(file), "old");
  EXPECT_THROW(observe::check_metrics_file("/no/such/folder/metrics.json"), error);
  EXPECT_THROW(observe::check_metrics_file(folder.path("")), error);
}

TEST(metrics, go_to_standard_output_for_a_dash) {
  const auto pes = two_pes();
  testing::internal::CaptureStdout();
  observe::write_metrics("-", pes);
  EXPECT_EQ(nlohmann::json::parse(testing::internal::GetCapturedStdout()), metrics_of(pes));
}

TEST(metrics, that_cannot_be_written_are_an_error_that_names_the_file) {
  const auto pes = two_pes();
  for (const std::string file : {"/no/such/folder/metrics.json", "/dev/full"}) {
    try {
      observe::write_metrics(file, pes);
      FAIL() << file;
    } catch (const error& refusal) {
      EXPECT_EQ(refusal.code(), errc::environment);
      EXPECT_NE(std::string(refusal.what()).find(file), std::string::npos) << refusal.what();
      EXPECT_EQ(std::string(refusal.what()).find("Success"), std::string::npos) << refusal.what();
    }
  }
}

}  // namespace
