// The setting `trace` writes a timeline of all PEs to a file.

#include "support/captured_stderr.hpp"
#include "support/file_size_limit.hpp"
#include "support/run_on.hpp"
#include "support/scratch_folder.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

using namespace atl;
using testing::HasSubstr;

namespace {

/// The name of a file; the destructor removes the file.
class trace_file {
 public:
  ~trace_file() { std::filesystem::remove(path); }

  std::string text() const {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }

  const std::string path = std::filesystem::temp_directory_path() /
                           ("atoll_trace_test_" + std::to_string(getpid()) + ".json");
};

task<> some_of_everything() {
  const auto words = co_await make_array<std::uint64_t>(64);
  const auto updates = [=](std::uint64_t i) {
    async_update(words[i % words.size()], [](std::uint64_t& word) { ++word; });
  };
  co_await parallel_for(3000, updates);
  const auto steal = [] {
    for (int i = 0; i < 200; ++i) spawn_stealable([] {});
  };
  co_await finish(steal);
  const auto meet_and_idle = []() -> task<> {
    co_await all_barrier();
    for (int i = 0; i < 1000 && this_pe().counters->idle_nanoseconds == 0; ++i)
      co_await sleep_for(10'000);
  };
  co_await on_all_pes(meet_and_idle);
  co_await words.destroy();
}

/// Returns the events of each process in the trace.
std::map<int, std::vector<nlohmann::json>> events_by_pe(const nlohmann::json& document) {
  std::map<int, std::vector<nlohmann::json>> all;
  for (const auto& event : document["traceEvents"])
    all[event["pid"].get<int>() - 1].push_back(event);
  return all;
}

/// Checks that two events never overlap partly: an event either lies within an earlier event or
/// begins after its end.
void expect_nested(const std::vector<nlohmann::json>& events) {
  constexpr double rounding = 1e-6;
  double last = 0;
  std::vector<double> ends;
  for (const auto& event : events) {
    if (event["ph"] != "X") continue;
    const double begin = event["ts"];
    const double end = begin + event["dur"].get<double>();
    EXPECT_GE(begin, last) << event;
    last = begin;
    while (!ends.empty() && ends.back() <= begin + rounding) ends.pop_back();
    if (!ends.empty()) {
      EXPECT_LE(end, ends.back() + rounding) << event;
    }
    ends.push_back(end);
  }
}

class traces : public test::on_pes {
 protected:
  traces() { options.trace = file_.path; }

  const trace_file file_;
};

TEST_P(traces, show_what_all_pes_did) {
  run(some_of_everything);
  const auto document = nlohmann::json::parse(file_.text());
  EXPECT_EQ(document["otherData"]["ended_early"], false);
  auto by_pe = events_by_pe(document);
  ASSERT_EQ(by_pe.size(), static_cast<std::size_t>(size()));
  for (const auto& [pe, events] : by_pe) {
    std::set<std::string> names;
    for (const auto& event : events) names.insert(event["name"].get<std::string>().substr(0, 7));
    for (const char* name :
         {"process", "thread_", "tasks o", "message", "idle", "ready t", "collect"})
      EXPECT_TRUE(names.contains(name)) << pe << " " << name;
    EXPECT_EQ(events[0]["args"]["name"], "PE " + std::to_string(pe));
    expect_nested(events);
  }
  EXPECT_THAT(file_.text(), HasSubstr("trace_test.cpp:"));
}

TEST_P(traces, of_long_runs_are_bounded) {
  options.trace_size = 4 << 10;
  const test::captured_stderr captured;
  run([]() -> task<> {
    // The trace merges short tasks into periods, and each period contains at most ten of the 2,000
    // sleeps.
    for (int i = 0; i < 2000; ++i) co_await sleep_for(2'000);
  });
  const auto document = nlohmann::json::parse(file_.text());
  EXPECT_GT(document["otherData"]["oldest_events_dropped_by_pe"][0], 0);
  // The bound is three events for each record of 48 bytes that fits into the trace, and three
  // names.
  const std::size_t most = 3 * (options.trace_size / 48) + 3;
  for (const auto& [pe, events] : events_by_pe(document)) EXPECT_LE(events.size(), most) << pe;
}

TEST_P(traces, of_jobs_that_fail_show_what_was_before) {
  {
    const test::captured_stderr captured;
    EXPECT_EQ(test::status_of(options,
                              []() -> task<> {
                                fail(errc::input, "enough");
                                co_return;
                              }),
              2);
    EXPECT_THAT(captured.text(), HasSubstr("ends where the job did, early"));
  }
  const auto document = nlohmann::json::parse(file_.text());
  EXPECT_EQ(document["otherData"]["ended_early"], true);
  EXPECT_EQ(events_by_pe(document).size(), static_cast<std::size_t>(size()));
}

ATOLL_RUN_ON(traces, 1, 2, 3, 8);

std::string simulated_trace(int pes, std::uint64_t seed) {
  const trace_file file;
  settings options = test::simulated_job_of(pes, seed);
  options.trace = file.path;
  test::run_on(options, some_of_everything);
  return file.text();
}

TEST(simulated_traces, are_equal_to_the_byte_where_the_seeds_are) {
  std::set<std::string> different;
  const auto seeds = test::seeds(8);
  for (const std::uint64_t seed : seeds) {
    for (const int pes : {2, 5}) {
      const std::string first = simulated_trace(pes, seed);
      EXPECT_TRUE(first == simulated_trace(pes, seed)) << "seed " << seed << ", PEs " << pes;
      different.insert(first);
    }
  }
  EXPECT_EQ(different.size(), 2 * seeds.size());
}

TEST(simulated_traces, leave_the_schedule_as_it_is) {
  const auto nanoseconds = [](const std::string& trace) {
    settings options = test::simulated_job_of(3, 1);
    options.trace = trace;
    std::int64_t end = 0;
    const auto timed = [&end]() -> task<> {
      co_await some_of_everything();
      end = this_pe().transport->now();
    };
    test::run_on(options, timed);
    return end;
  };
  const trace_file file;
  EXPECT_EQ(nanoseconds(""), nanoseconds(file.path));
}

#ifndef ATOLL_TEST_ONLY_THREADS
TEST(trace, of_a_job_with_a_dead_pe_shows_what_was_before) {
  const trace_file file;
  settings options = test::job_of(3);
  options.trace = file.path;
  {
    const test::captured_stderr captured;
    const auto die = []() -> task<> {
      co_await some_of_everything();
      async_call(1, [] { raise(SIGKILL); });
      co_await sleep_for(60'000'000'000);
    };
    EXPECT_EQ(test::status_of(options, die), 128 + SIGKILL);
  }
  const auto document = nlohmann::json::parse(file.text());
  EXPECT_EQ(document["otherData"]["ended_early"], true);
  for (const auto& [pe, events] : events_by_pe(document)) EXPECT_GT(events.size(), 5u) << pe;
}
#endif

// The job sets a limit on the size of files only after its shared memory exists, because the limit
// would also apply to shared memory.
TEST(trace, is_absent_where_there_is_no_room_for_all_of_it) {
  const scratch_folder folder;
  settings options = test::job_of(1);
  options.trace = folder.path("trace.json");
  for (const bool fails : {false, true}) {
    const test::captured_stderr captured;
    std::optional<test::file_size_limit> full;
    const auto job = [&]() -> task<> {
      co_await some_of_everything();
      full.emplace(4096);
      if (fails) throw std::runtime_error("an error of the job");
    };
    int status = 0;
    std::string refusal;
    try {
      status = test::status_of(options, job);
    } catch (const error& e) {
      refusal = e.what();
    }
    full.reset();
    refusal += captured.text();
    EXPECT_EQ(status, fails ? 4 : 0);
    EXPECT_THAT(refusal, HasSubstr("--trace " + options.trace + ": cannot write: File too large"));
    EXPECT_EQ(refusal.find("an error of the job") != refusal.npos, fails) << refusal;
    EXPECT_EQ(folder.files(), 0u);
  }
}

TEST(trace, that_cannot_be_written_ends_the_program_before_it_begins) {
  const test::captured_stderr captured;
  std::string words[] = {"program", "--atoll-trace=/no/such/folder/file", "--atoll-pes=1"};
  char* values[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int count = 3;
  bool began = false;
  EXPECT_EQ(run(count, values,
                [&]() -> task<> {
                  began = true;
                  co_return;
                }),
            2);
  EXPECT_FALSE(began);
  EXPECT_THAT(captured.text(), HasSubstr("/no/such/folder/file"));
}

}  // namespace
