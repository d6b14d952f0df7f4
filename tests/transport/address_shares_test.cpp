// Tests how much address space the memory of each PE gets.

#include "atoll/transport/shm/segments.hpp"

#include "atoll/machine.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace atl::transport::shm {
namespace {

constexpr std::uint64_t mib = 1 << 20;
constexpr std::uint64_t gib = 1 << 30;
constexpr std::uint64_t none = UINT64_MAX;

/// Returns the number of bytes of address space that the PEs of a process use.
std::uint64_t bytes_in_process(const address_shares& shares, int pes, bool are_together) {
  const auto all = static_cast<std::uint64_t>(pes);
  return all * shares.segment_bytes + (are_together ? all : 1) * shares.private_bytes;
}

TEST(address_shares, without_limits_go_by_the_memory_of_the_machine) {
  for (const int pes : {1, 2, 3, 7, 64}) {
    const address_shares shares = shares_of(pes, false, {24 * gib, 0, {}});
    const std::uint64_t part = usable_address_space / static_cast<std::uint64_t>(pes);
    EXPECT_EQ(shares.segment_bytes, std::min(48 * gib, part)) << pes;
    EXPECT_EQ(shares.private_bytes, 24 * gib) << pes;
  }
}

TEST(address_shares, leave_half_of_a_limit_of_address_space) {
  for (const int pes : {1, 2, 3, 7})
    for (const bool are_together : {false, true})
      for (const std::uint64_t limit : {2 * gib, 4 * gib, 100 * gib}) {
        const address_shares shares = shares_of(pes, are_together, {24 * gib, 0, {limit, none}});
        EXPECT_LE(bytes_in_process(shares, pes, are_together), limit / 2) << pes << " " << limit;
        EXPECT_GE(shares.segment_bytes, 64 * mib);
        EXPECT_GE(shares.private_bytes, 8 * mib);
      }
}

TEST(address_shares, leave_most_of_a_limit_of_data) {
  for (const bool are_together : {false, true}) {
    const address_shares shares = shares_of(3, are_together, {24 * gib, 0, {none, 100 * mib}});
    EXPECT_LE(shares.private_bytes * (are_together ? 3 : 1), 25 * mib);
    // The limit on private data (RLIMIT_DATA) does not apply to shared memory.
    EXPECT_EQ(shares.segment_bytes, 48 * gib);
  }
}

TEST(address_shares, are_no_more_than_a_memory_limit_needs) {
  const address_shares limited = shares_of(2, false, {24 * gib, 4 * gib, {}});
  EXPECT_EQ(limited.private_bytes, 8 * gib);
  EXPECT_EQ(limited.segment_bytes, 16 * gib);
  EXPECT_EQ(shares_of(2, false, {24 * gib, 100 * gib, {}}), shares_of(2, false, {24 * gib, 0, {}}));
}

TEST(address_shares, have_what_a_pe_may_hold_under_a_memory_limit) {
  for (const std::uint64_t limit : {mib, 64 * mib, 3 * gib, 20 * gib})
    for (const int pes : {1, 3, 7}) {
      const auto share = limit / static_cast<std::uint64_t>(pes);
      const address_shares shares = shares_of(pes, false, {24 * gib, limit, {}});
      EXPECT_GE(shares.private_bytes, share);
      EXPECT_GE(shares.segment_bytes / 2, share);
    }
}

TEST(address_shares, are_halved_until_they_are_the_least) {
  address_shares shares = shares_of(2, false, {24 * gib, 0, {}});
  int times = 0;
  for (address_shares before = shares; halve(shares); before = shares) {
    EXPECT_LE(shares.segment_bytes, before.segment_bytes);
    EXPECT_LE(shares.private_bytes, before.private_bytes);
    ASSERT_LT(++times, 64);
  }
  EXPECT_EQ(shares.segment_bytes, 64 * mib);
  EXPECT_EQ(shares.private_bytes, 8 * mib);
}

}  // namespace
}  // namespace atl::transport::shm
