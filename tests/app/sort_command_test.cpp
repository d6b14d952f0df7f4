// `atoll sort` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

class sort_command : public testing::Test {
 protected:
  std::string keys() const { return folder_.file("keys.txt", "7\n\n  3\t\n# a comment\n7\r\n0\n"); }

  scratch_folder folder_;
};

TEST_F(sort_command, ranks_a_class_on_any_number_of_pes) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      for (const char* exchange : {"collective", "delegates"}) {
        const auto json = json_of(fmt::format(
            "$p sort --class S --trials 2 --verify --exchange {} --pes {} {} 2>/dev/null", exchange,
            pes, kind));
        EXPECT_EQ(json["verified"], true) << pes << " PEs, " << kind << ", " << exchange;
        EXPECT_EQ(json["tests_passed"], 50);
        EXPECT_LE(json["most_of_a_pe"], 1.1);
        EXPECT_GT(json["metrics"]["rate_sorted"]["median"], 0);
      }
    }
  }
}

TEST_F(sort_command, sorts_random_keys_of_any_width) {
  for (const int bits : {1, 9, 32, 33, 64}) {
    const auto json = json_of(fmt::format(
        "$p sort --keys 20001 --bits {} --trials 1 --verify --pes 3 2>/dev/null", bits));
    EXPECT_EQ(json["verified"], true) << bits;
    EXPECT_EQ(json["keys"], 20001);
    EXPECT_LE(json["most_of_a_pe"], 1.1) << bits;
  }
}

TEST_F(sort_command, sorts_a_text) {
  for (const int pes : {1, 2, 3, 8}) {
    const auto json = json_of(fmt::format("$p sort {} --trials 1 --verify --pes {} --output {} "
                                          "2>/dev/null",
                                          keys(), pes, folder_.path("sorted.txt")));
    EXPECT_EQ(json["verified"], true);
    EXPECT_EQ(content_of(folder_.path("sorted.txt")), "0\n3\n7\n7\n");
  }
}

TEST_F(sort_command, copies_of_one_key_are_shared_by_all_pes) {
  std::string same, most;
  for (int i = 0; i < 5000; ++i) {
    same += "4000000000\n";
    most += i % 10 == 0 ? std::to_string(i) + "\n" : "77\n";
  }
  for (const std::string& text : {same, most}) {
    for (const char* how : {"--pes 2", "--pes 7", "--pes 8 --exchange delegates"}) {
      const auto json = json_of(fmt::format("$p sort {} --trials 1 --verify {} 2>/dev/null",
                                            folder_.file("k.txt", text), how));
      EXPECT_EQ(json["verified"], true) << how;
      EXPECT_LE(json["most_of_a_pe"], 1.1) << how;
    }
  }
}

TEST_F(sort_command, reads_what_it_has_written) {
  const auto array = folder_.path("sorted.npy");
  const auto text = folder_.path("sorted.txt.gz");
  json_of(fmt::format("$p sort --keys 3000 --bits 40 --trials 1 --output {}", array));
  EXPECT_EQ(content_of(array).size(), 128 + 3000 * 8);
  const auto json =
      json_of(fmt::format("$p sort {} --trials 1 --verify --pes 2 --output {}", array, text));
  EXPECT_EQ(json["keys"], 3000);
  EXPECT_LE(json["bits"], 40);
  json_of(fmt::format("$p sort {} --trials 1 --verify --pes 3 --output {}", text,
                      folder_.path("again.npy")));
  EXPECT_EQ(content_of(folder_.path("again.npy")), content_of(array));
}

TEST_F(sort_command, writes_an_array_of_32_bits_where_they_suffice) {
  json_of(fmt::format("$p sort {} --trials 1 --output {}", keys(), folder_.path("a.npy")));
  const std::string bytes = content_of(folder_.path("a.npy"));
  EXPECT_NE(bytes.find("'<u4'"), std::string::npos);
  EXPECT_EQ(bytes.substr(bytes.size() - 16), std::string("\0\0\0\0\3\0\0\0\7\0\0\0\7\0\0\0", 16));
}

TEST_F(sort_command, explains_wrong_input) {
  expect("$p sort --class D", 2, "--class: \"D\" is none of S, W, A, B, C");
  expect("$p sort --class S --keys 5", 2, "--keys");
  expect("$p sort --bits 12", 2, "--bits: 12 is for random keys alone");
  expect("$p sort --bits 65 --keys 5", 2, "--bits: 65 is out of range (1 to 64)");
  expect("$p sort missing.txt", 2, "missing.txt: cannot open");
  expect("$p sort --keys 1000000000000", 2, "sorting 1,000,000,000,000 keys");
  expect("$p sort " + folder_.file("a.txt", "1\n2x\n"), 2,
         "a.txt:2:1: expected an integer from 0 to 2^64 - 1, found '2x'");
  expect("$p sort " + folder_.file("b.txt", "1\n2 3\n"), 2,
         "b.txt:2:3: expected the end of the line, found '3'");
  expect("$p sort " + folder_.file("c.txt", "18446744073709551616\n"), 2,
         "c.txt:1:1: '18446744073709551616' is out of range");
  expect("$p sort " + keys() + " --output " + keys(), 2, "is the file of keys that is read");
  expect("$p sort --class S --output " + folder_.path("o.el"), 2, "o.el: the name does not say");
}

TEST_F(sort_command, compares_with_its_limit_and_both_exchanges) {
  const auto json = json_of("$p sort --class S --trials 1 --pes 2 --compare --verify 2>/dev/null");
  EXPECT_GT(json["metrics"]["times_delegates"]["median"], 0);
  if (json["metrics"].contains("limit")) {
    EXPECT_GT(json["metrics"]["fraction_of_limit"]["median"], 0);
    EXPECT_GT(json["metrics"]["fraction_of_limit_sorted"]["median"], 0);
  }
  const auto delegates =
      json_of("$p sort --class S --trials 1 --pes 2 --compare --exchange delegates 2>/dev/null");
  EXPECT_GT(delegates["metrics"]["fraction_of_gups"]["median"], 0);
}

}  // namespace
}  // namespace atl::app
