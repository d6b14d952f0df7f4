// Tests `atoll sort` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace atl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

class sort_command : public testing::Test {
 protected:
  std::string keys() const { return folder_.file("keys.txt", "7\n\n  3\t\n# a comment\n7\r\n0\n"); }

  scratch_folder folder_;
};

TEST_F(sort_command, says_in_a_few_lines_what_it_did) {
  const auto result = shell("$p sort " + keys() + " --pes 3");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.output, HasSubstr(folder_.path("keys.txt") + ": 4 keys"));
  for (const char* measured : {"keys/s", "rate", "trials", "verified", "collective"})
    EXPECT_THAT(result.output, Not(HasSubstr(measured)));
  EXPECT_LE(std::ranges::count(result.output, '\n'), 6);
  expect("$p sort " + keys() + " --pes 3 --verify", 0, "verified: the result is right\n");
}

TEST_F(sort_command, has_json_without_rates) {
  const auto json = json_of("$p sort " + keys() + " --pes 2");
  EXPECT_EQ(json["name"], "sort");
  EXPECT_EQ(json["verified"], nullptr);
  EXPECT_EQ(json["keys"], 4);
  EXPECT_EQ(json["bits"], 3);
  EXPECT_FALSE(json["parameters"].contains("trials"));
  EXPECT_EQ(json["metrics"]["seconds"]["values"].size(), 1U);
  for (const char* metric : {"rate", "rate_per_core"})
    EXPECT_FALSE(json["metrics"].contains(metric)) << metric;
}

TEST_F(sort_command, sorts_a_text) {
  for (const int pes : {1, 2, 3, 8}) {
    const auto json = json_of(fmt::format("$p sort {} --verify --pes {} --output {} 2>/dev/null",
                                          keys(), pes, folder_.path("sorted.txt")));
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(content_of(folder_.path("sorted.txt")), "0\n3\n7\n7\n");
  }
}

TEST_F(sort_command, reads_what_it_has_written) {
  std::string text;
  std::vector<std::uint64_t> sorted;
  std::uint64_t key = 1;
  for (int i = 0; i < 3000; ++i) {
    key = key * 6364136223846793005U + 1442695040888963407U;
    sorted.push_back(key >> 24);
    text += fmt::format("{}\n", sorted.back());
  }
  std::ranges::sort(sorted);
  std::string expected;
  for (const auto each : sorted) expected += fmt::format("{}\n", each);
  const auto array = folder_.path("sorted.npy"), again = folder_.path("again.txt");
  const auto json = json_of(fmt::format("$p sort {} --verify --pes 2 --output {}",
                                        folder_.file("keys.txt", text), array));
  EXPECT_EQ(json["keys"], 3000);
  EXPECT_LE(json["bits"], 40);
  EXPECT_EQ(content_of(array).size(), 128 + 3000 * 8);
  json_of(fmt::format("$p sort {} --verify --pes 3 --output {}", array, again));
  EXPECT_EQ(content_of(again), expected);
}

TEST_F(sort_command, writes_an_array_of_32_bits_where_they_suffice) {
  json_of(fmt::format("$p sort {} --output {}", keys(), folder_.path("a.npy")));
  const std::string bytes = content_of(folder_.path("a.npy"));
  EXPECT_NE(bytes.find("'<u4'"), std::string::npos);
  EXPECT_EQ(bytes.substr(bytes.size() - 16), std::string("\0\0\0\0\3\0\0\0\7\0\0\0\7\0\0\0", 16));
}

TEST_F(sort_command, names_the_first_error_of_a_file_once_whatever_pes_read_it) {
  // With several PEs, both errors are in parts of the file that PE 0 does not read.
  std::string text;
  for (int line = 1; line <= 100; ++line) text += line == 60 || line == 90 ? "x\n" : "1\n";
  const auto wrong = folder_.file("wrong.txt", text);
  for (const std::string way :
       {"--pes 1", "--pes 3", "--pes 3 --pe-kind thread", "--pes 5 --transport sim"}) {
    expect_refusal("$p sort --log-level error missing.txt " + way,
                   "missing.txt: cannot open: No such file or directory");
    expect_refusal("$p sort --log-level error " + wrong + " " + way,
                   wrong + ":60:1: expected an integer from 0 to 2^64 - 1, found 'x'");
  }
}

TEST_F(sort_command, explains_wrong_input) {
  expect("$p sort", 2, "KEYS");
  expect("$p sort " + folder_.file("a.txt", "1\n2x\n"), 2,
         "a.txt:2:1: expected an integer from 0 to 2^64 - 1, found '2x'");
  expect("$p sort " + folder_.file("b.txt", "1\n2 3\n"), 2,
         "b.txt:2:3: expected the end of the line, found '3'");
  expect("$p sort " + folder_.file("c.txt", "18446744073709551616\n"), 2,
         "c.txt:1:1: '18446744073709551616' is out of range");
  expect("$p sort " + keys() + " --output " + keys(), 2, "is the file of keys that is read");
  expect("$p sort " + keys() + " --output " + folder_.path("o.el"), 2,
         "o.el: the name does not say");
}

}  // namespace
}  // namespace atl::app
