// Tests bins, which collect arcs by ranges of rows. All arcs must be unchanged afterwards, for any
// number of rows.

#include "atoll/graph/row_bins.hpp"

#include "atoll/random.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace atl;

namespace {

// the row and the target of each arc
using arcs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

template <class Id>
arcs arcs_of(const graph::row_bins<Id>& bins) {
  arcs found;
  for (std::uint64_t b = 0; b < bins.count(); ++b) {
    const std::uint64_t first = bins.first_row(b), end = bins.first_row(b + 1);
    std::uint64_t count = 0;
    for (std::uint64_t chunk = 0; chunk < bins.chunks(b); ++chunk)
      bins.for_each_arc(b, chunk, [&](std::uint64_t row, Id target) {
        EXPECT_LT(first + row, end);
        found.emplace_back(first + row, target);
        ++count;
      });
    EXPECT_EQ(count, bins.arcs(b)) << "in bin " << b;
  }
  return found;
}

template <class Id>
void expect_what_was_added(std::uint64_t rows, std::uint64_t count) {
  graph::row_bins<Id> bins;
  bins.prepare(rows, count);
  arcs added;
  for (std::uint64_t i = 0; i < count; ++i) {
    // Some rows have many arcs; the last row is one of them.
    const std::uint64_t row = i % 3 == 0 ? rows - 1 : random_at(5, i) % rows;
    const auto target = static_cast<Id>(random_at(6, i));
    bins.add(row, target);
    added.emplace_back(row, target);
  }
  arcs found = arcs_of(bins);
  std::ranges::sort(found);
  std::ranges::sort(added);
  EXPECT_EQ(found, added) << count << " arcs of " << rows << " rows";
  bins.give_back(0);
  EXPECT_EQ(bins.arcs(0), 0u);
  bins.clear();
}

TEST(row_bins, have_what_was_added) {
  for (const std::uint64_t rows :
       {std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{5000},
        std::uint64_t{1} << 22, (std::uint64_t{1} << 25) + 1})
    for (const std::uint64_t count : {1, 1000, 20'000}) {
      expect_what_was_added<std::uint32_t>(rows, count);
      expect_what_was_added<std::uint64_t>(rows, count);
    }
}

}  // namespace
