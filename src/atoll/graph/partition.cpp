#include "atoll/graph/partition.hpp"

#include "atoll/graph/build.hpp"

namespace atl {
namespace {

constexpr std::uint64_t k_most_buckets = std::uint64_t{1} << 16;
/// A vertex is a hub if it has at least 1/8 of the arcs of an average PE. A PE's number of arcs
/// differs from the average by less than the arcs of one vertex that is not a hub: by less than 1/8
/// of the average.
constexpr std::uint64_t k_hubs_a_share = 8;

}  // namespace

vertex_buckets::vertex_buckets(std::uint64_t vertices) : vertices_(vertices) {
  while ((vertices >> shift_) >= k_most_buckets) ++shift_;
  count_ = vertices == 0 ? 0 : ((vertices - 1) >> shift_) + 1;
}

std::uint64_t hub_threshold(std::uint64_t arcs, int pes) {
  return std::max<std::uint64_t>(1, arcs / (static_cast<std::uint64_t>(pes) * k_hubs_a_share));
}

std::vector<std::uint64_t> balanced_boundaries(const vertex_buckets& buckets,
                                               std::span<const std::uint64_t> arcs_in_bucket,
                                               int pes) {
  const auto all = static_cast<std::uint64_t>(pes);
  // A vertex without arcs has a cost too, so each vertex adds one to the weight of its bucket.
  std::uint64_t total = 0;
  const auto weight = [&](std::uint64_t b) {
    return arcs_in_bucket[b] + buckets.first_vertex(b + 1) - buckets.first_vertex(b);
  };
  for (std::uint64_t b = 0; b < buckets.count(); ++b) total += weight(b);
  std::vector<std::uint64_t> boundaries(1, 0);
  std::uint64_t before = 0;
  for (std::uint64_t b = 0; b < buckets.count(); ++b) {
    // Ideal boundaries give each PE equal weight. Each boundary is moved to the nearer end of the
    // bucket that contains it.
    while (boundaries.size() < all && before + weight(b) / 2 >= total / all * boundaries.size()) {
      boundaries.push_back(buckets.first_vertex(b));
    }
    before += weight(b);
  }
  while (boundaries.size() <= all) boundaries.push_back(buckets.first_vertex(buckets.count()));
  return boundaries;
}

}  // namespace atl

namespace atl::graph {
namespace {

struct arcs_of_vertex {
  std::uint64_t vertex;
  std::uint64_t arcs;
};

}  // namespace

// For each vertex v, one PE adds up the numbers of arcs: PE number v modulo the number of PEs. In a
// large job, sending the numbers of all vertices to every PE would take too much memory. Most
// numbers would be useless, because most vertices have few arcs.
task<std::vector<std::uint64_t>>
all_vertices_above(std::uint64_t threshold,
                   const std::unordered_map<std::uint64_t, std::uint64_t>& here) {
  std::vector<std::vector<arcs_of_vertex>> by_adder(static_cast<std::size_t>(pes()));
  for (const auto& [vertex, arcs] : here) {
    by_adder[vertex % by_adder.size()].push_back({vertex, arcs});
  }
  std::unordered_map<std::uint64_t, std::uint64_t> sums;
  for (const auto& of_pe : co_await all_to_all(by_adder)) {
    for (const auto& [vertex, arcs] : of_pe) sums[vertex] += arcs;
  }
  std::vector<std::uint64_t> found;
  for (const auto& [vertex, arcs] : sums) {
    if (arcs >= threshold) found.push_back(vertex);
  }
  std::vector<std::uint64_t> above;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(found))) {
    above.insert(above.end(), of_pe.begin(), of_pe.end());
  }
  std::ranges::sort(above);
  co_return above;
}

}  // namespace atl::graph
