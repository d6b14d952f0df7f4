#include "atoll/graph/io/both_ends.hpp"

#include "atoll/graph/io/read_edges.hpp"

#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace atl::graph {
namespace {

constexpr std::size_t k_buckets = std::size_t{1} << 16;
constexpr std::size_t k_most_buckets = 256;

using edge_with_weight = std::tuple<std::uint64_t, std::uint64_t, std::int64_t>;

edge_with_weight edge_of(const seen_end& end) {
  return {std::min(end.vertex, end.neighbour), std::max(end.vertex, end.neighbour), end.weight};
}

std::size_t bucket_of(const seen_end& end) { return both_ends::key_of(end) % k_buckets; }

void look_at_ends(file_part which, std::function<bool(const seen_end&)> look) {
  which.part = 0;
  which.parts = 1;
  which.options.look_at_end = std::move(look);
  edge_reader reader(which);
  while (reader.read_some()) {
  }
}

/// Returns the numbers of groups in which some edge is listed at only one of its endpoints. A hash
/// assigns each edge to a group.
std::set<std::size_t> suspect_buckets(const file_part& which) {
  std::vector<std::uint64_t> sums(k_buckets);
  look_at_ends(which, [&](const seen_end& end) {
    sums[bucket_of(end)] += both_ends::change_by(end);
    return false;
  });
  std::set<std::size_t> buckets;
  for (std::size_t i = 0; i < k_buckets && buckets.size() < k_most_buckets; ++i) {
    if (sums[i] != 0) buckets.insert(i);
  }
  return buckets;
}

/// Returns a difference for each edge: the number of entries at its smaller endpoint, minus the
/// number of entries at its larger endpoint.
std::map<edge_with_weight, std::int64_t> surplus_of(const file_part& which,
                                                    const std::set<std::size_t>& buckets) {
  std::map<edge_with_weight, std::int64_t> surplus;
  look_at_ends(which, [&](const seen_end& end) {
    if (buckets.contains(bucket_of(end))) surplus[edge_of(end)] += end.is_edge ? 1 : -1;
    return false;
  });
  return surplus;
}

}  // namespace

std::string both_ends::complaint(std::uint64_t vertex, std::uint64_t neighbour) {
  return fmt::format("vertex {} has the neighbour {}, which has not {} with the same weight",
                     vertex, neighbour, vertex);
}

error find_one_way(const file_part& which) {
  try {
    const auto surplus = surplus_of(which, suspect_buckets(which));
    look_at_ends(which, [&](const seen_end& end) {
      const auto found = surplus.find(edge_of(end));
      return found != surplus.end() && (end.is_edge ? found->second > 0 : found->second < 0);
    });
  } catch (const error& e) {
    return e;
  }
  return {errc::input, fmt::format("{}: it changes while it is read", which.path)};
}

}  // namespace atl::graph
