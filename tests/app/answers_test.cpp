// Tests the commands that print answers: `atoll bfs`, `cc`, `pagerank`, `mst` and `sort`. Also
// tests the errors for flags that only `atoll bench` has.

#include "tests/app/answer_files.hpp"

#include <filesystem>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;

TEST(answers, are_the_same_files_on_any_number_of_pes) {
  const answer_files files;
  for (const int pes : {1, 2, 3, 5, 8})
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"})
      files.expect_right("", fmt::format("--pes {} {}", pes, kind));
}

class answer_flags : public testing::Test {
 protected:
  scratch_folder folder_;
  const std::string graph_ = folder_.file("a.wel", "0 1 5\n1 2 7\n");
  const std::string keys_ = folder_.file("keys.txt", "2\n1\n");
};

TEST_F(answer_flags, that_measure_are_refused_with_a_hint) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> measure = {
      {"bfs --root 0", {"--trials 3", "--compare", "--roots 4"}},
      {"cc", {"--trials 3", "--compare"}},
      {"pagerank", {"--trials 3", "--compare"}},
      {"mst", {"--trials 3", "--compare"}},
      {"sort", {"--trials 3", "--compare", "--class S", "--keys 5", "--bits 3"}}};
  for (const auto& [command, flags] : measure) {
    const auto name = command.substr(0, command.find(' '));
    for (const auto& flag : flags) {
      const auto line = fmt::format("$p {} {} {} -o {}", command, name == "sort" ? keys_ : graph_,
                                    flag, folder_.path("out.txt"));
      expect(line, 2, "atoll bench " + name);
      expect(line, 2, flag.substr(0, flag.find(' ')));
    }
  }
  EXPECT_EQ(folder_.files(), 2U);
}

TEST_F(answer_flags, of_random_graphs_are_refused_with_a_hint) {
  for (const std::string name : {"bfs", "cc", "pagerank", "mst"})
    for (const char* flag :
         {"--scale 5", "--kind web", "--vertices 20", "--edge-factor 3", "--edges-per-vertex 1.5"})
      for (const auto& graph : {graph_, std::string()})
        expect(fmt::format("$p {} {} {}", name, flag, graph), 2, "atoll bench " + name);
}

TEST_F(answer_flags, never_write_to_a_file_that_is_read_or_to_one_file_twice) {
  const auto link = folder_.path("link.el");
  std::filesystem::create_symlink(graph_, link);
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"bfs --root 0", graph_}, {"cc", graph_},       {"pagerank", graph_}, {"mst", graph_},
      {"sort", keys_},          {"bench cc", graph_}, {"bench sort", keys_}};
  for (const auto& [command, file] : commands) {
    const auto before = content_of(file);
    for (const char* flag : {"--json", "--metrics", "--trace"})
      expect(fmt::format("$p {} {} {} {}", command, file, flag, file), 2, "that is read");
    const auto out = folder_.path("out.txt");
    expect(fmt::format("$p {} {} -o {} --json {}", command, file, out, out), 2,
           "is the file of --output, too");
    expect(fmt::format("$p {} {} --json {} --metrics {}", command, file, out, out), 2,
           "--metrics: ");
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_EQ(content_of(file), before);
  }
  expect(fmt::format("$p cc {} --json {}", graph_, link), 2, "that is read");
  expect(fmt::format("$p info {} --json {}", graph_, link), 2, "that is read");
}

TEST_F(answer_flags, are_settings_too) {
  const auto json = json_of("$p cc " + graph_ + " --pes 3 --pe-kind thread --seed 7");
  EXPECT_EQ(json["parameters"]["pes"], 3);
  EXPECT_EQ(json["parameters"]["seed"], 7);
  EXPECT_EQ(json["host"]["transport"], "shm");
  expect("$p cc " + graph_ + " --pess 3", 2, "unknown flag --pess, did you mean --pes?");
}

TEST(answers, have_left_gups_and_uts_to_the_benchmarks) {
  for (const std::string name : {"gups", "uts"}) {
    for (const char* flags : {"", " --pes 2", " --help"}) {
      const auto gone = shell("$p " + name + flags);
      EXPECT_EQ(gone.status, 2) << name << flags;
      EXPECT_THAT(gone.output, HasSubstr("atoll bench " + name)) << flags;
    }
  }
  expect("$p --help", 0, "bench");
}

const std::vector<std::string> k_commands = {
    "",           "bfs",       "cc",       "mst",         "pagerank",       "sort",
    "generate",   "convert",   "info",     "options",     "doctor",         "top",
    "bench",      "bench bfs", "bench cc", "bench mst",   "bench pagerank", "bench sort",
    "bench gups", "bench uts", "cores",    "bench cores", "paths",          "bench paths"};

TEST(help, fits_a_screen) {
  auto commands = k_commands;
  for (const auto& name : {"context-switch", "messages", "stealing", "stack", "queue", "hash-set",
                           "hash-map", "event-latency", "event-throughput", "reservations",
                           "reductions", "copies", "reading", "put", "allreduce"})
    commands.push_back(std::string("bench ") + name);
  for (const auto& command : commands) {
    const auto help = shell("$p " + command + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_GT(help.output.size(), 100U) << command;
    EXPECT_LE(std::ranges::count(help.output, '\n'), 45) << command << "\n" << help.output;
  }
}

TEST(help, has_settings_where_all_is_asked_for) {
  for (const auto& command :
       {"bfs", "cc", "mst", "pagerank", "sort", "bench bfs", "bench gups", "bench messages"}) {
    const auto help = shell(fmt::format("$p {} --help", command));
    EXPECT_THAT(help.output, HasSubstr("--help-all")) << command;
    EXPECT_THAT(help.output, testing::Not(HasSubstr("--buffer-size"))) << command;
    const auto all = shell(fmt::format("$p {} --help-all", command));
    EXPECT_EQ(all.status, 0) << command;
    EXPECT_THAT(all.output, HasSubstr("--buffer-size SIZE")) << command;
    EXPECT_GT(all.output.size(), help.output.size()) << command;
    const bool measures = std::string_view(command).starts_with("bench ");
    EXPECT_EQ(all.output.find("--idle-yields") != std::string::npos, measures) << command;
  }
  expect("$p cc --idle-yields x", 2, "--idle-yields: \"x\" is not a whole number");
}

TEST(help, of_answers_names_no_flag_that_measures) {
  for (const std::string command : {"bfs", "cc", "mst", "pagerank", "paths", "sort"}) {
    const auto help = shell("$p " + command + " --help").output;
    EXPECT_THAT(help, HasSubstr("--output")) << command;
    EXPECT_THAT(help, HasSubstr("--verify")) << command;
    EXPECT_THAT(help, HasSubstr("--json")) << command;
    for (const char* flag : {"--trials", "--compare", "--scale", "--class", "--algorithm"})
      EXPECT_THAT(help, testing::Not(HasSubstr(flag))) << command;
  }
}

}  // namespace
}  // namespace atl::app
