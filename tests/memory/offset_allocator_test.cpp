#include "atoll/memory/mapped_block.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using atl::memory::offset_allocator;

namespace {

constexpr std::uint64_t k_huge_page = std::uint64_t{2} << 20;

TEST(offset_allocator, gives_out_all_there_is_and_no_more) {
  offset_allocator offsets(4096, 4096 + 640);
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(offsets.allocate(64), 4096 + 64 * i);
  EXPECT_EQ(offsets.allocate(1), std::nullopt);
  EXPECT_EQ(offsets.allocate(0), std::nullopt);
}

TEST(offset_allocator, gives_ranges_of_no_bytes_a_place_of_their_own) {
  offset_allocator offsets(0, 1 << 20);
  EXPECT_NE(offsets.allocate(0), offsets.allocate(0));
}

TEST(offset_allocator, joins_neighbours_that_come_back_in_any_order) {
  for (int order = 0; order < 6; ++order) {
    offset_allocator offsets(0, 192);
    std::vector<std::uint64_t> taken;
    for (int i = 0; i < 3; ++i) taken.push_back(offsets.allocate(50).value());
    std::sort(taken.begin(), taken.end());
    for (int i = 0; i < order; ++i) std::next_permutation(taken.begin(), taken.end());
    for (const auto offset : taken) EXPECT_EQ(offsets.release(offset), 64u);
    EXPECT_EQ(offsets.allocate(192), 0u);
  }
}

TEST(offset_allocator, begins_large_ranges_at_a_huge_page) {
  offset_allocator offsets(0, 100 * k_huge_page);
  offsets.allocate(64);
  EXPECT_EQ(offsets.allocate(k_huge_page), k_huge_page);
  EXPECT_EQ(offsets.allocate(3 * k_huge_page + 1).value() % k_huge_page, 0u);
  // The bytes between the two earlier ranges are still free.
  EXPECT_EQ(offsets.allocate(64), 64u);
}

TEST(offset_allocator, leaves_the_first_part_to_small_ranges) {
  offset_allocator offsets(0, 4 * k_huge_page, k_huge_page);
  EXPECT_EQ(offsets.allocate(k_huge_page), k_huge_page);
  EXPECT_EQ(offsets.allocate(k_huge_page - 64), 0u);
  EXPECT_EQ(offsets.allocate(3 * k_huge_page), std::nullopt);
  EXPECT_EQ(offsets.allocate(128), 2 * k_huge_page);  // The first part has only 64 free bytes.
  EXPECT_EQ(offsets.allocate(k_huge_page), 3 * k_huge_page);
  EXPECT_EQ(offsets.release(k_huge_page), k_huge_page);
  EXPECT_EQ(offsets.allocate(k_huge_page), k_huge_page);
}

TEST(offset_allocator, refuses_more_than_there_could_ever_be) {
  offset_allocator offsets(0, 1 << 20);
  EXPECT_EQ(offsets.allocate((1 << 20) + 1), std::nullopt);
  EXPECT_EQ(offsets.allocate(std::uint64_t{1} << 62), std::nullopt);
  EXPECT_EQ(offsets.allocate(1 << 20), 0u);
}

/// A model of the allocated ranges, sorted by their first offsets. The model tells whether a new
/// range overlaps an allocated range.
class model {
 public:
  bool is_free(std::uint64_t begin, std::uint64_t length) const {
    const auto next = taken_.lower_bound(begin);
    if (next != taken_.end() && next->first < begin + length) return false;
    return next == taken_.begin() || std::prev(next)->first + std::prev(next)->second <= begin;
  }
  void take(std::uint64_t begin, std::uint64_t length) { taken_[begin] = length; }
  std::uint64_t release_any(std::uint64_t random) {
    const auto chosen = std::next(taken_.begin(), static_cast<std::ptrdiff_t>(random % size()));
    const auto begin = chosen->first;
    taken_.erase(chosen);
    return begin;
  }
  std::uint64_t size() const { return taken_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> taken_;
};

TEST(offset_allocator, agrees_with_a_model) {
  constexpr std::uint64_t begin = std::uint64_t{1} << 46;
  constexpr std::uint64_t end = begin + 64 * k_huge_page;
  offset_allocator offsets(begin, end);
  model taken;
  std::mt19937_64 random(7);
  for (int step = 0; step < 20'000; ++step) {
    if (random() % 2 == 0 && taken.size() > 0) {
      offsets.release(taken.release_any(random()));
      continue;
    }
    const std::uint64_t bytes = random() % (random() % 8 == 0 ? 5 * k_huge_page : 10'000);
    const auto offset = offsets.allocate(bytes);
    if (!offset) continue;
    ASSERT_EQ(*offset % 64, 0u);
    ASSERT_TRUE(*offset >= begin && *offset + bytes <= end);
    ASSERT_TRUE(taken.is_free(*offset, std::max<std::uint64_t>(bytes, 1)));
    taken.take(*offset, std::max<std::uint64_t>(bytes, 1));
  }
  while (taken.size() > 0) offsets.release(taken.release_any(random()));
  EXPECT_EQ(offsets.allocate(end - begin), begin);
}

}  // namespace
