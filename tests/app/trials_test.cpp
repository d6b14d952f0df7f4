#include "app/driver/trials.hpp"

#include "app/command.hpp"
#include "atoll/error.hpp"
#include "support/file_size_limit.hpp"
#include "support/scratch_folder.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace atl::app {
namespace {

namespace fs = std::filesystem;

// A script in the folder of the test program. The program `atoll` searches its own folder for
// programs that `--compare` runs.
class neighbour {
 public:
  neighbour(const std::string& script)
      : name_("atoll-test-" + std::to_string(getpid())),
        file_(fs::read_symlink("/proc/self/exe").replace_filename(name_)) {
    std::ofstream(file_) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file_, fs::perms::owner_all);
  }
  ~neighbour() { fs::remove(file_); }
  neighbour(const neighbour&) = delete;
  neighbour& operator=(const neighbour&) = delete;

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  fs::path file_;
};

std::string complaint(auto&& action) {
  try {
    action();
  } catch (const error& e) {
    EXPECT_EQ(e.exit_status(), 2);
    return e.what();
  }
  return "no error";
}

benchmark_flags with_trials(std::uint64_t trials) {
  benchmark_flags flags;
  flags.trials = trials;
  return flags;
}

TEST(run_trials, leaves_the_first_run_out) {
  report result("x", settings{});
  double calls = 0;
  run_trials(result, with_trials(3), [&] { return measurements{{"rate", "keys/s", ++calls}}; });
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(result.json()["metrics"]["rate"]["values"], (std::vector<double>{2, 3, 4}));
  EXPECT_EQ(result.json()["parameters"]["trials"], 3);
}

TEST(run_trials, derives_the_rate_of_a_core) {
  settings options;
  options.set("pes", "1", "--pes");
  report result("x", options);
  run_trials(result, with_trials(1), [] { return measurements{{"rate", "keys/s", 10}}; });
  EXPECT_EQ(result.median("rate_per_core"), 10);
}

TEST(run_trials, runs_programs_between_the_trials) {
  const neighbour program(
      R"(echo noise; echo "{\"rate\": $1, \"unit\": \"keys/s\", \"threads\": 2}")");
  auto flags = with_trials(2);
  flags.compare = true;
  report result("x", settings{});
  run_trials(result, flags, [] { return measurements{{"rate", "keys/s", 10}}; },
             {{"limit", {program.name(), "40"}},
              {"peer:other", {program.name(), "5"}},
              {"peer:absent", {"atoll-peer-absent"}}});
  EXPECT_EQ(result.json()["metrics"]["limit"]["values"], (std::vector<double>{40, 40}));
  EXPECT_EQ(result.median("fraction_of_limit"), 0.25);
  EXPECT_EQ(result.median("peer:other"), 5);
  EXPECT_EQ(result.median("peer:absent"), std::nullopt);
  EXPECT_NE(result.text().find("peer:absent is left out"), std::string::npos);
  EXPECT_EQ(result.json()["programs"]["limit"][0]["threads"], 2);
}

TEST(run_trials, runs_no_program_unasked) {
  const neighbour program("exit 1");
  report result("x", settings{});
  run_trials(result, with_trials(1), [] { return measurements{{"rate", "keys/s", 10}}; },
             {{"limit", {program.name()}}});
  EXPECT_EQ(result.median("limit"), std::nullopt);
}

TEST(trial_series, is_driven_from_outside) {
  report result("x", settings{});
  trial_series trials(result, with_trials(2));
  std::vector<bool> warming;
  while (trials.begin()) {
    warming.push_back(trials.warming_up());
    trials.end({{"rate", "keys/s", double(warming.size())}});
  }
  EXPECT_EQ(warming, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(result.json()["metrics"]["rate"]["values"], (std::vector<double>{2, 3}));
}

TEST(trial_series, of_an_answer_is_one_run_whose_seconds_count) {
  benchmark_flags flags = with_trials(5);
  flags.measures = false;
  report result("x", settings{});
  trial_series trials(result, flags);
  int runs = 0;
  while (trials.begin()) {
    EXPECT_FALSE(trials.warming_up());
    ++runs;
    trials.end({{"rate", "keys/s", 10}, {"seconds", "s", 2.5}});
  }
  EXPECT_EQ(runs, 1);
  EXPECT_TRUE(result.is_answer());
  EXPECT_EQ(result.json()["metrics"].size(), 1U);
  EXPECT_EQ(result.json()["metrics"]["seconds"]["values"], (std::vector<double>{2.5}));
  EXPECT_FALSE(result.json()["parameters"].contains("trials"));
}

TEST(run_trials, finds_a_bad_json_file_before_the_work) {
  for (const char* file : {"/nowhere/at/all.json", "/tmp"}) {
    auto flags = with_trials(1);
    flags.json = file;
    bool worked = false;
    report result("x", settings{});
    EXPECT_TRUE(complaint([&] {
                  run_trials(result, flags, [&] {
                    worked = true;
                    return measurements{};
                  });
                }).starts_with(std::string("--json: ") + file + ": cannot write: "));
    EXPECT_FALSE(worked);
  }
}

TEST(run_program, passes_launcher_and_arguments) {
  const neighbour program(R"(echo "{\"rate\": $RATE$1, \"unit\": \"keys/s\"}")");
  const compared_program compared("limit", {program.name(), "7"}, {"env", "RATE=4"});
  EXPECT_EQ(run_program(compared)["rate"], 47);
}

TEST(run_program, complains_about_a_program_that_fails) {
  const neighbour program("exit 3");
  EXPECT_EQ(complaint([&] { run_program({"limit", {program.name()}}); }),
            program.name() + " ended with status 3");
}

TEST(run_program, complains_about_a_program_that_says_nothing) {
  const neighbour program(R"(echo '{"rate": "fast"}'; echo '[1]'; echo garbage)");
  EXPECT_EQ(complaint([&] { run_program({"limit", {program.name()}}); }),
            program.name() + " printed no rate");
}

TEST(publish, writes_json_to_standard_output_alone) {
  report result("x", settings{});
  result.verified(true);
  benchmark_flags flags;
  flags.json = "-";
  testing::internal::CaptureStdout();
  EXPECT_EQ(publish(result, flags), 0);
  const auto json = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(json["name"], "x");
}

TEST(publish, leaves_the_old_json_where_there_is_no_room) {
  const scratch_folder folder;
  const auto file = folder.file("x.json", "old");
  const auto link = folder.path("link.json");
  fs::create_symlink("x.json", link);
  {
    const test::file_size_limit full(1000);
    EXPECT_TRUE(complaint([&] {
                  write_json(link, std::string(1001, ' '));
                }).starts_with("--json: " + link + ": cannot write: File too large"));
  }
  EXPECT_EQ(content_of(file), "old");
  EXPECT_EQ(folder.files(), 2u);
  write_json(link, "{}");
  EXPECT_EQ(content_of(file), "{}");
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST(publish, writes_a_file_beside_the_text) {
  const std::string file = fs::temp_directory_path() / ("atoll-" + std::to_string(getpid()));
  report result("x", settings{});
  benchmark_flags flags;
  flags.json = file;
  testing::internal::CaptureStdout();
  EXPECT_EQ(publish(result, flags), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("not verified"), std::string::npos);
  std::ifstream stream(file);
  EXPECT_EQ(nlohmann::json::parse(stream)["name"], "x");
  fs::remove(file);
}

TEST(publish, replaces_what_is_no_utf_8) {
  report result("x", settings{});
  result.parameter("file", "b\xff.el");
  benchmark_flags flags;
  flags.json = "-";
  testing::internal::CaptureStdout();
  EXPECT_EQ(publish(result, flags), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("b\xef\xbf\xbd.el"), std::string::npos);
}

TEST(publish, a_wrong_result_is_status_1) {
  report result("x", settings{});
  result.verified(false);
  testing::internal::CaptureStdout();
  EXPECT_EQ(publish(result, benchmark_flags{}), 1);
  testing::internal::GetCapturedStdout();
}

void parse(benchmark_flags& flags, std::vector<std::string> words) {
  command_context context;
  const auto program = new_program("test");
  auto& command = add_command(*program, context, "x", "", [] { return 0; });
  add_benchmark_flags(command, flags);
  words.insert(words.begin(), {"atoll", "x"});
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  run_command_line(*program, context, static_cast<int>(argv.size()), argv.data());
}

TEST(benchmark_flags, are_read_from_the_command_line) {
  benchmark_flags flags;
  parse(flags, {"--trials", "5", "--verify", "--compare", "--json", "out.json"});
  EXPECT_EQ(flags.trials, 5u);
  EXPECT_TRUE(flags.verify);
  EXPECT_TRUE(flags.compare);
  EXPECT_EQ(flags.json, "out.json");
  EXPECT_EQ(complaint([&] { parse(flags, {"--trials", "0"}); }),
            "--trials: 0 is out of range (1 to 10000)");
}

TEST(benchmark_flags, of_an_answer_are_those_that_do_not_measure) {
  benchmark_flags flags;
  flags.measures = false;
  parse(flags, {"--verify", "--json", "out.json"});
  EXPECT_TRUE(flags.verify);
  EXPECT_EQ(flags.json, "out.json");
  for (const std::string flag : {"--trials", "--compare"})
    EXPECT_TRUE(complaint([&] { parse(flags, {flag}); }).starts_with("unknown flag " + flag));
}

}  // namespace
}  // namespace atl::app
