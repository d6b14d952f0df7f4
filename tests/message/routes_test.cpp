// Tests the routes of messages between nodes, which lead through intermediate PEs. The tests check
// the intermediate PEs of routes, and that each route ends at its destination.

#include "atoll/message/routes.hpp"

#include "atoll/transport/internode/nodes.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <set>

using namespace atl;
using message::chosen_routing;
using message::node_layout;

namespace {

/// Returns the node of each PE, in a cluster of `nodes` nodes with `each` PEs. The last node has
/// `last` PEs.
std::vector<int> cluster(int nodes, int each, int last) {
  std::vector<int> node_of;
  for (int node = 0; node < nodes; ++node)
    node_of.insert(node_of.end(), static_cast<std::size_t>(node + 1 < nodes ? each : last), node);
  return node_of;
}

struct routed_cluster {
  std::vector<int> node_of;
  std::vector<std::vector<int>> hops;  // for each PE, its next hops

  routed_cluster(std::vector<int> nodes, routing how) : node_of(std::move(nodes)) {
    const node_layout layout(node_of);
    for (int pe = 0; pe < size(); ++pe) {
      const message::routes from(pe, layout, how);
      hops.emplace_back();
      for (int to = 0; to < size(); ++to) hops.back().push_back(from.hop(to));
    }
  }
  int size() const { return static_cast<int>(node_of.size()); }
  int node(int pe) const { return node_of[static_cast<std::size_t>(pe)]; }
  int hop(int from, int to) const {
    return hops[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  /// Returns the PEs on the route, without the PE where the route begins.
  std::vector<int> way(int from, int to) const {
    std::vector<int> passed;
    for (int at = from; at != to && passed.size() < 10;) passed.push_back(at = hop(at, to));
    return passed;
  }
  int crossings(int from, int to) const {
    int count = 0;
    for (const int next : way(from, to)) {
      if (node(next) != node(from)) ++count;
      from = next;
    }
    return count;
  }
  std::size_t buffers_of(int pe) const {
    const auto& all = hops[static_cast<std::size_t>(pe)];
    return std::set<int>(all.begin(), all.end()).size();
  }
};

class all_clusters : public testing::TestWithParam<std::tuple<int, int, int>> {
 protected:
  std::vector<int> node_of() const {
    const auto [nodes, each, last] = GetParam();
    return cluster(nodes, each, last);
  }
};

TEST_P(all_clusters, every_way_ends_and_crosses_the_network_as_often_as_it_may) {
  for (const auto& [how, most_crossings] :
       {std::pair(routing::direct, 1), {routing::node, 1}, {routing::grid, 2}}) {
    const routed_cluster all(node_of(), how);
    for (int from = 0; from < all.size(); ++from) {
      for (int to = 0; to < all.size(); ++to) {
        const auto way = all.way(from, to);
        const std::size_t most_steps = how == routing::direct ? 1 : how == routing::node ? 3 : 5;
        ASSERT_LE(way.size(), most_steps) << from << " to " << to;
        ASSERT_TRUE(from == to || way.back() == to) << from << " to " << to;
        const bool one_node = all.node(from) == all.node(to);
        ASSERT_LE(all.crossings(from, to), one_node ? 0 : most_crossings) << from << " to " << to;
      }
    }
  }
}

TEST_P(all_clusters, a_node_has_as_many_streams_to_another_as_give_each_pe_work) {
  const auto [nodes, each, last] = GetParam();
  if (nodes == 1 || each != last) return;
  const routed_cluster all(node_of(), routing::node);
  std::set<std::pair<int, int>> streams;
  for (int from = 0; from < each; ++from)
    for (int to = each; to < 2 * each; ++to) {
      int before = from;
      for (const int next : all.way(from, to)) {
        if (all.node(before) != all.node(next)) streams.emplace(before, next);
        before = next;
      }
    }
  EXPECT_EQ(streams.size(), static_cast<std::size_t>((each + nodes - 2) / (nodes - 1)));
}

INSTANTIATE_TEST_SUITE_P(routes, all_clusters,
                         testing::Values(std::tuple(1, 5, 5), std::tuple(2, 1, 1),
                                         std::tuple(2, 4, 4), std::tuple(2, 4, 1),
                                         std::tuple(3, 4, 2), std::tuple(5, 3, 3),
                                         std::tuple(7, 1, 1), std::tuple(7, 3, 2),
                                         std::tuple(8, 4, 3), std::tuple(13, 2, 2),
                                         std::tuple(16, 16, 16)));

TEST(routes, buffers_grow_with_the_square_root_of_the_pes) {
  const routed_cluster by_node(cluster(64, 16, 16), routing::node);
  EXPECT_LE(by_node.buffers_of(5), 32u);
  const routed_cluster by_grid(cluster(256, 1, 1), routing::grid);
  EXPECT_LE(by_grid.buffers_of(5), 32u);
  const routed_cluster dealt(cluster(64, 16, 16), routing::grid);
  for (int pe = 0; pe < 16; ++pe)
    // A PE may fill one buffer for each of the 16 PEs of its own node, and two buffers for other
    // nodes.
    EXPECT_LE(dealt.buffers_of(pe), 18u);
}

routing chosen(routing asked, int nodes, int each) {
  const std::vector<int> node_of = cluster(nodes, each, each);
  return chosen_routing(asked, node_layout(node_of));
}

TEST(routes, lead_to_no_more_partners_than_buffers_are_sized_for) {
  std::vector<std::pair<int, int>> clusters = {{64, 16}, {127, 2}, {128, 2},
                                               {128, 3}, {150, 1}, {256, 4}};
  for (int nodes = 2; nodes <= 9; ++nodes)
    for (int each = 1; each <= 9; ++each) clusters.emplace_back(nodes, each);
  for (const auto& [nodes, each] : clusters) {
    const auto how = chosen(routing::automatic, nodes, each);
    const routed_cluster all(cluster(nodes, each, each), how);
    std::size_t most = 0;
    for (int pe = 0; pe < all.size(); pe += 1 + all.size() / 50)
      most = std::max(most, all.buffers_of(pe));
    const int beyond = transport::internode::partners_beyond(how, nodes, each);
    EXPECT_LE(most, static_cast<std::size_t>(each + beyond)) << nodes << " of " << each;
  }
}

TEST(routes, are_the_same_by_tables_as_by_division) {
  std::vector<int> dealt;  // the node of each PE; PEs are assigned to four nodes in turn
  for (int pe = 0; pe < 12; ++pe) dealt.push_back(pe % 4);
  const node_layout by_tables(dealt);
  const std::vector<int> in_turn = cluster(4, 3, 3);
  const node_layout by_division(in_turn);
  const auto renamed = [](int pe) { return pe % 3 * 4 + pe / 3; };
  for (int pe = 0; pe < 12; ++pe) {
    EXPECT_EQ(by_tables.place_of(renamed(pe)), by_division.place_of(pe));
    for (const auto how : {routing::node, routing::grid})
      for (int to = 0; to < 12; ++to)
        EXPECT_EQ(message::routes(renamed(pe), by_tables, how).hop(renamed(to)),
                  renamed(message::routes(pe, by_division, how).hop(to)));
  }
}

TEST(routes, auto_is_direct_within_a_node_and_beyond_goes_by_the_partners_of_a_pe) {
  EXPECT_EQ(chosen(routing::automatic, 1, 4), routing::direct);
  EXPECT_EQ(chosen(routing::grid, 1, 4), routing::direct);
  EXPECT_EQ(chosen(routing::automatic, 64, 1), routing::node);
  EXPECT_EQ(chosen(routing::automatic, 128, 1), routing::grid);
  EXPECT_EQ(chosen(routing::automatic, 127, 1), routing::node);
  EXPECT_EQ(chosen(routing::automatic, 128, 2), routing::grid);
  EXPECT_EQ(chosen(routing::automatic, 128, 16), routing::node);
  EXPECT_EQ(chosen(routing::automatic, 512, 16), routing::node);
  EXPECT_EQ(chosen(routing::automatic, 1024, 16), routing::grid);
  EXPECT_EQ(chosen(routing::direct, 64, 16), routing::direct);
}

struct routed_job {
  int pes;
  std::uint64_t node_size;
  routing how;
  std::uint64_t sim_seed;
};

std::string name_of(const testing::TestParamInfo<routed_job>& job) {
  constexpr std::array names{"auto", "direct", "node", "grid"};
  const auto& [pes, node_size, how, seed] = job.param;
  return fmt::format("pes_{}_of_{}_{}_{}", pes, node_size, names[static_cast<std::size_t>(how)],
                     seed == 0 ? "shm" : fmt::format("seed_{}", seed));
}

std::vector<routed_job> routed_jobs() {
  std::vector<routed_job> jobs;
  for (const auto how : {routing::node, routing::grid}) {
    for (const auto& [pes, node_size] : {std::pair(4, 2ul), {7, 3ul}, {6, 1ul}}) {
      jobs.push_back({pes, node_size, how, 0});
      for (std::uint64_t seed = 1; seed <= (test::sanitized ? 2u : 8u); ++seed)
        jobs.push_back({pes, node_size, how, seed});
    }
  }
  return jobs;
}

class routed : public testing::TestWithParam<routed_job> {
 protected:
  settings options() const {
    const auto& [pes, node_size, how, seed] = GetParam();
    settings result = seed == 0 ? test::job_of(pes) : test::simulated_job_of(pes, seed);
    result.node_size = node_size;
    result.routing = how;
    result.buffer_size = 2 << 10;  // so small that many buffers become full
    return result;
  }
};

struct seen {
  std::vector<int> next = std::vector<int>(static_cast<std::size_t>(pes()));
  int out_of_order = 0;
  int others = 0;
};

constexpr int k_numbered_messages = 400;

/// Sends messages of two types to all PEs. The messages of one type are numbered.
void send_to_all(per_pe<seen> counts) {
  for (int i = 0; i < k_numbered_messages; ++i) {
    for (int to = 0; to < pes(); ++to) {
      async_call(to, [counts, i, from = my_pe()] {
        EXPECT_EQ(this_pe().messages->source(), from);
        int& next = counts->next[static_cast<std::size_t>(from)];
        if (next++ != i) ++counts->out_of_order;
      });
      if (i % 3 == to % 3) async_call(to, [counts] { ++counts->others; });
    }
  }
}

TEST_P(routed, messages_of_a_kind_arrive_once_in_order_and_say_who_sent_them) {
  test::run_on(options(), []() -> task<> {
    const auto counts = co_await per_pe<seen>::make();
    const auto send = [counts]() -> task<> {
      const auto send_all = [counts] { send_to_all(counts); };
      co_await finish(send_all);
    };
    co_await on_all_pes(send);
    const auto check = [counts] {
      for (const int next : counts->next) EXPECT_EQ(next, k_numbered_messages);
      EXPECT_EQ(counts->out_of_order, 0);
      EXPECT_EQ(counts->others, pes() * ((k_numbered_messages - my_pe() % 3 + 2) / 3));
    };
    co_await on_all_pes(check);
    co_await counts.destroy();
  });
}

TEST_P(routed, payloads_of_any_size_arrive_whole) {
  test::run_spmd_on(options(), []() -> task<> {
    std::vector<std::vector<int>> parts;
    for (int to = 0; to < pes(); ++to)
      parts.emplace_back(static_cast<std::size_t>(500 * to + my_pe()), 100 * my_pe() + to);
    const auto got = co_await all_to_all(parts);
    for (int from = 0; from < pes(); ++from) {
      const std::vector<int> right(static_cast<std::size_t>(500 * my_pe() + from),
                                   100 * from + my_pe());
      EXPECT_THAT(got[static_cast<std::size_t>(from)], testing::ElementsAreArray(right));
    }
  });
}

TEST_P(routed, a_failure_on_another_node_reaches_the_scope_that_caused_it) {
  test::run_on(options(), []() -> task<> {
    const auto fails = [] {
      for (int pe = 0; pe < pes(); ++pe)
        async_call(pe, [] {
          if (my_pe() == pes() - 1) throw std::runtime_error("it broke");
        });
    };
    std::string text;
    try {
      co_await finish(fails);
    } catch (const std::exception& failure) {
      text = failure.what();
    }
    EXPECT_NE(text.find("it broke"), std::string::npos) << text;
  });
}

INSTANTIATE_TEST_SUITE_P(routing, routed, testing::ValuesIn(routed_jobs()), name_of);

class routed_to_thousands : public testing::TestWithParam<routing> {};

// A parcel is a small buffer with the messages for one destination. A PE has more destinations than
// open parcels, so parcels are closed again and again.
TEST_P(routed_to_thousands, messages_arrive_once_and_in_order) {
  if (test::only_threads) GTEST_SKIP() << "a thread sanitizer leaves too little address space";
  settings options = test::simulated_job_of(1300, 1);
  options.node_size = options.sim_node_size = 10;
  options.routing = GetParam();
  options.buffer_size = 2 << 10;
  test::run_on(options, []() -> task<> {
    struct numbers {
      std::array<int, 10> next{};
    };
    const auto seen = co_await per_pe<numbers>::make();
    const auto send = [seen]() -> task<> {
      if (my_pe() % 130 != 0) co_return;
      const auto send_all = [seen] {
        for (int i = 0; i < 3; ++i)
          for (int to = 0; to < pes(); ++to)
            async_call(to, [seen, i, from = my_pe()] {
              EXPECT_EQ(this_pe().messages->source(), from);
              EXPECT_EQ(seen->next[static_cast<std::size_t>(from / 130)]++, i);
            });
      };
      co_await finish(send_all);
    };
    co_await on_all_pes(send);
    const auto check = [seen] {
      for (const int each : seen->next) EXPECT_EQ(each, 3);
    };
    co_await on_all_pes(check);
    co_await seen.destroy();
  });
}

INSTANTIATE_TEST_SUITE_P(routing, routed_to_thousands,
                         testing::Values(routing::node, routing::grid));

}  // namespace
