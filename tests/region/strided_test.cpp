// Compares the inner loops of copies and fills with copies of single elements. Compares slices with
// sets of points.

#include "atoll/local_memory.hpp"
#include "atoll/random.hpp"
#include "atoll/region/block_grid.hpp"
#include "atoll/region/strided.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace atl;
using regions::extents;
using regions::strided;

namespace {

/// A rectangle in memory, with its dimensions in any order and with gaps.
struct layout {
  std::array<std::int64_t, 3> step{};
  std::int64_t bytes = 0;
};

layout random_layout(random_stream& random, const extents& extent, std::int64_t element) {
  std::array<std::size_t, 3> order{0, 1, 2};
  for (std::size_t k = 2; k > 0; --k) std::swap(order[k], order[random.below(k + 1)]);
  layout made;
  std::int64_t next = element * static_cast<std::int64_t>(1 + random.below(4) / 3);
  for (const std::size_t axis : order) {
    made.step[axis] = next;
    next = next * extent[axis] + element * static_cast<std::int64_t>(random.below(3) / 2);
  }
  made.bytes = next;
  return made;
}

std::vector<std::byte> random_bytes(random_stream& random, std::int64_t count) {
  std::vector<std::byte> all(static_cast<std::size_t>(count));
  for (auto& each : all) each = static_cast<std::byte>(random());
  return all;
}

template <class Visit>
void for_each_element(const extents& extent, const Visit& visit) {
  regions::for_each_point(rectangle_of<3>(extent), visit);
}

std::int64_t place(const layout& of, const point<3>& element) {
  return element[0] * of.step[0] + element[1] * of.step[1] + element[2] * of.step[2];
}

extents random_extents(random_stream& random) {
  extents extent;
  for (auto& each : extent)
    each = static_cast<std::int64_t>(random.below(random.below(4) == 0 ? 40 : 7));
  return extent;
}

constexpr std::int64_t k_sizes[] = {1, 2, 4, 8, 12, 16, 40};

TEST(strided, copies_are_those_of_each_element) {
  random_stream random(1);
  for (int round = 0; round < 5000; ++round) {
    const extents extent = random_extents(random);
    const auto size = k_sizes[random.below(std::size(k_sizes))];
    const layout to = random_layout(random, extent, size),
                 from = random_layout(random, extent, size);
    auto target = random_bytes(random, to.bytes), expected = target;
    auto source = random_bytes(random, from.bytes);
    for_each_element(extent, [&](const point<3>& each) {
      std::memcpy(&expected[static_cast<std::size_t>(place(to, each))],
                  &source[static_cast<std::size_t>(place(from, each))],
                  static_cast<std::size_t>(size));
    });
    regions::copy_strided({target.data(), to.step}, {source.data(), from.step}, extent,
                          static_cast<std::size_t>(size));
    ASSERT_EQ(target, expected) << "round " << round;
  }
}

TEST(strided, dense_elements_lie_side_by_side) {
  random_stream random(3);
  for (int round = 0; round < 5000; ++round) {
    extents extent;
    for (auto& each : extent) each = static_cast<std::int64_t>(1 + random.below(3));
    const layout all = random_layout(random, extent, 8);
    std::int64_t next = 0;
    bool expected = true;
    for_each_element(extent, [&](const point<3>& each) {
      expected = expected && place(all, each) == next;
      next += 8;
    });
    ASSERT_EQ(regions::is_dense({nullptr, all.step}, extent, 8), expected) << "round " << round;
  }
}

TEST(strided, fills_are_those_of_each_element) {
  random_stream random(2);
  for (int round = 0; round < 2000; ++round) {
    const extents extent = random_extents(random);
    const auto size = k_sizes[random.below(std::size(k_sizes))];
    const layout to = random_layout(random, extent, size);
    auto target = random_bytes(random, to.bytes), expected = target;
    const auto value = random_bytes(random, size);
    for_each_element(extent, [&](const point<3>& each) {
      std::memcpy(&expected[static_cast<std::size_t>(place(to, each))], value.data(), value.size());
    });
    regions::fill_strided({target.data(), to.step}, extent, value.data(), value.size());
    ASSERT_EQ(target, expected) << "round " << round;
  }
}

/// Checks a transposition that is large enough to bypass the caches. Each row of the result begins
/// `shift` elements after the start of a cache line.
template <class T>
void check_large_transposition(std::int64_t rows, std::int64_t columns, std::int64_t gap,
                               std::int64_t shift) {
  const std::int64_t to_row = columns + gap, from_row = rows + 1;
  huge_vector<T> to(static_cast<std::size_t>(rows * to_row + shift)),
      from(std::size_t(columns * from_row));
  for (std::size_t k = 0; k < from.size(); ++k) from[k] = static_cast<T>(hash(k));
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  regions::copy_strided({reinterpret_cast<std::byte*>(to.data() + shift), {0, to_row * size, size}},
                        {reinterpret_cast<std::byte*>(from.data()), {0, size, from_row * size}},
                        {1, rows, columns}, sizeof(T), regions::amount::large);
  for (std::int64_t j = 0; j < rows; ++j)
    for (std::int64_t k = 0; k < columns; ++k)
      ASSERT_EQ(to[std::size_t(shift + j * to_row + k)], from[std::size_t(k * from_row + j)]);
  for (std::int64_t k = 0; k < shift; ++k) EXPECT_EQ(to[std::size_t(k)], T{});
  for (std::int64_t j = 0; j < rows; ++j)
    for (std::int64_t k = columns; k < to_row && j * to_row + k + shift < std::int64_t(to.size());
         ++k)
      ASSERT_EQ(to[std::size_t(shift + j * to_row + k)], T{}) << "written between rows";
}

TEST(strided, large_transpositions_touch_their_elements_only) {
  check_large_transposition<std::uint64_t>(801, 1000, 24, 0);
  check_large_transposition<std::uint64_t>(800, 1003, 21, 3);
  check_large_transposition<std::uint64_t>(807, 1001, 0, 1);
  check_large_transposition<std::uint32_t>(1100, 1201, 15, 5);
  check_large_transposition<uint128>(600, 700, 4, 1);
}

template <std::size_t N>
void check_slices() {
  random_stream random(N);
  for (int round = 0; round < 2000; ++round) {
    rectangle<N> whole;
    for (std::size_t axis = 0; axis < N; ++axis) {
      whole.low[axis] = static_cast<std::int64_t>(random.below(9)) - 4;
      whole.high[axis] = whole.low[axis] + static_cast<std::int64_t>(random.below(7));
    }
    const std::uint64_t most = random.below(40);
    const regions::slices<N> parts(whole, most);
    std::vector<point<N>> seen, expected;
    for (std::uint64_t k = 0; k < parts.size(); ++k) {
      EXPECT_LE(parts[k].volume(), std::max<std::uint64_t>(1, most));
      EXPECT_GT(parts[k].volume(), 0u);
      regions::for_each_point(parts[k], [&](const point<N>& p) { seen.push_back(p); });
    }
    regions::for_each_point(whole, [&](const point<N>& p) { expected.push_back(p); });
    ASSERT_EQ(seen, expected);
  }
}

TEST(slices, have_all_points_in_order) {
  check_slices<1>();
  check_slices<2>();
  check_slices<3>();
}

}  // namespace
