// The setting `metrics` writes all counters of a job to a file.

#include "support/captured_stderr.hpp"
#include "support/run_on.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace atl;
using testing::HasSubstr;

namespace {

/// Waits until every PE has been idle once.
task<> rest() {
  co_await on_all_pes([]() -> task<> {
    while (this_pe().counters->idle_nanoseconds == 0) co_await sleep_for(1'000'000);
  });
}

task<> read_last(global_array<std::uint64_t> words) { co_await read(words[words.size() - 1]); }

class metrics : public test::on_pes {
 protected:
  metrics() { options.metrics = file_; }
  ~metrics() override { std::filesystem::remove(file_); }

  nlohmann::json written() const {
    std::ifstream in(file_);
    return nlohmann::json::parse(in);
  }

  const std::string file_ = std::filesystem::temp_directory_path() /
                            ("atoll_metrics_test_" + std::to_string(getpid()) + ".json");
};

TEST_P(metrics, of_a_job_are_written_when_it_ends) {
  run([]() -> task<> {
    const auto send = [] {
      for (int pe = 0; pe < pes(); ++pe) {
        for (int i = 0; i < 100; ++i) async_call(pe, [] {});
      }
    };
    co_await finish(send);
    co_await sleep_for(20'000'000);
    spawn(rest);
  });
  const auto document = written();
  const auto all = static_cast<std::uint64_t>(size());
  EXPECT_EQ(document["pes"], all);
  const auto& counters = document["counters"];
  for (const auto& [name, counter] : counters.items()) {
    EXPECT_EQ(counter["per_pe"].size(), all) << name;
  }
  EXPECT_GE(counters["messages_sent"]["total"], 100 * (all - 1));
  EXPECT_GE(counters["local_messages_executed"]["total"], 100u);
  for (std::size_t pe = 1; pe < all; ++pe) {
    EXPECT_GE(counters["messages_executed"]["per_pe"][pe], 100u);
  }
  EXPECT_GE(counters["tasks_started"]["total"], 2u);
  EXPECT_GE(counters["run_nanoseconds"]["largest"], 1'000'000u);
  EXPECT_GT(counters["idle_nanoseconds"]["per_pe"][0], 0u);
  EXPECT_LT(document["averages"]["idle_fraction"]["value"], 1.0);
}

TEST_P(metrics, divide_the_time_of_each_pe_among_its_activities) {
  run([]() -> task<> {
    const auto send = [] {
      for (int i = 0; i < 50'000; ++i) async_call(i % pes(), [] {});
    };
    co_await finish(send);
    co_await rest();
  });
  const auto document = written();
  const auto& counters = document["counters"];
  for (std::size_t pe = 0; pe < static_cast<std::size_t>(size()); ++pe) {
    std::uint64_t known = 0;
    double percent = 0;
    for (const auto& [name, share] : document["time"].items()) {
      const std::uint64_t time = counters[name + "_nanoseconds"]["per_pe"][pe];
      known += time;
      percent += share["per_pe"][pe].get<double>();
    }
    EXPECT_NEAR(percent, 100, 0.01);
    EXPECT_LE(known, counters["run_nanoseconds"]["per_pe"][pe]);
    EXPECT_GT(counters["handlers_nanoseconds"]["per_pe"][pe], 0u);
    EXPECT_GT(counters["idle_nanoseconds"]["per_pe"][pe], 0u);
  }
  EXPECT_GT(counters["tasks_nanoseconds"]["per_pe"][0], 0u);
  EXPECT_GT(counters["aggregation_nanoseconds"]["per_pe"][0], 0u);
}

TEST_P(metrics, hold_the_latency_of_blocking_delegates) {
  constexpr int reads = 1000;
  run([]() -> task<> {
    const auto words = co_await make_array<std::uint64_t>(static_cast<std::uint64_t>(pes()));
    const auto all = [&words]() -> task<> {
      for (int i = 0; i < reads; ++i) spawn([&words] { return read_last(words); });
      co_return;
    };
    co_await finish(all);
    co_await words.destroy();
  });
  const auto latency = written()["latency"]["blocking_delegates"];
  if (size() == 1) {
    EXPECT_EQ(latency["samples"], 0);  // Reads of local data do not wait.
    return;
  }
  EXPECT_GE(latency["samples"], reads / 64);
  EXPECT_LE(latency["samples"], reads);
  EXPECT_GT(latency["p50"], 0);
  EXPECT_LE(latency["p50"], latency["p90"]);
  EXPECT_LE(latency["p90"], latency["p99"]);
  EXPECT_LE(latency["p99"], latency["max"]);
}

TEST_P(metrics, of_a_job_that_fails_are_not_written) {
  {
    const test::captured_stderr captured;
    EXPECT_EQ(test::status_of(options, []() -> task<> { throw std::runtime_error("failed"); }), 4);
  }
  EXPECT_FALSE(std::filesystem::exists(file_));
}

ATOLL_RUN_ON_ALL(metrics);

TEST(metrics_file, that_cannot_be_written_ends_the_program_with_status_2) {
  const test::captured_stderr captured;
  std::string words[] = {"program", "--atoll-metrics=/no/such/folder/file", "--atoll-pes=1"};
  char* values[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int count = 3;
  EXPECT_EQ(run(count, values, []() -> task<> { co_return; }), 2);
  EXPECT_THAT(captured.text(), HasSubstr("/no/such/folder/file"));
}

}  // namespace
