#include "atoll/container/kept_elements.hpp"

#include "atoll/random.hpp"

#include <deque>
#include <gtest/gtest.h>

namespace atl::container {
namespace {

/// A structure and its model, which must have the same elements.
struct twins {
  kept_elements<std::uint64_t> kept;
  std::deque<std::uint64_t> model;
  std::vector<std::uint64_t> taken;
  std::uint64_t next = 0;

  void push() {
    kept.push_back(next);
    model.push_back(next++);
  }
  void pop(bool newest) {
    if (model.empty()) return;
    EXPECT_EQ(newest ? kept.pop_newest() : kept.pop_oldest(),
              newest ? model.back() : model.front());
    newest ? model.pop_back() : model.pop_front();
  }
  void take(std::uint64_t random) {
    taken = kept.take_oldest(random % (model.size() + 1));
    for (const auto value : taken) {
      EXPECT_EQ(value, model.front());
      model.pop_front();
    }
  }
  void give_up_or_keep(bool back) {
    back ? kept.put_back(taken) : kept.forget_taken();
    if (back) model.insert(model.begin(), taken.begin(), taken.end());
    taken.clear();
  }
};

TEST(kept_elements, agree_with_a_deque) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    twins both;
    for (std::uint64_t i = 0; i < 2'000; ++i) {
      const std::uint64_t random = hash(1000 * seed + i);
      const std::uint64_t times = random >> 32 & 63;
      for (std::uint64_t n = 0; n < times; ++n) {
        if ((random >> 8) % 3 == 0)
          both.pop((random & 1) != 0);
        else
          both.push();
      }
      if (random >> 56 >= 32) continue;
      if (both.taken.empty())
        both.take(random >> 10);
      else
        both.give_up_or_keep((random & 2) != 0);
      EXPECT_EQ(both.kept.size(), both.model.size());
    }
    while (!both.model.empty()) both.pop(false);
    EXPECT_TRUE(both.kept.empty());
  }
}

TEST(kept_elements, come_back_before_what_was_pushed_and_popped_meanwhile) {
  kept_elements<int> kept;
  for (int i = 0; i < 5000; ++i) kept.push_back(i);
  const auto taken = kept.take_oldest(3000);
  for (int i = 3000; i < 4990; ++i) EXPECT_EQ(kept.pop_oldest(), i);
  EXPECT_EQ(kept.pop_newest(), 4999);
  kept.put_back(taken);
  EXPECT_EQ(kept.size(), 3009U);
  for (int i = 0; i < 3000; ++i) EXPECT_EQ(kept.pop_oldest(), i);
  EXPECT_EQ(kept.pop_oldest(), 4990);
}

}  // namespace
}  // namespace atl::container
