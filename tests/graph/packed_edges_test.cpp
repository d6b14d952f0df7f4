// Edges must be unchanged after they have been packed into few bits and unpacked.

#include "atoll/graph/packed_edges.hpp"

#include "atoll/graph/compact_ids.hpp"
#include "atoll/random.hpp"
#include "support/run_on.hpp"

#include <gtest/gtest.h>
#include <limits>

using namespace atl;

namespace {

std::vector<edge> random_edges_of(std::uint64_t count, std::uint64_t vertices) {
  std::vector<edge> edges;
  for (std::uint64_t i = 0; i < count; ++i)
    edges.push_back({random_at(1, i) % vertices, random_at(2, i) % vertices});
  return edges;
}

packed_edges packed(const std::vector<edge>& edges, const std::vector<std::int64_t>& weights = {},
                    std::size_t at_a_time = 1000) {
  packed_edges made;
  for (std::size_t i = 0; i < edges.size(); i += at_a_time) {
    const std::size_t some = std::min(at_a_time, edges.size() - i);
    made.add(std::span(edges).subspan(i, some), weights.empty()
                                                    ? std::span<const std::int64_t>()
                                                    : std::span(weights).subspan(i, some));
  }
  made.settle();
  return made;
}

TEST(packed_edges, are_what_was_added) {
  for (const std::uint64_t vertices : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1000},
                                       std::uint64_t{1} << 32, largest_vertex + 1}) {
    for (const std::uint64_t count : {0, 1, 4095, 4096, 4097, 50'000}) {
      const auto edges = random_edges_of(count, vertices);
      for (const std::size_t at_a_time : {1, 1000, 100'000}) {
        const auto made = packed(edges, {}, at_a_time);
        EXPECT_EQ(made.size(), count);
        EXPECT_EQ(made.all(), edges) << count << " of " << vertices;
        EXPECT_FALSE(made.weighted());
      }
    }
  }
}

TEST(packed_edges, are_what_was_added_with_any_two_widths) {
  const auto below = [](std::uint64_t random, unsigned bits) {
    return bits == 0 ? 0 : random >> (64 - bits);
  };
  for (unsigned from = 0; from <= 64; ++from) {
    for (unsigned to = 0; to <= 64; ++to) {
      std::vector<edge> edges{{0, 0}, {below(~0ull, from), below(~0ull, to)}};
      for (std::uint64_t i = 0; i < 20; ++i)
        edges.push_back({below(random_at(1, i), from), below(random_at(2, i), to)});
      EXPECT_EQ(packed(edges).all(), edges) << from << " and " << to << " bits";
    }
  }
}

TEST(packed_edges, know_the_largest_vertex) {
  EXPECT_EQ(packed_edges().vertices(), 0u);
  EXPECT_EQ(packed({{3, 2}, {0, 9}, {4, 4}}).vertices(), 10u);
  EXPECT_EQ(packed({{largest_vertex, 0}}).vertices(), largest_vertex + 1);
}

TEST(packed_edges, weigh_what_they_weighed) {
  using limits = std::numeric_limits<std::int64_t>;
  const auto edges = random_edges_of(10'000, 99);
  for (const std::int64_t step : {0, 1, 1000, 1 << 30}) {
    std::vector<std::int64_t> weights;
    for (std::int64_t i = 0; i < 10'000; ++i) weights.push_back((i * 7 % 5000 - 2500) * step);
    if (step == 1) weights[5000] = limits::max(), weights[5001] = limits::min();
    auto made = packed(edges, weights);
    ASSERT_TRUE(made.weighted());
    EXPECT_EQ(made.all(), edges);
    for (std::uint64_t i = 0; i < weights.size(); ++i) ASSERT_EQ(made.weight(i), weights[i]) << i;
    made.forget_weights();
    EXPECT_FALSE(made.weighted());
    made.add(edges, weights);
    EXPECT_FALSE(made.weighted()) << "some have none";
  }
}

TEST(packed_edges, weigh_what_they_weighed_in_any_number_of_bits) {
  const auto edges = random_edges_of(5000, 99);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    std::vector<std::int64_t> weights;
    for (std::uint64_t i = 0; i < edges.size(); ++i)
      weights.push_back(static_cast<std::int64_t>(random_at(4, i) >> (64 - bits)));
    const auto made = packed(edges, weights);
    for (std::uint64_t i = 0; i < weights.size(); ++i)
      ASSERT_EQ(made.weight(i), weights[i]) << i << " of " << bits << " bits";
  }
}

TEST(packed_edges, renumbered_keep_their_weights) {
  test::run_alone([]() -> task<> {
    const auto edges = random_edges_of(50'000, 1000);
    std::vector<std::int64_t> weights;
    for (std::int64_t i = 0; i < 50'000; ++i) weights.push_back(3 * i - 1000);
    for (const bool weighted : {true, false}) {
      auto made = packed(edges, weighted ? weights : std::vector<std::int64_t>());
      const auto turned = [](edge e) { return edge{e.to + 5, e.from}; };
      co_await graph::renumber(made, turned);
      EXPECT_EQ(made.size(), edges.size());
      EXPECT_EQ(made.weighted(), weighted);
      for (std::uint64_t i = 0; i < edges.size(); ++i) {
        if (made(i) != turned(edges[i])) ADD_FAILURE() << "edge " << i;
        if (weighted && made.weight(i) != weights[i]) ADD_FAILURE() << "weight " << i;
      }
    }
  });
}

TEST(packed_edges, take_as_many_bits_as_they_need) {
  const std::uint64_t count = 2'000'000;
  // The last chunk of 4 MiB may still be empty.
  const auto bytes_an_edge = [&](const std::vector<edge>& edges) {
    return static_cast<double>(packed(edges).bytes() - (std::uint64_t{4} << 20)) / count;
  };
  EXPECT_LT(bytes_an_edge(random_edges_of(count, 1 << 16)), 4.1);
  EXPECT_LT(bytes_an_edge(random_edges_of(count, 1 << 20)), 5.1);
  std::vector<edge> sorted;
  for (std::uint64_t i = 0; i < count; ++i) sorted.push_back({i / 16, random_at(3, i) % 65'536});
  EXPECT_LT(bytes_an_edge(sorted), 3.1);
}

TEST(packed_edges, keep_doubles_behind_integers) {
  const auto edges = random_edges_of(10'000, 1 << 10);
  packed_edges made;
  for (std::uint64_t i = 0; i < edges.size(); ++i) {
    const bool real = i >= 5000;
    const std::int64_t bits =
        real ? std::bit_cast<std::int64_t>(-0.1 * static_cast<double>(i)) : static_cast<int>(i);
    made.add(std::span(&edges[i], 1), std::span(&bits, 1),
             real ? weight_kind::real : weight_kind::integer);
  }
  made.settle();
  EXPECT_TRUE(made.has_real_weights());
  for (std::uint64_t i = 0; i < edges.size(); ++i) {
    const auto number = static_cast<double>(i);
    ASSERT_EQ(made(i), edges[i]);
    ASSERT_EQ(made.real_weight(i), i >= 5000 ? -0.1 * number : number) << i;
  }
}

TEST(packed_edges, give_back_what_was_used) {
  const auto edges = random_edges_of(1'000'000, 1 << 20);
  auto made = packed(edges);
  const auto before = made.bytes();
  made.forget_until(0);
  EXPECT_EQ(made.bytes(), before);
  std::uint64_t most = before;
  for (std::uint64_t i = 0; i < made.size(); i += 10'000) {
    made.forget_until(i);
    EXPECT_LE(made.bytes(), most);
    most = made.bytes();
    ASSERT_EQ(made(i), edges[i]);
  }
  made.forget_until(made.size());
  // All edges are removed, and only the table that locates edges is left.
  EXPECT_LT(made.bytes(), before / 20);
  EXPECT_EQ(made.size(), edges.size());
}

}  // namespace
