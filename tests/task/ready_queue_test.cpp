#include "atoll/task/ready_queue.hpp"

#include <gtest/gtest.h>
#include <vector>

using namespace atl;

namespace {

TEST(ready_queue, is_first_in_first_out_while_it_grows) {
  std::vector<tasks::frame> frames(100'000);
  memory_account account;
  tasks::ready_queue queue(account);
  std::size_t in = 0;
  std::size_t out = 0;
  const auto take = [&] {
    ASSERT_EQ(queue.pop(), &frames[out]);
    ++out;
  };
  while (in < frames.size()) {
    for (int i = 0; i < 7 && in < frames.size(); ++i) queue.push(&frames[in++]);
    for (int i = 0; i < 3; ++i) take();
    ASSERT_EQ(queue.size(), in - out);
  }
  while (!queue.empty()) take();
  EXPECT_EQ(out, in);
}

TEST(ready_queue, goes_round_its_ring_without_growing) {
  tasks::frame frames[3];
  memory_account account;
  tasks::ready_queue queue(account);
  for (int i = 0; i < 10'000; ++i) {
    queue.push(&frames[i % 3]);
    if (queue.size() < 3) continue;
    ASSERT_EQ(queue.pop(), &frames[(i + 1) % 3]);
  }
  EXPECT_EQ(queue.size(), 2u);
}

}  // namespace
