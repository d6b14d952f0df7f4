#include "app/command.hpp"

#include "app/driver/guarded.hpp"
#include "app/flags.hpp"
#include "atoll/error.hpp"

#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <vector>

namespace atl::app {
namespace {

struct outcome {
  int status;
  std::string said;
};

outcome under_guard(const std::function<int()>& body) {
  testing::internal::CaptureStderr();
  const int status = guarded(body);
  return {status, testing::internal::GetCapturedStderr()};
}

// A program with two commands: `fly` has a flag, and `land` has no flag.
class program : public testing::Test {
 protected:
  program() {
    auto& fly = add_command(*root_, context_, "fly", "Fly", [this] {
      flown_ = true;
      return 7;
    });
    add_settings_flags(fly, context_);
    add_count_flag(fly, "--height", height_, 1, 40, "Metres above ground");
    add_counts_flag(fly, "--loops", loops_, 1, 9, "Loops of each turn");
    add_size_flag(fly, "--load", load_, 1024, 1 << 20, "What it carries");
    add_explanation(fly, context_, "Flies.", "A rope is as long as a kite allows.");
    add_command(*root_, context_, "land", "Land", [] { return 0; });
  }

  outcome run(std::vector<std::string> words) {
    words.insert(words.begin(), "atoll");
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    return under_guard(
        [&] { return run_command_line(*root_, context_, int(words.size()), argv.data()); });
  }

  std::string complaint(std::vector<std::string> words) {
    flown_ = false;
    const auto result = run(std::move(words));
    EXPECT_EQ(result.status, 2);
    EXPECT_FALSE(flown_);
    return result.said;
  }

  command_context context_;
  std::shared_ptr<CLI::App> root_ = new_program("A test");
  std::uint64_t height_ = 10;
  std::vector<std::uint64_t> loops_ = {2, 3};
  std::uint64_t load_ = 2048;
  bool flown_ = false;
};

TEST_F(program, runs_the_chosen_command_after_all_flags) {
  EXPECT_EQ(run({"fly", "--height=12", "--pes", "3", "--flush-age", "50us"}).status, 7);
  EXPECT_TRUE(flown_);
  EXPECT_EQ(height_, 12u);
  EXPECT_EQ(context_.settings.pes, 3u);
  EXPECT_EQ(context_.settings.flush_age, 50'000);
  EXPECT_EQ(context_.settings.origin("pes"), "flag");
}

TEST_F(program, keeps_defaults) {
  EXPECT_EQ(run({"fly"}).status, 7);
  EXPECT_EQ(height_, 10u);
  EXPECT_EQ(context_.settings.origin("pes"), "default");
}

TEST_F(program, the_last_of_equal_flags_counts) {
  EXPECT_EQ(run({"fly", "--pes", "3", "--pes", "4"}).status, 7);
  EXPECT_EQ(context_.settings.pes, 4u);
}

TEST_F(program, refuses_an_unknown_flag_with_the_nearest) {
  EXPECT_EQ(complaint({"fly", "--pess", "3"}),
            "atoll: error: unknown flag --pess, did you mean --pes?\n");
  EXPECT_EQ(complaint({"fly", "--hieght=3"}),
            "atoll: error: unknown flag --hieght, did you mean --height?\n");
  EXPECT_EQ(complaint({"fly", "--rhubarb"}),
            "atoll: error: unknown flag --rhubarb, see atoll fly --help\n");
  EXPECT_EQ(complaint({"land", "--pes", "3"}),
            "atoll: error: unknown flag --pes, see atoll land --help\n");
}

TEST_F(program, refuses_an_unknown_command_with_the_nearest) {
  EXPECT_EQ(complaint({"flz"}), "atoll: error: unknown command flz, did you mean fly?\n");
  EXPECT_EQ(complaint({"dive"}), "atoll: error: unknown command dive, see atoll --help\n");
}

TEST_F(program, refuses_bad_values) {
  EXPECT_EQ(complaint({"fly", "--pes", "0"}),
            "atoll: error: --pes: 0 is out of range (1 to 16384)\n");
  EXPECT_EQ(complaint({"fly", "--pes=-1"}), "atoll: error: --pes: \"-1\" is not a whole number\n");
  EXPECT_EQ(complaint({"fly", "--height", "41"}),
            "atoll: error: --height: 41 is out of range (1 to 40)\n");
  EXPECT_EQ(complaint({"fly", "--height", "high"}),
            "atoll: error: --height: \"high\" is not a whole number\n");
  EXPECT_EQ(complaint({"fly", "--pin", "yes"}),
            "atoll: error: --pin: \"yes\" is neither on nor off\n");
}

TEST_F(program, takes_lists_of_numbers) {
  EXPECT_EQ(run({"fly"}).status, 7);
  EXPECT_EQ(loops_, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(run({"fly", "--loops", "4"}).status, 7);
  EXPECT_EQ(loops_, (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(run({"fly", "--loops=1,9,1"}).status, 7);
  EXPECT_EQ(loops_, (std::vector<std::uint64_t>{1, 9, 1}));
  EXPECT_EQ(complaint({"fly", "--loops", "1,10"}),
            "atoll: error: --loops: 10 is out of range (1 to 9)\n");
  EXPECT_EQ(complaint({"fly", "--loops", "1,,2"}),
            "atoll: error: --loops: \"\" is not a whole number\n");
}

TEST_F(program, takes_sizes) {
  EXPECT_EQ(run({"fly", "--load", "3KiB"}).status, 7);
  EXPECT_EQ(load_, 3072u);
  EXPECT_EQ(complaint({"fly", "--load", "1GiB"}),
            "atoll: error: --load: 1GiB is out of range (1KiB to 1MiB)\n");
}

TEST_F(program, refuses_a_missing_value_and_a_stray_word) {
  EXPECT_EQ(complaint({"fly", "--height"}), "atoll: error: --height: a value must follow\n");
  EXPECT_EQ(complaint({"fly", "south"}),
            "atoll: error: unexpected argument south, see atoll fly --help\n");
}

TEST_F(program, says_where_a_flag_belongs) {
  EXPECT_EQ(complaint({"--pes", "3", "fly"}), "atoll: error: --pes belongs behind atoll fly\n");
}

TEST_F(program, without_a_command_shows_its_help) {
  EXPECT_NE(complaint({}).find("fly"), std::string::npos);
}

TEST_F(program, help_is_a_success) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"fly", "--help"}).status, 0);
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_NE(help.find("Metres above ground (1 to 40; default 10)"), help.npos);
  EXPECT_NE(help.find("--help-all"), help.npos);
  for (const char* detail : {"--buffer-size", "as long as a kite allows"})
    EXPECT_EQ(help.find(detail), help.npos) << detail;
  EXPECT_FALSE(flown_);
}

TEST_F(program, all_help_has_settings_and_details) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"fly", "--help-all"}).status, 0);
  const std::string help = testing::internal::GetCapturedStdout();
  for (const char* part : {"--buffer-size SIZE", "Metres above ground (1 to 40; default 10)",
                           "Flies.\n", "A rope is as long as a kite allows."})
    EXPECT_NE(help.find(part), help.npos) << part;
  EXPECT_FALSE(flown_);
}

TEST_F(program, help_of_an_unknown_command_is_none) {
  EXPECT_EQ(complaint({"flz", "--help"}), "atoll: error: unknown command flz, did you mean fly?\n");
}

// The help of a command group is the same text that the group prints when it is called without a
// command.
TEST_F(program, commands_of_a_group_have_help) {
  auto& group = add_command_group(*root_, context_, "kites", "Kites");
  add_settings_flags(add_command(group, context_, "red", "Fly a red one", [] { return 0; }),
                     context_);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"kites", "red", "--help"}, {"kites", "--help"}, {"kites"}}) {
    testing::internal::CaptureStdout();
    EXPECT_EQ(run(words).status, 0);
    const std::string help = testing::internal::GetCapturedStdout();
    EXPECT_NE(help.find("Fly a red one"), help.npos);
    EXPECT_EQ(help.find("-h,--help") != help.npos, words.size() == 3);
  }
}

TEST(guarded, gives_each_exception_its_status) {
  const auto thrown = [](auto exception) { return under_guard([&]() -> int { throw exception; }); };
  const auto input = thrown(error(errc::input, "--pes: no"));
  EXPECT_EQ(input.status, 2);
  EXPECT_EQ(input.said, "atoll: error: --pes: no\n");
  EXPECT_EQ(thrown(error(errc::wrong_result, "")).status, 1);
  EXPECT_EQ(thrown(error(errc::hang, "")).status, 3);
  EXPECT_EQ(thrown(std::bad_alloc()).status, 2);
  EXPECT_EQ(thrown(std::bad_alloc()).said, "atoll: error: out of memory\n");
  EXPECT_EQ(thrown(std::runtime_error("why")).status, 4);
  EXPECT_EQ(thrown(std::runtime_error("why")).said, "atoll: error: uncaught exception: why\n");
  EXPECT_EQ(thrown(17).status, 4);
  EXPECT_EQ(thrown(ended{137}).status, 137);
  EXPECT_EQ(thrown(ended{137}).said, "");
}

}  // namespace
}  // namespace atl::app
