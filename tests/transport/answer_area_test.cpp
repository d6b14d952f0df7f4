// Tests the shared memory for a PE's answer to the hang detector. The answer tells which tasks wait
// where.

#include "atoll/transport/shm/region.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

namespace atl::transport::shm {
namespace {

using observe::fact;
using observe::finding;

// There are too few places for 1,000 findings about waiting tasks. The area must store the findings
// with the largest counts, and all findings of other kinds.
TEST(answer_area, has_places_for_what_is_few_and_for_the_largest_of_the_rest) {
  constexpr std::uint64_t k_places = 1000;
  std::vector<finding> findings;
  for (std::uint64_t i = 0; i < k_places; ++i) findings.push_back({fact::waits, {}, {}, 10 + i, i});
  const std::vector<finding> few = {{fact::held, {}, {}, 2, 7},
                                    {fact::waits_for, {}, {}, 3, 8},
                                    {fact::reservation, {}, {}, 1, 9}};
  findings.insert(findings.begin() + 500, few.begin(), few.end());
  const auto area = std::make_unique<answer_area>();
  area->write(findings);
  const observe::pe_answer answer = area->read(3);
  EXPECT_EQ(answer.pe, 3);
  EXPECT_EQ(answer.findings.size() + answer.left_out, findings.size());
  EXPECT_GT(answer.left_out, 0u);
  std::size_t found = 0;
  std::uint64_t least = k_places + 10;
  for (const finding& each : answer.findings) {
    found += each.what == fact::waits ? 0 : 1;
    if (each.what == fact::waits) least = std::min(least, each.count);
  }
  EXPECT_EQ(found, few.size());
  EXPECT_EQ(least, 10 + k_places - (answer.findings.size() - few.size()));
}

}  // namespace
}  // namespace atl::transport::shm
