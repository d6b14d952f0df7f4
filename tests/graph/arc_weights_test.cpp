// Tests that the weight of an arc is the sum of the weights of its edges, at every number of PEs.

#include "atoll/graph/arc_weights.hpp"
#include "atoll/graph/make_graph.hpp"
#include "kernels/bfs_graphs.hpp"
#include "support/run_on.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace {

using namespace atl;

using arc_ends = std::pair<std::uint64_t, std::uint64_t>;

/// Returns a weight that depends on the edge. A sum of weights therefore shows which edges were
/// added.
double weight_of(const edge& e, std::uint64_t number) {
  return static_cast<double>(e.from * 3 + e.to * 5 + number % 7);
}

/// Returns the weight of edge `i` of this PE's share of a list.
struct dealt_weights {
  double operator()(std::uint64_t i, edge e) const {
    return weight_of(e,
                     i * static_cast<std::uint64_t>(pes()) + static_cast<std::uint64_t>(my_pe()));
  }
};

std::map<arc_ends, double> serial_weights(const bfs_graphs::graph& of, orientation arcs_are) {
  std::map<arc_ends, double> sums;
  for (std::uint64_t i = 0; i < of.edges.size(); ++i) {
    graph::for_each_arc(of.edges[i], arcs_are, [&](graph::arc a) {
      if (a.source != a.target) sums[{a.source, a.target}] += weight_of(of.edges[i], i);
    });
  }
  return sums;
}

/// Returns the weight of each arc, which is the sum of the weights of all edges in the direction of
/// the arc. If no edge has the direction of an arc, the arc's weight is the sum over the edges in
/// the opposite direction.
std::map<arc_ends, double> weights_by_direction(const bfs_graphs::graph& of, orientation arcs_are) {
  if (arcs_are != orientation::undirected) return serial_weights(of, arcs_are);
  auto sums = serial_weights(of, orientation::out);
  for (const auto& [arc, weight] : serial_weights(of, orientation::in))
    sums.try_emplace(arc, weight);
  return sums;
}

template <class Id>
task<> all_check_weights(distributed_graph<Id> built, const std::map<arc_ends, double>& wanted) {
  const graph_part<Id>& part = built.local();
  EXPECT_EQ(part.weights.size(), part.targets.size());
  for (std::uint64_t r = 0; r < part.rows(); ++r) {
    const auto targets = part.row(r);
    EXPECT_TRUE(std::ranges::is_sorted(targets));
    for (std::uint64_t i = 0; i < targets.size(); ++i) {
      const double sum = wanted.at({part.vertex_of_row(r), targets[i]});
      EXPECT_EQ(part.weights_of_row(r)[i], sum) << "from " << part.vertex_of_row(r);
    }
  }
  const auto arcs = co_await all_reduce(part.arcs(), std::plus<>());
  EXPECT_EQ(arcs, wanted.size());
}

/// Builds the graph with weights, and compares the weights of its arcs with `wanted`. One task of
/// the job calls this function.
template <class Id, class Weight>
task<> check_weights(const bfs_graphs::graph& of, orientation arcs_are, hub_rows hubs,
                     arc_weighing<Weight> how, const std::map<arc_ends, double>& wanted) {
  const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
  const graph_size size{of.vertices, of.edges.size()};
  const auto built = co_await make_weighted_graph<Id>(size, arcs_are, edges, hubs,
                                                      row_order::by_degree, [how] { return how; });
  co_await together([built, all = &wanted] { return all_check_weights(built, *all); });
  co_await built.destroy();
}

class arc_weights : public test::on_pes {};

/// A weighted graph that all PEs read. The graph is made before the PEs are started.
struct weighted_case {
  bfs_graphs::graph of;
  orientation arcs_are;
  std::map<arc_ends, double> weights;
  std::map<arc_ends, double> weights_by_direction;
};

std::vector<weighted_case> weighted_cases() {
  std::vector<weighted_case> cases;
  for (const auto& of : {bfs_graphs::kronecker(8), bfs_graphs::star(300, 123),
                         bfs_graphs::loops_and_duplicates(), bfs_graphs::lonely_vertex()}) {
    for (const auto arcs_are : {orientation::undirected, orientation::out, orientation::in})
      cases.push_back(
          {of, arcs_are, serial_weights(of, arcs_are), weights_by_direction(of, arcs_are)});
  }
  return cases;
}

TEST_P(arc_weights, are_those_of_all_their_edges) {
  const auto cases = weighted_cases();
  run([&]() -> task<> {
    for (const auto& each : cases) {
      arc_weighing<dealt_weights> how;
      co_await check_weights<std::uint32_t>(each.of, each.arcs_are, hub_rows::split, how,
                                            each.weights_by_direction);
      how.turned = turned_edges::add_up;
      co_await check_weights<std::uint32_t>(each.of, each.arcs_are, hub_rows::split, how,
                                            each.weights);
      co_await check_weights<std::uint64_t>(each.of, each.arcs_are, hub_rows::whole, how,
                                            each.weights);
    }
  });
}

TEST_P(arc_weights, of_edges_in_both_directions_are_not_doubled) {
  // The graph has edges in both directions. Some pairs of vertices have parallel edges. Some pairs
  // have more edges in one direction than in the other direction, and some pairs have edges in one
  // direction only.
  const bfs_graphs::graph of{
      "both", 5, {{0, 1}, {1, 0}, {1, 2}, {1, 2}, {2, 1}, {2, 1}, {2, 3}, {3, 2}, {4, 3}}};
  const std::map<arc_ends, double> wanted = {{{0, 1}, 5}, {{1, 0}, 5}, {{1, 2}, 14}, {{2, 1}, 14},
                                             {{2, 3}, 2}, {{3, 2}, 9}, {{3, 4}, 4},  {{4, 3}, 4}};
  const std::map<arc_ends, double> least = {{{0, 1}, 5}, {{1, 0}, 5}, {{1, 2}, 7}, {{2, 1}, 7},
                                            {{2, 3}, 2}, {{3, 2}, 2}, {{3, 4}, 4}, {{4, 3}, 4}};
  const auto weight = [](std::uint64_t, edge e) {
    const auto [low, high] = std::minmax(e.from, e.to);
    return low == 0 ? 5 : low == 1 ? 7 : high == 4 ? 4 : e.from == 2 ? 2 : 9;
  };
  run([&]() -> task<> {
    arc_weighing<decltype(weight)> how{weight};
    co_await check_weights<std::uint32_t>(of, orientation::undirected, hub_rows::whole, how,
                                          wanted);
    how.of_several = parallel_edges::least;
    co_await check_weights<std::uint32_t>(of, orientation::undirected, hub_rows::whole, how, least);
  });
}

/// Returns weights whose floating-point sum depends on the order of additions.
struct uneven_weights {
  double operator()(std::uint64_t i, edge) const {
    const std::uint64_t number =
        i * static_cast<std::uint64_t>(pes()) + static_cast<std::uint64_t>(my_pe());
    return std::ldexp(1.0, static_cast<int>(number % 53));
  }
};

TEST_P(arc_weights, are_added_in_ascending_order) {
  bfs_graphs::graph of{"parallel", 2, std::vector<edge>(159, edge{0, 1})};
  double sum = 0;
  for (int i = 0; i < 159; ++i) sum += std::ldexp(1.0, i / 3);
  const std::map<arc_ends, double> wanted = {{{0, 1}, sum}, {{1, 0}, sum}};
  run([&]() -> task<> {
    co_await check_weights<std::uint32_t>(of, orientation::undirected, hub_rows::whole,
                                          arc_weighing<uneven_weights>{}, wanted);
  });
}

TEST_P(arc_weights, that_are_no_numbers_are_the_least) {
  const bfs_graphs::graph of{"parallel", 2, {{0, 1}, {0, 1}, {1, 0}}};
  const auto weight = [](std::uint64_t i, edge e) {
    return e.from == 0 && i == 0 && my_pe() == 0 ? std::numeric_limits<double>::quiet_NaN() : -1.0;
  };
  run([&]() -> task<> {
    const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
    const auto how = [weight] {
      return arc_weighing<decltype(weight)>{weight, parallel_edges::least};
    };
    const auto built = co_await make_weighted_graph<std::uint32_t>(
        {of.vertices, of.edges.size()}, orientation::undirected, edges, hub_rows::whole,
        row_order::by_target, how);
    co_await on_all_pes([built] {
      for (const double each : built->weights) EXPECT_TRUE(std::isnan(each));
    });
    co_await built.destroy();
  });
}

TEST_P(arc_weights, take_nothing_where_nobody_asks) {
  const auto of = bfs_graphs::kronecker(8);
  run([&]() -> task<> {
    const auto edges = [from = &of.edges] { return bfs_graphs::dealt_edges{from}; };
    const graph_size size{of.vertices, of.edges.size()};
    const auto built = co_await make_graph<std::uint32_t>(size, orientation::out, edges);
    co_await on_all_pes([built] { EXPECT_EQ(built->weights.capacity(), 0u); });
    co_await built.destroy();
  });
}

ATOLL_RUN_ON_ALL(arc_weights);

}  // namespace
