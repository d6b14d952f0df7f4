// Tests divisions of keys among any number of PEs. No key may be left out, and no PE may get too
// many keys.

#include "atoll/kernels/sort/division.hpp"

#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using atl::random_stream;
using atl::kernels::sort::border;
using atl::kernels::sort::division;

/// Expects that the range of each PE begins where the range of the previous PE ends. `first`
/// contains the rank of the first key of each bucket.
void expect_whole(const division& made, const std::vector<std::uint64_t>& first, int pes) {
  EXPECT_EQ(made.begin_of(0).rank, 0u);
  EXPECT_EQ(made.piece_begin(0), 0u);
  EXPECT_EQ(made.piece_end(pes - 1), made.pieces());
  const std::uint64_t keys = first.back();
  for (int pe = 0; pe < pes; ++pe) {
    const border& begin = made.begin_of(pe);
    const std::uint64_t end = pe + 1 < pes ? made.begin_of(pe + 1).rank : keys;
    ASSERT_LE(begin.rank, end);
    EXPECT_LE(end - begin.rank, division::most_of_pe(keys, static_cast<std::uint64_t>(pes)));
    EXPECT_LE(made.piece_begin(pe), made.piece_end(pe));
    if (!begin.is_cut) {
      EXPECT_EQ(begin.rank, first[begin.bucket]);
      continue;
    }
    EXPECT_EQ(begin.rank - begin.ties, first[begin.bucket]);
    EXPECT_LT(begin.rank, first[begin.bucket + 1]);
  }
}

TEST(sort_division, gives_every_pe_its_share_whatever_the_counts) {
  random_stream random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto buckets = std::size_t{1} << random.below(8);
    const int pes = 1 + static_cast<int>(random.below(round % 10 == 0 ? 1000 : 9));
    const std::uint64_t most = std::uint64_t{1} << random.below(14);
    std::vector<std::uint64_t> counts(buckets);
    for (auto& each : counts)
      each = random.below(4) == 0 ? random.below(most) * 40 : random.below(most);
    std::vector<std::uint64_t> first = {0};
    for (const std::uint64_t each : counts) first.push_back(first.back() + each);
    expect_whole(division(counts, pes), first, pes);
  }
}

TEST(sort_division, cuts_no_bucket_that_is_small) {
  const std::vector<std::uint64_t> counts(256, 100);
  for (const int pes : {1, 2, 3, 7, 8}) EXPECT_FALSE(division(counts, pes).has_cuts()) << pes;
  EXPECT_TRUE(division(counts, 16).has_cuts() || division(counts, 16).pieces() == 256);
}

TEST(sort_division, the_owner_of_a_key_has_its_first_copy) {
  const std::vector<std::uint64_t> counts = {10, 0, 90, 0};
  division made(counts, 4);
  ASSERT_TRUE(made.has_cuts());
  // Bucket 2 has the keys 8 to 11. The input has 10 copies of 8 and 80 copies of 9, and two borders
  // between PEs divide the copies of 9.
  const std::uint64_t keys[] = {0, 9, 9, 9};
  for (int pe = 1; pe < 4; ++pe) {
    border& each = made.borders()[static_cast<std::size_t>(pe)];
    EXPECT_EQ(each.bucket, 2u);
    each.key = keys[pe];
    each.ties = each.rank - 20;
  }
  EXPECT_EQ(made.owner_of(0, 2), 0);
  EXPECT_EQ(made.owner_of(8, 2), 0);
  EXPECT_EQ(made.owner_of(9, 2), 0);
  EXPECT_EQ(made.owner_of(10, 2), 3);
  EXPECT_EQ(made.owner_of(15, 2), 3);
}

}  // namespace
