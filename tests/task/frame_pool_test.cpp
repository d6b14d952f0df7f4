#include "atoll/task/frame_pool.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/settings.hpp"
#include "support/mapping_flags.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using atl::tasks::frame_pool;

namespace {

struct taken {
  unsigned char* memory;
  std::size_t bytes;
  unsigned char mark;
};

taken take(frame_pool& pool, std::size_t bytes, unsigned char mark) {
  auto* memory = static_cast<unsigned char*>(pool.allocate(bytes));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
  std::memset(memory, mark, bytes);
  return {memory, bytes, mark};
}

bool untouched(const taken& frame) {
  for (std::size_t i = 0; i < frame.bytes; ++i) {
    if (frame.memory[i] != frame.mark) return false;
  }
  return true;
}

TEST(frame_pool, gives_disjoint_memory_of_all_sizes) {
  atl::memory_account account;
  frame_pool pool(account);
  std::mt19937_64 random(1);
  std::vector<taken> frames;
  for (int step = 0; step < 20'000; ++step) {
    if (frames.empty() || random() % 5 < 3) {
      const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 5000 : 500);
      frames.push_back(take(pool, bytes, static_cast<unsigned char>(random())));
    } else {
      std::swap(frames[random() % frames.size()], frames.back());
      ASSERT_TRUE(untouched(frames.back()));
      pool.release(frames.back().memory, frames.back().bytes);
      frames.pop_back();
    }
  }
  for (const auto& frame : frames) {
    ASSERT_TRUE(untouched(frame));
    pool.release(frame.memory, frame.bytes);
  }
}

TEST(frame_pool, knows_all_that_were_taken_and_not_released) {
  atl::memory_account account;
  frame_pool pool(account);
  std::mt19937_64 random(1);
  std::map<void*, std::size_t> taken;
  for (int step = 0; step < 30'000; ++step) {
    if (taken.empty() || random() % 5 < 3) {
      const std::size_t bytes = 1 + random() % (random() % 10 == 0 ? 5000 : 1200);
      taken[pool.allocate(bytes)] = bytes;
    } else {
      const auto any = std::next(taken.begin(), static_cast<long>(random() % 10 % taken.size()));
      pool.release(any->first, any->second);
      taken.erase(any);
    }
    if (step % 5000 == 0) {
      std::set<void*> found;
      pool.for_each([&](void* frame) { EXPECT_TRUE(found.insert(frame).second); });
      std::set<void*> expected;
      for (const auto& [frame, bytes] : taken) expected.insert(frame);
      ASSERT_EQ(found, expected);
    }
  }
  for (const auto& [frame, bytes] : taken) pool.release(frame, bytes);
  pool.for_each([](void*) { ADD_FAILURE(); });
}

TEST(frame_pool, uses_again_what_was_released) {
  atl::memory_account account;
  frame_pool pool(account);
  void* const first = pool.allocate(200);
  pool.release(first, 200);
#ifndef ATOLL_SANITIZED
  // The frame is reused, because 200 and 250 bytes take the same number of cache lines.
  EXPECT_EQ(pool.allocate(250), first);
#endif
}

#ifndef ATOLL_SANITIZED

/// Returns two descriptions of mappings: of a frame in a new pool, and of a frame that no longer
/// fitted into the first chunk.
std::array<std::string, 2> mappings_of_first_and_later_frames() {
  constexpr std::size_t bytes = 1024;
  atl::memory_account account;
  frame_pool pool(account);
  const void* const first = pool.allocate(bytes);
  const void* later = first;
  for (std::size_t taken = 0; taken < (std::size_t{3} << 20); taken += bytes)
    later = pool.allocate(bytes);
  return {atl::test::flags_of_mapping(first), atl::test::flags_of_mapping(later)};
}

TEST(frame_pool, asks_for_huge_pages_unless_they_are_off_or_frames_are_few) {
  for (const bool wanted : {true, false}) {
    atl::settings options;
    options.huge_pages = wanted;
    atl::pe here;
    here.options = &options;
    atl::current_pe = &here;
    const auto [first, later] = mappings_of_first_and_later_frames();
    atl::current_pe = nullptr;
    ASSERT_TRUE(first != "" && later != "");
    EXPECT_EQ(first.find(" hg "), first.npos) << first;
    EXPECT_NE(first.find(" nh "), first.npos) << first;
    EXPECT_EQ(later.find(" hg ") != later.npos, wanted) << later;
  }
}

#endif

}  // namespace
