// Where messages for other nodes go first, and that they get there.

#include "atoll/message/routes.hpp"

#include "support/run_on.hpp"

#include <gmock/gmock.h>
#include <set>

using namespace atl;
using message::hops_from;

namespace {

/// `nodes` nodes of `each` PEs; the last has `last`.
std::vector<int> cluster(int nodes, int each, int last) {
  std::vector<int> node_of;
  for (int node = 0; node < nodes; ++node)
    node_of.insert(node_of.end(), static_cast<std::size_t>(node + 1 < nodes ? each : last), node);
  return node_of;
}

struct routed_cluster {
  std::vector<int> node_of;
  std::vector<std::vector<int>> hops;  // of each PE

  routed_cluster(std::vector<int> nodes, routing how) : node_of(std::move(nodes)) {
    for (int pe = 0; pe < size(); ++pe) hops.push_back(hops_from(pe, node_of, how));
  }
  int size() const { return static_cast<int>(node_of.size()); }
  int node(int pe) const { return node_of[static_cast<std::size_t>(pe)]; }
  int hop(int from, int to) const {
    return hops[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  }

  /// The PEs on the way, without the first.
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
        ASSERT_LE(way.size(), how == routing::direct ? 1u : 3u) << from << " to " << to;
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
                                         std::tuple(7, 1, 1), std::tuple(8, 4, 3),
                                         std::tuple(13, 2, 2), std::tuple(16, 16, 16)));

TEST(routes, buffers_grow_with_the_square_root_of_the_pes) {
  const routed_cluster by_node(cluster(64, 16, 16), routing::node);
  EXPECT_LE(by_node.buffers_of(5), 32u);
  const routed_cluster by_grid(cluster(256, 1, 1), routing::grid);
  EXPECT_LE(by_grid.buffers_of(5), 32u);
}

TEST(routes, auto_is_direct_within_a_node_and_node_beyond) {
  using message::chosen_routing;
  EXPECT_EQ(chosen_routing(routing::automatic, cluster(1, 4, 4)), routing::direct);
  EXPECT_EQ(chosen_routing(routing::grid, cluster(1, 4, 4)), routing::direct);
  EXPECT_NE(chosen_routing(routing::automatic, cluster(64, 16, 16)), routing::direct);
  EXPECT_EQ(chosen_routing(routing::direct, cluster(64, 16, 16)), routing::direct);
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
    result.buffer_size = 2 << 10;  // many parcels are full, and many buffers
    return result;
  }
};

struct seen {
  std::vector<int> next = std::vector<int>(static_cast<std::size_t>(pes()));
  int out_of_order = 0;
  int others = 0;
};

constexpr int k_numbered_messages = 400;

/// Of two kinds; the one is numbered.
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

}  // namespace
