// Compares operations on index spaces, such as slices and permutations of dimensions, with the same
// operations on sets of points.

#include "atoll/instance.hpp"
#include "atoll/random.hpp"

#include <gtest/gtest.h>
#include <set>

using namespace atl;

namespace {

template <std::size_t N>
using points = std::set<point<N>>;

template <std::size_t N>
points<N> points_of(const index_space<N>& space) {
  points<N> all;
  std::uint64_t volume = 0;
  space.for_each_rectangle([&](const rectangle<N>& each) {
    volume += each.volume();
    regions::for_each_point(each, [&](const point<N>& p) { all.insert(p); });
  });
  EXPECT_EQ(volume, all.size()) << "the rectangles overlap";
  EXPECT_EQ(space.volume(), all.size());
  return all;
}

template <std::size_t N>
rectangle<N> random_rectangle(random_stream& random) {
  rectangle<N> made;
  for (std::size_t axis = 0; axis < N; ++axis) {
    made.low[axis] = static_cast<std::int64_t>(random.below(7)) - 3;
    made.high[axis] = made.low[axis] + static_cast<std::int64_t>(random.below(5));
  }
  return made;
}

template <std::size_t N>
index_space<N> random_space(random_stream& random) {
  index_space<N> made;
  for (auto rectangles = random.below(5); rectangles > 0; --rectangles)
    made = made | index_space<N>(random_rectangle<N>(random));
  return made;
}

template <std::size_t N>
void check_operations() {
  random_stream random(N);
  for (int round = 0; round < 2000; ++round) {
    const auto a = random_space<N>(random), b = random_space<N>(random);
    const auto in_a = points_of(a), in_b = points_of(b);
    points<N> either = in_a, both, only_a;
    either.insert(in_b.begin(), in_b.end());
    for (const auto& p : in_a) (in_b.count(p) != 0 ? both : only_a).insert(p);
    EXPECT_EQ(points_of(a | b), either);
    EXPECT_EQ(points_of(a & b), both);
    EXPECT_EQ(points_of(a - b), only_a);
    EXPECT_EQ(a | b, b | a);
    EXPECT_EQ((a - b) | (a & b), a) << "equal sets are equal";
    EXPECT_EQ(a.empty(), in_a.empty());
    for (const auto& p : in_a) EXPECT_TRUE(a.contains(p) && a.bounds().contains(p));
  }
}

TEST(index_space, has_set_operations_in_one_dimension) { check_operations<1>(); }
TEST(index_space, has_set_operations_in_two_dimensions) { check_operations<2>(); }
TEST(index_space, has_set_operations_in_three_dimensions) { check_operations<3>(); }

template <std::size_t N>
void check_partitions() {
  random_stream random(40 + N);
  for (int round = 0; round < 500; ++round) {
    const auto all = random_space<N>(random);
    point<N> block;
    for (auto& extent : block) extent = 1 + static_cast<std::int64_t>(random.below(3));
    index_space<N> together;
    for (const auto& part : partition_by_blocks(all, block)) {
      EXPECT_TRUE((together & part).empty());
      for (std::size_t axis = 0; axis < N; ++axis)
        EXPECT_LE(part.bounds().extent(axis), block[axis]);
      together = together | part;
    }
    EXPECT_EQ(together, all);
    const auto color_of = [](const point<N>& p) {
      std::int64_t color = 5;
      for (const auto coordinate : p) color = color * 3 + coordinate;
      return static_cast<std::uint64_t>(color) % 4;
    };
    const auto parts = partition_by_color(all, 3, color_of);
    for (const auto& p : points_of(all))
      for (std::size_t color = 0; color < 3; ++color)
        EXPECT_EQ(parts[color].contains(p), color_of(p) == color);
    EXPECT_EQ((all - (parts[0] | parts[1] | parts[2])) & all, all - parts[0] - parts[1] - parts[2]);
  }
}

TEST(index_space, is_partitioned_in_one_dimension) { check_partitions<1>(); }
TEST(index_space, is_partitioned_in_two_dimensions) { check_partitions<2>(); }
TEST(index_space, is_partitioned_in_three_dimensions) { check_partitions<3>(); }

TEST(index_space, may_reach_the_ends_of_all_numbers) {
  const index_space<1> low(interval(INT64_MIN, 5)), high(interval(3, INT64_MAX));
  EXPECT_EQ(low & high, index_space<1>(interval(3, 5)));
  EXPECT_EQ(low | high, index_space<1>(interval(INT64_MIN, INT64_MAX)));
  EXPECT_EQ((low | high).volume(), UINT64_MAX);
  EXPECT_EQ(high - low, index_space<1>(interval(5, INT64_MAX)));
  EXPECT_TRUE(low.contains({INT64_MIN}) && high.contains({INT64_MAX - 1}));
}

TEST(index_space, refuses_blocks_without_points) {
  const index_space<2> all(rectangle_of<2>({4, 4}));
  EXPECT_THROW(partition_by_blocks(all, {2, 0}), error);
  EXPECT_THROW(partition_by_blocks(all, {-1, 2}), error);
}

TEST(rectangle, of_more_points_than_can_be_counted_is_not_empty) {
  constexpr rectangle<3> all{{INT64_MIN, 0, 0}, {INT64_MAX, INT64_MAX, 4}};
  static_assert(!all.empty() && all.extent(0) == INT64_MAX && all.volume() == UINT64_MAX);
  static_assert(rectangle_of<2>({std::int64_t{1} << 32, std::int64_t{1} << 32}).volume() != 0);
  static_assert(!rectangle_of<1>({9}).contains(interval(0, INT64_MAX)));
}

TEST(rectangle, contains_its_parts) {
  constexpr rectangle<2> all{{0, 0}, {4, 5}};
  static_assert(all.volume() == 20 && all == rectangle_of<2>({4, 5}));
  static_assert(all.contains(rectangle<2>{{1, 1}, {4, 5}}) && !all.contains(point<2>{4, 0}));
  static_assert(!all.contains(rectangle<2>{{1, 1}, {5, 5}}) && all.contains(rectangle<2>{}));
  static_assert(rectangle<2>{{3, 3}, {2, 9}}.empty());
}

}  // namespace
