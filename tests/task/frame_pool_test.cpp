#include "atoll/task/frame_pool.hpp"

#include "atoll/base/pe.hpp"
#include "atoll/base/settings.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
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
  EXPECT_EQ(pool.allocate(250), first);  // of as many cache lines
#endif
}

#ifndef ATOLL_SANITIZED

/// What the kernel knows of the mapping that `memory` lies in (proc(5), VmFlags).
std::string flags_of_mapping(const void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  std::ifstream mappings("/proc/self/smaps");
  bool found = false;
  for (std::string line; std::getline(mappings, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      found = begin <= address && address < end;
    if (found && line.starts_with("VmFlags:")) return line + " ";
  }
  return "";
}

TEST(frame_pool, asks_for_huge_pages_unless_they_are_off) {
  for (const bool wanted : {true, false}) {
    atl::settings options;
    options.huge_pages = wanted;
    atl::pe here;
    here.options = &options;
    atl::current_pe = &here;
    atl::memory_account account;
    frame_pool pool(account);
    const std::string flags = flags_of_mapping(pool.allocate(64));
    atl::current_pe = nullptr;
    ASSERT_NE(flags, "");
    EXPECT_EQ(flags.find(" hg ") != flags.npos, wanted) << flags;
  }
}

#endif

}  // namespace
