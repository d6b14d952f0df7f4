// Tests `atoll-papers sort` as a user starts it.

#include "graph/scratch_file.hpp"
#include "tests/app/shell.hpp"

#include <fmt/format.h>

namespace atl::reproduction {
namespace {

using namespace app;

class sort_of_papers : public testing::Test {
 protected:
  scratch_folder folder_;
};

TEST_F(sort_of_papers, ranks_a_class_on_any_number_of_pes) {
  for (const int pes : {1, 2, 3, 4, 7, 8}) {
    for (const char* kind : {"--pe-kind process", "--pe-kind thread", "--transport sim"}) {
      const auto json = json_of(fmt::format(
          "$papers sort --class S --trials 2 --verify --pes {} {} 2>/dev/null", pes, kind));
      EXPECT_EQ(json["name"], "sort");
      EXPECT_EQ(json["parameters"]["exchange"], "delegates");
      EXPECT_EQ(json["verified"], true) << pes << " PEs, " << kind;
      EXPECT_EQ(json["tests_passed"], 50);
      EXPECT_LE(json["most_of_a_pe"], 1.1);
      EXPECT_GT(json["metrics"]["rate_sorted"]["median"], 0);
    }
  }
}

TEST_F(sort_of_papers, copies_of_one_key_are_shared_by_all_pes) {
  std::string same, most;
  for (int i = 0; i < 5000; ++i) {
    same += "4000000000\n";
    most += i % 10 == 0 ? std::to_string(i) + "\n" : "77\n";
  }
  for (const std::string& text : {same, most}) {
    const auto json = json_of(fmt::format("$papers sort {} --trials 1 --verify --pes 8 2>/dev/null",
                                          folder_.file("k.txt", text)));
    EXPECT_EQ(json["verified"], true);
    EXPECT_LE(json["most_of_a_pe"], 1.1);
  }
}

TEST_F(sort_of_papers, writes_keys_in_order) {
  const auto path = folder_.path("sorted.txt");
  expect("$papers sort " + folder_.file("k.txt", "7\n18446744073709551615\n0\n7\n") +
             " --trials 1 --verify --pes 3 -o " + path,
         0, "verified");
  EXPECT_EQ(content_of(path), "0\n7\n7\n18446744073709551615\n");
}

TEST_F(sort_of_papers, compares_with_updates_and_with_the_product) {
  const auto json =
      json_of("$papers sort --class S --trials 2 --pes 2 --compare --verify 2>/dev/null");
  EXPECT_EQ(json["verified"], true);
  for (const char* metric :
       {"rate_of_gups", "fraction_of_gups", "rate_by_stores", "times_delegates"})
    EXPECT_EQ(json["metrics"][metric]["values"].size(), 2U) << metric;
  const double rate = json["metrics"]["rate"]["values"][0];
  EXPECT_NEAR(json["metrics"]["times_delegates"]["values"][0],
              json["metrics"]["rate_by_stores"]["values"][0].get<double>() / rate, 1e-6);
  EXPECT_NEAR(json["metrics"]["fraction_of_gups"]["values"][0],
              rate / json["metrics"]["rate_of_gups"]["values"][0].get<double>(), 1e-6);
}

}  // namespace
}  // namespace atl::reproduction
