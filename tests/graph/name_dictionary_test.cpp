#include "atoll/graph/io/names.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using atl::graph::name_dictionary;

TEST(name_dictionary, numbers_names_in_the_order_of_their_appearance) {
  name_dictionary dictionary;
  EXPECT_EQ(dictionary.number_of("b"), 0u);
  EXPECT_EQ(dictionary.number_of("a"), 1u);
  EXPECT_EQ(dictionary.number_of("b"), 0u);
  EXPECT_EQ(dictionary.number_of(""), 2u);
  EXPECT_EQ(std::move(dictionary).take(), (std::vector<std::string>{"b", "a", ""}));
}

TEST(name_dictionary, agrees_with_a_map) {
  name_dictionary dictionary;
  std::map<std::string, std::uint64_t> map;
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const auto name = "package-" + std::to_string(random() % 50'000);
    const auto number = map.try_emplace(name, map.size()).first->second;
    ASSERT_EQ(dictionary.number_of(name), number);
  }
  const auto names = std::move(dictionary).take();
  ASSERT_EQ(names.size(), map.size());
  for (const auto& [name, number] : map) EXPECT_EQ(names[number], name);
}

}  // namespace
