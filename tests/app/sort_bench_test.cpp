// Tests `atoll bench sort` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::app {
namespace {

class sort_bench : public testing::Test {
 protected:
  scratch_folder folder_;
};

TEST_F(sort_bench, ranks_a_class_on_any_number_of_pes) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$p bench sort --class S --trials 2 --verify --pes {} {} 2>/dev/null", pes, kind));
      EXPECT_EQ(json["verified"], true) << pes << " PEs, " << kind;
      EXPECT_EQ(json["parameters"]["exchange"], "collective");
      EXPECT_EQ(json["tests_passed"], 50);
      EXPECT_LE(json["most_of_a_pe"], 1.1);
      EXPECT_GT(json["metrics"]["rate_sorted"]["median"], 0);
    }
  }
}

TEST_F(sort_bench, sorts_random_keys_of_any_width) {
  for (const int bits : {1, 9, 32, 33, 64}) {
    const auto json = json_of(fmt::format(
        "$p bench sort --keys 20001 --bits {} --trials 1 --verify --pes 3 2>/dev/null", bits));
    EXPECT_EQ(json["verified"], true) << bits;
    EXPECT_EQ(json["keys"], 20001);
    EXPECT_LE(json["most_of_a_pe"], 1.1) << bits;
  }
}

TEST_F(sort_bench, copies_of_one_key_are_shared_by_all_pes) {
  std::string same, most;
  for (int i = 0; i < 5000; ++i) {
    same += "4000000000\n";
    most += i % 10 == 0 ? std::to_string(i) + "\n" : "77\n";
  }
  for (const std::string& text : {same, most}) {
    for (const char* how : {"--pes 2", "--pes 7"}) {
      const auto json = json_of(fmt::format("$p bench sort {} --trials 1 --verify {} 2>/dev/null",
                                            folder_.file("k.txt", text), how));
      EXPECT_EQ(json["verified"], true) << how;
      EXPECT_LE(json["most_of_a_pe"], 1.1) << how;
    }
  }
}

TEST_F(sort_bench, writes_keys_that_can_be_sorted_again) {
  const auto array = folder_.path("sorted.npy");
  const auto text = folder_.path("sorted.txt.gz");
  json_of(fmt::format("$p bench sort --keys 3000 --bits 40 --trials 1 --output {}", array));
  EXPECT_EQ(content_of(array).size(), 128 + 3000 * 8);
  const auto json =
      json_of(fmt::format("$p bench sort {} --trials 1 --verify --pes 2 --output {}", array, text));
  EXPECT_EQ(json["keys"], 3000);
  EXPECT_LE(json["bits"], 40);
  const auto again = folder_.path("again.npy");
  json_of(fmt::format("$p sort {} --verify --pes 3 --output {}", text, again));
  EXPECT_EQ(content_of(again), content_of(array));
}

TEST_F(sort_bench, explains_wrong_input) {
  expect("$p bench sort --class D", 2, "--class: \"D\" is none of S, W, A, B, C");
  expect("$p bench sort --class S --keys 5", 2, "--keys");
  expect("$p bench sort --exchange delegates", 2, "unknown flag --exchange");
  expect("$p bench sort --bits 12", 2, "--bits: 12 is for random keys alone");
  expect("$p bench sort --bits 65 --keys 5", 2, "--bits: 65 is out of range (1 to 64)");
  expect("$p bench sort --keys 1000000000000", 2, "sorting 1,000,000,000,000 keys");
  expect("$p bench sort --class S --output " + folder_.path("o.el"), 2,
         "o.el: the name does not say");
}

TEST_F(sort_bench, compares_with_its_limit) {
  const auto json =
      json_of("$p bench sort --class S --trials 1 --pes 2 --compare --verify 2>/dev/null");
  EXPECT_GT(json["metrics"]["rate"]["median"], 0);
  if (json["metrics"].contains("limit")) {
    EXPECT_GT(json["metrics"]["fraction_of_limit"]["median"], 0);
    EXPECT_GT(json["metrics"]["fraction_of_limit_sorted"]["median"], 0);
  }
}

}  // namespace
}  // namespace atl::app
