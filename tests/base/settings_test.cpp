#include "atoll/base/variables.hpp"
#include "atoll/settings.hpp"

#include "atoll/error.hpp"
#include "base/complaint.hpp"

#include <cctype>
#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>
#include <vector>

namespace atl {
namespace {

using test::complaint;

class variable {
 public:
  variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~variable() { unsetenv(name_); }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
};

// A command line in the form that main gets.
class command_line {
 public:
  command_line(std::vector<std::string> words) : words_(std::move(words)) {
    for (auto& word : words_) argv_.push_back(word.data());
    argv_.push_back(nullptr);
    argc_ = int(words_.size());
  }

  settings take() { return settings::take_flags(argc_, argv_.data()); }

  std::vector<std::string> rest() const {
    EXPECT_EQ(argv_[std::size_t(argc_)], nullptr);
    return {argv_.begin(), argv_.begin() + argc_};
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> argv_;
  int argc_ = 0;
};

TEST(settings, have_the_defaults_of_the_table) {
  const settings s;
  EXPECT_EQ(s.pes, 0u);
  EXPECT_EQ(s.pe_kind, pe_kind::process);
  EXPECT_EQ(s.workers, 512u);
  EXPECT_TRUE(s.aggregation);
  EXPECT_EQ(s.buffer_size, 32u << 10);
  EXPECT_EQ(s.flush_age, 100'000);
  EXPECT_EQ(s.stall_time, 100'000'000);
  EXPECT_EQ(s.metrics, "");
  EXPECT_EQ(s.log_level, log_level::warning);
  for (const auto& row : settings_table()) {
    EXPECT_EQ(s.value(row.name), row.default_value);
    EXPECT_EQ(s.origin(row.name), "default");
  }
}

TEST(settings, every_default_can_be_given_and_changes_nothing_but_the_origin) {
  settings s;
  for (const auto& row : settings_table()) {
    s.set(row.name, row.default_value, "test");
    EXPECT_EQ(s.value(row.name), row.default_value);
    EXPECT_EQ(s.origin(row.name), "program");
  }
}

TEST(settings_table, has_a_sentence_and_a_range_for_each_name) {
  std::set<std::string> names, variables;
  for (const auto& row : settings_table()) {
    EXPECT_TRUE(row.help.ends_with('.')) << row.name;
    EXPECT_EQ(row.range.empty(), row.kind == "text" || row.kind == "file") << row.name;
    EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name;
    EXPECT_TRUE(variables.insert(row.variable()).second) << row.name;
  }
  EXPECT_TRUE(variables.contains("ATOLL_BUFFERS_PER_PAIR"));
}

TEST(settings, set_reads_each_kind) {
  settings s;
  s.set("pes", "7", "--pes");
  s.set("pe-kind", "thread", "--pe-kind");
  s.set("aggregation", "off", "--aggregation");
  s.set("buffer-size", "64KiB", "--buffer-size");
  s.set("flush-age", "50us", "--flush-age");
  s.set("metrics", "out file.json", "--metrics");
  s.set("log-level", "debug", "--log-level");
  EXPECT_EQ(s.pes, 7u);
  EXPECT_EQ(s.pe_kind, pe_kind::thread);
  EXPECT_FALSE(s.aggregation);
  EXPECT_EQ(s.buffer_size, 65536u);
  EXPECT_EQ(s.flush_age, 50'000);
  EXPECT_EQ(s.metrics, "out file.json");
  EXPECT_EQ(s.log_level, log_level::debug);
  EXPECT_EQ(s.value("pe-kind"), "thread");
  EXPECT_EQ(s.value("buffer-size"), "64KiB");
  EXPECT_EQ(s.value("flush-age"), "50us");
}

TEST(settings, set_names_the_origin_the_value_and_the_range) {
  settings s;
  const auto set = [&](const char* name, const char* value, const char* origin) {
    return complaint([&] { s.set(name, value, origin); });
  };
  EXPECT_EQ(set("pes", "0", "--pes"), "--pes: 0 is out of range (1 to 16384)");
  EXPECT_EQ(set("pes", "16385", "ATOLL_PES"), "ATOLL_PES: 16385 is out of range (1 to 16384)");
  EXPECT_EQ(set("pes", "two", "--pes"), "--pes: \"two\" is not a whole number");
  EXPECT_EQ(set("pes", "", "--pes"), "--pes: \"\" is not a whole number");
  EXPECT_EQ(set("pes", "99999999999999999999", "--pes"),
            "--pes: \"99999999999999999999\" is too large");
  EXPECT_EQ(set("buffer-size", "512", "--buffer-size"),
            "--buffer-size: 512 is out of range (1KiB to 256KiB)");
  EXPECT_EQ(set("flush-age", "11s", "--flush-age"), "--flush-age: 11s is out of range (0 to 10s)");
  EXPECT_EQ(set("pin", "yes", "--pin"), "--pin: \"yes\" is neither on nor off");
  EXPECT_EQ(set("pe-kind", "fiber", "--pe-kind"),
            "--pe-kind: \"fiber\" is not one of process|thread");
  EXPECT_EQ(set("worker", "3", "program"),
            "program: unknown setting worker, did you mean workers?");
}

TEST(settings, a_refused_value_changes_nothing) {
  settings s;
  s.set("pes", "3", "--pes");
  complaint([&] { s.set("pes", "0", "ATOLL_PES"); });
  EXPECT_EQ(s.pes, 3u);
  EXPECT_EQ(s.origin("pes"), "flag");
}

TEST(settings, both_ends_of_a_range_belong_to_it) {
  settings s;
  for (const char* value : {"1", "16384"}) s.set("pes", value, "--pes");
  for (const char* value : {"1KiB", "256KiB"}) s.set("buffer-size", value, "--buffer-size");
  s.set("seed", "18446744073709551615", "--seed");
  EXPECT_EQ(s.seed, UINT64_MAX);
}

TEST(settings, what_is_assigned_comes_from_the_program) {
  settings s;
  s.workers = 77;
  EXPECT_EQ(s.origin("workers"), "program");
  s.workers = settings().workers;
  EXPECT_EQ(s.origin("workers"), "default");
}

TEST(settings, value_and_origin_refuse_unknown_names) {
  EXPECT_EQ(complaint([] { settings().value("pess"); }), "unknown setting pess, did you mean pes?");
  EXPECT_EQ(complaint([] { settings().origin("rhubarb"); }), "unknown setting rhubarb");
}

TEST(settings, come_from_the_environment) {
  const variable pes("ATOLL_PES", "3");
  const variable level("ATOLL_LOG_LEVEL", "error");
  const settings s = settings::from_environment();
  EXPECT_EQ(s.pes, 3u);
  EXPECT_EQ(s.log_level, log_level::error);
  EXPECT_EQ(s.origin("pes"), "environment");
  EXPECT_EQ(s.origin("workers"), "default");
}

TEST(settings, a_variable_that_is_nearly_one_is_refused_with_the_nearest) {
  for (const auto& [wrong, right] : {std::pair{"ATOLL_PESS", "ATOLL_PES"},
                                     {"ATOLL_PSE", "ATOLL_PES"},
                                     {"ATOLL_WORKER", "ATOLL_WORKERS"},
                                     {"ATOLL_BUFFERSIZE", "ATOLL_BUFFER_SIZE"}}) {
    const variable misspelt(wrong, "3");
    EXPECT_EQ(complaint([] { settings::from_environment(); }),
              fmt::format("unknown variable {}, did you mean {}?", wrong, right));
  }
}

TEST(settings, variables_that_others_name_after_the_program_are_no_errors) {
  for (const char* name :
       {"ATOLL_ROOT", "ATOLL_DIR", "ATOLL_HOME", "ATOLL_PREFIX", "ATOLL_VERSION", "ATOLL_BIN",
        "ATOLL_LIB", "ATOLL_TRACE_DIR", "ATOLL_MPI_HOME", "ATOLL_PORT", "ATOLL_PORT_80_TCP",
        "ATOLL_PORT_80_TCP_ADDR", "ATOLL_SERVICE_HOST", "ATOLL_SERVICE_PORT_HTTP",
        "ATOLL_WEB_SERVICE_HOST", "ATOLL_SOMETHING_ELSE_ALTOGETHER", "ATOLL_TAG", "ATOLL_"}) {
    const variable of_others(name, "/opt/atoll");
    EXPECT_EQ(complaint([] { settings::from_environment(); }), "no error") << name;
    EXPECT_FALSE(is_misspelt_setting(name));
  }
}

TEST(settings, every_variable_of_one_is_read) {
  for (const auto& row : settings_table()) {
    const std::string name = row.variable();
    const variable wrong(name.c_str(), "-");
    const std::string said = complaint([] { settings::from_environment(); });
    EXPECT_EQ(said == "no error", row.kind == "text") << row.name << ": " << said;
  }
}

TEST(settings, an_empty_variable_is_no_value) {
  for (const auto& row : settings_table()) {
    const std::string name = row.variable();
    const variable empty(name.c_str(), "");
    EXPECT_EQ(settings::from_environment().origin(row.name), "default");
  }
  const variable misspelt("ATOLL_PESS", "");
  EXPECT_EQ(complaint([] { settings::from_environment(); }), "no error");
}

/// Makes a locale of the C library in a temporary folder, and activates the locale as a user or a
/// library would.
class chosen_locale {
 public:
  chosen_locale(const std::string& name, const std::string& characters) {
    const std::string made = folder_ + "/" + name;
    std::filesystem::create_directories(folder_);
    const std::string command =
        "localedef -i " + name + " -f " + characters + " " + made + " >/dev/null 2>&1";
    is_there_ = std::system(command.c_str()) == 0 && setenv("LOCPATH", folder_.c_str(), 1) == 0 &&
                std::setlocale(LC_ALL, name.c_str()) != nullptr;
  }
  ~chosen_locale() {
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::filesystem::remove_all(folder_);
  }
  chosen_locale(const chosen_locale&) = delete;
  chosen_locale& operator=(const chosen_locale&) = delete;

  bool is_there() const { return is_there_; }

 private:
  const std::string folder_ = testing::TempDir() + "locales_" + std::to_string(getpid());
  bool is_there_ = false;
};

// In Turkish, the capital letter of i is not I.
TEST(settings, are_read_alike_in_every_locale) {
  const chosen_locale turkish("tr_TR", "ISO-8859-9");
  if (!turkish.is_there()) GTEST_SKIP() << "no localedef here (locales)";
  ASSERT_NE(std::toupper('i'), 'I');
  const variable pin("ATOLL_PIN", "off");
  const variable size("ATOLL_BUFFER_SIZE", "64kib");
  const settings s = settings::from_environment();
  EXPECT_FALSE(s.pin);
  EXPECT_EQ(s.buffer_size, 64U << 10);
}

std::string warnings() {
  testing::internal::CaptureStderr();
  warn_of_ignored_variables();
  return testing::internal::GetCapturedStderr();
}

// Each process prints the warning only once.
TEST(settings, a_variable_that_changes_nothing_is_said_unless_the_surroundings_have_made_it) {
  const variable root("ATOLL_ROOT", "/opt/atoll");
  const variable port("ATOLL_PORT_80_TCP", "tcp://10.0.0.7:80");
  const variable empty("ATOLL_COLOUR", "");
  const variable pes("ATOLL_PES", "3");
  const variable other("ATOLL_LOG", "debug");
  EXPECT_EQ(warnings(), "atoll: warning: the variable ATOLL_LOG is no setting, and changes nothing "
                        "(did you mean ATOLL_LOG_LEVEL?)\n");
  EXPECT_EQ(warnings(), "");
}

TEST(settings, a_bad_variable_is_named) {
  const variable wrong("ATOLL_FLUSH_AGE", "50");
  EXPECT_EQ(complaint([] { settings::from_environment(); }),
            "ATOLL_FLUSH_AGE: \"50\" is not a duration with its unit, such as 50us");
}

TEST(take_flags, takes_its_own_flags_and_leaves_the_rest) {
  command_line line({"prog", "-v", "--atoll-pes", "3", "file", "--atoll-pin=off", "--pes", "9"});
  const settings s = line.take();
  EXPECT_EQ(s.pes, 3u);
  EXPECT_FALSE(s.pin);
  EXPECT_EQ(s.origin("pin"), "flag");
  EXPECT_EQ(line.rest(), (std::vector<std::string>{"prog", "-v", "file", "--pes", "9"}));
}

TEST(take_flags, goes_above_the_environment) {
  const variable pes("ATOLL_PES", "3");
  const variable workers("ATOLL_WORKERS", "7");
  command_line line({"prog", "--atoll-pes=5"});
  const settings s = line.take();
  EXPECT_EQ(s.pes, 5u);
  EXPECT_EQ(s.workers, 7u);
}

TEST(take_flags, the_last_of_equal_flags_counts) {
  command_line line({"prog", "--atoll-pes=5", "--atoll-pes", "6"});
  EXPECT_EQ(line.take().pes, 6u);
}

TEST(take_flags, stops_at_a_double_dash) {
  command_line line({"prog", "--", "--atoll-pes=5"});
  EXPECT_EQ(line.take().pes, 0u);
  EXPECT_EQ(line.rest(), (std::vector<std::string>{"prog", "--", "--atoll-pes=5"}));
}

TEST(take_flags, refuses_what_it_does_not_know) {
  command_line unknown({"prog", "--atoll-worker=5"});
  EXPECT_EQ(complaint([&] { unknown.take(); }),
            "unknown flag --atoll-worker, did you mean --atoll-workers?");
  command_line missing({"prog", "--atoll-pes"});
  EXPECT_EQ(complaint([&] { missing.take(); }), "--atoll-pes: a value must follow");
  command_line bad({"prog", "--atoll-pes="});
  EXPECT_EQ(complaint([&] { bad.take(); }), "--atoll-pes: \"\" is not a whole number");
}

TEST(take_flags, an_empty_command_line_is_fine) {
  char* none[] = {nullptr};
  int argc = 0;
  EXPECT_EQ(settings::take_flags(argc, none).pes, 0u);
  EXPECT_EQ(argc, 0);
  EXPECT_EQ(settings::take_flags(argc, nullptr).pes, 0u);
}

// A function that gets copies of `argc` and `argv` can start several jobs. If the first job removes
// flags from `argv`, the function's copy of `argc` still counts the removed flags.
TEST(take_flags, stops_at_the_end_that_an_earlier_call_has_left) {
  std::string words[] = {"prog", "--atoll-pes", "3", "word"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  for (const unsigned pes : {3u, 0u}) {
    int argc = 4;
    EXPECT_EQ(settings::take_flags(argc, argv).pes, pes);
    ASSERT_EQ(argc, 2);
    EXPECT_STREQ(argv[1], "word");
    EXPECT_EQ(argv[2], nullptr);
  }
}

TEST(settings, a_copy_is_independent) {
  settings a;
  settings b = a;
  b.set("pes", "3", "--pes");
  EXPECT_EQ(a.pes, 0u);
  EXPECT_EQ(a.origin("pes"), "default");
}

}  // namespace
}  // namespace atl
