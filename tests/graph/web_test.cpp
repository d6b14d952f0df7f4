#include "atoll/graph/web.hpp"

#include "atoll/error.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <vector>

namespace {

using namespace atl;

generator_parameters web_of(std::uint64_t vertices, double edges_per_vertex,
                            std::uint64_t seed = 1) {
  generator_parameters parameters;
  parameters.seed = seed;
  parameters.exact_vertices = vertices;
  parameters.edges_per_vertex = edges_per_vertex;
  return parameters;
}

std::vector<edge> all_links(const generator_parameters& parameters) {
  const web_generator generator(parameters);
  std::vector<edge> links;
  for (std::uint64_t i = 0; i < parameters.edges(); ++i) links.push_back(generator(i));
  return links;
}

/// Returns the number of links from each page or to each page, in descending order.
std::vector<std::uint64_t> degrees(const std::vector<edge>& links, std::uint64_t edge::* end,
                                   std::uint64_t vertices) {
  std::vector<std::uint64_t> counts(vertices);
  for (const auto& link : links) ++counts[link.*end];
  std::ranges::sort(counts, std::greater<>());
  return counts;
}

double share(std::uint64_t part, std::size_t all) {
  return static_cast<double>(part) / static_cast<double>(all);
}

TEST(web, an_edge_depends_on_nothing_but_parameters_and_index) {
  const auto parameters = web_of(10'000, 7.3);
  const auto in_one_go = all_links(parameters);
  for (const std::uint64_t parts : {1, 2, 3, 7}) {
    for (std::uint64_t part = parts; part-- > 0;) {
      const web_generator own(parameters);
      for (auto i = part; i < in_one_go.size(); i += parts) ASSERT_EQ(own(i), in_one_go[i]);
    }
  }
  EXPECT_NE(in_one_go, all_links(web_of(10'000, 7.3, 2)));
}

TEST(web, has_exactly_the_vertices_and_edges_that_are_asked_for) {
  EXPECT_EQ(web_of(1'770'000, 10.33).edges(), 18'284'100u);
  for (const std::uint64_t vertices : {1, 2, 3, 17, 255, 256, 257, 1000, 4096, 5000}) {
    for (const double ratio : {0.5, 1.0, 38.5}) {
      const auto parameters = web_of(vertices, ratio);
      for (const auto& link : all_links(parameters)) {
        ASSERT_LT(link.from, vertices);
        ASSERT_LT(link.to, vertices);
        ASSERT_TRUE(vertices == 1 || link.from != link.to);
      }
    }
  }
}

TEST(web, the_links_of_a_page_follow_each_other_and_few_come_twice) {
  const auto links = all_links(web_of(20'000, 38.5));
  std::vector<bool> ended(20'000);
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (links[i].from == links[i - 1].from) continue;
    ended[links[i - 1].from] = true;
    ASSERT_FALSE(ended[links[i].from]);
  }
  const std::set<edge> different(links.begin(), links.end());
  EXPECT_GT(share(different.size(), links.size()), 0.7);
}

TEST(web, links_are_skewed_both_ways) {
  constexpr std::uint64_t vertices = 100'000;
  constexpr double ratio = 20;
  const auto links = all_links(web_of(vertices, ratio));
  const auto out = degrees(links, &edge::from, vertices);
  EXPECT_GT(out[0], 30 * ratio);
  EXPECT_LT(out[vertices / 2], 0.7 * ratio);
  EXPECT_GT(out[vertices - 1], 0.2 * ratio);
  const auto in = degrees(links, &edge::to, vertices);
  EXPECT_GT(share(in[0], links.size()), 1e-3);
  EXPECT_LT(share(in[0], links.size()), 2e-2);
  EXPECT_GT(share(std::accumulate(in.begin(), in.begin() + vertices / 100, std::uint64_t{0}),
                  links.size()),
            0.15);
}

TEST(web, most_links_stay_in_the_host_and_near) {
  const auto parameters = web_of(100'000, 20);
  const web_generator generator(parameters);
  const auto links = all_links(parameters);
  std::uint64_t in_host = 0, near = 0;
  for (const auto& link : links) {
    const auto host = generator.host_of(link.from);
    in_host += link.to >= host.begin && link.to < host.end;
    near += std::max(link.from, link.to) - std::min(link.from, link.to) <= 64;
  }
  EXPECT_GT(share(in_host, links.size()), 0.6);
  EXPECT_LT(share(in_host, links.size()), 0.9);
  EXPECT_GT(share(near, links.size()), 0.4);
}

TEST(web, hosts_are_ranges_of_very_different_sizes) {
  constexpr std::uint64_t vertices = 1'000'001;
  const web_generator generator(web_of(vertices, 1));
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t page = 0; page < vertices;) {
    const auto host = generator.host_of(page);
    ASSERT_EQ(host.begin, page);
    const auto last = generator.host_of(host.end - 1);
    ASSERT_EQ(last.begin, host.begin);
    ASSERT_EQ(last.end, host.end);
    sizes.push_back(host.size());
    page = host.end;
  }
  std::ranges::sort(sizes);
  EXPECT_LT(sizes[sizes.size() / 4], 16u);
  EXPECT_EQ(sizes.back(), graph::web_hosts::largest);
}

// Web graphs compress well because nearby pages have many links in common.
TEST(web, pages_share_links_with_a_prototype) {
  constexpr std::uint64_t vertices = 50'000;
  std::vector<std::set<std::uint64_t>> targets(vertices);
  for (const auto& link : all_links(web_of(vertices, 10))) targets[link.from].insert(link.to);
  std::uint64_t shared = 0, all = 0;
  for (std::uint64_t page = 16; page < vertices; ++page) {
    std::uint64_t most = 0;
    for (std::uint64_t other = page - 16; other < page; ++other) {
      std::vector<std::uint64_t> both;
      std::ranges::set_intersection(targets[page], targets[other], std::back_inserter(both));
      most = std::max<std::uint64_t>(most, both.size());
    }
    shared += most;
    all += targets[page].size();
  }
  EXPECT_GT(share(shared, all), 0.4);
}

TEST(web, refuses_what_does_not_fit) {
  const auto message = [](generator_parameters parameters) -> std::string {
    try {
      web_generator{parameters};
    } catch (const error& e) {
      EXPECT_EQ(e.code(), errc::input);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(web_of((std::uint64_t{1} << 48) + 1, 1)),
            "vertices: 281474976710657 is out of range (1 to 281474976710656)");
  EXPECT_EQ(message(web_of(1000, -1)), "edges-per-vertex: -1 is out of range for 1000 vertices");
  EXPECT_EQ(message(web_of(1000, 2e6)),
            "edges-per-vertex: 2000000 is out of range for 1000 vertices");
  EXPECT_EQ(message(web_of(std::uint64_t{1} << 48, 32768)),
            "edges-per-vertex: 32768 is out of range for 281474976710656 vertices");
  EXPECT_EQ(message(web_of(std::uint64_t{1} << 48, 32767)), "");
  EXPECT_EQ(message({.scale = 8, .edge_factor = (1 << 20) + 1}),
            "edge-factor: 1048577 is out of range (0 to 1048576)");
}

TEST(web, the_largest_graphs_have_no_numbers_out_of_range) {
  for (const auto& parameters :
       {generator_parameters{.scale = 48, .edge_factor = 65535},
        generator_parameters{.scale = 8, .edge_factor = 1 << 20},
        generator_parameters{.edge_factor = 1 << 20, .exact_vertices = 511}, web_of(4097, 1e6)}) {
    const web_generator generator(parameters);
    const auto last = parameters.edges() - 1;
    for (std::uint64_t part = 0; part <= 1000; ++part) {
      const auto link = generator(last / 1000 * part + last % 1000 * part / 1000);
      ASSERT_LT(link.from, parameters.vertices());
      ASSERT_LT(link.to, parameters.vertices());
    }
    EXPECT_LT(generator(last).to, parameters.vertices());
  }
}

}  // namespace
