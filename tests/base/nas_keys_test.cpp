#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace atl {
namespace {

std::vector<std::uint64_t> all_keys(const nas_class& of) {
  nas_keys from(of, 0);
  std::vector<std::uint64_t> keys(of.keys());
  for (auto& key : keys) key = from.next();
  return keys;
}

TEST(nas_keys, have_the_published_ranks) {
  for (const char name : {'S', 'W'}) {
    const nas_class& of = *nas_class_of(name);
    auto keys = all_keys(of);
    for (std::uint64_t iteration = 1; iteration <= nas_class::iterations; ++iteration) {
      for (const auto& [index, key] : nas_changes(of, iteration)) keys[index] = key;
      std::vector<std::int64_t> smaller(of.range() + 1);
      for (const auto key : keys) ++smaller[key + 1];
      for (std::size_t value = 1; value < smaller.size(); ++value)
        smaller[value] += smaller[value - 1];
      for (const auto& test : of.tests)
        EXPECT_EQ(smaller[keys[test.index]], test.rank_in(iteration))
            << name << ", key " << test.index << ", iteration " << iteration;
    }
  }
}

TEST(nas_keys, begin_anywhere) {
  const nas_class& of = *nas_class_of('S');
  const auto keys = all_keys(of);
  for (const std::uint64_t first : {1, 2, 1000, 65530}) {
    nas_keys from(of, first);
    for (std::uint64_t i = first; i < first + 6; ++i) EXPECT_EQ(from.next(), keys[i]) << i;
  }
}

TEST(nas_class, is_known_by_its_letter) {
  for (const nas_class& each : nas_classes()) EXPECT_EQ(nas_class_of(each.name), &each);
  EXPECT_EQ(nas_class_of('C')->keys(), std::uint64_t{1} << 27);
  EXPECT_EQ(nas_class_of('D'), nullptr);
}

}  // namespace
}  // namespace atl
