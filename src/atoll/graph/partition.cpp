#include "atoll/graph/partition.hpp"

namespace atl {
namespace {

constexpr std::uint64_t k_most_buckets = std::uint64_t{1} << 16;
/// A range is off its share by less than one vertex that is no hub, so by an eighth of a share.
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
  // A vertex without arcs costs as well; so each counts as one.
  std::uint64_t total = 0;
  const auto weight = [&](std::uint64_t b) {
    return arcs_in_bucket[b] + buckets.first_vertex(b + 1) - buckets.first_vertex(b);
  };
  for (std::uint64_t b = 0; b < buckets.count(); ++b) total += weight(b);
  std::vector<std::uint64_t> boundaries(1, 0);
  std::uint64_t before = 0;
  for (std::uint64_t b = 0; b < buckets.count(); ++b) {
    // A boundary stands where the share ends, at the nearer end of the bucket.
    while (boundaries.size() < all && before + weight(b) / 2 >= total / all * boundaries.size()) {
      boundaries.push_back(buckets.first_vertex(b));
    }
    before += weight(b);
  }
  while (boundaries.size() <= all) boundaries.push_back(buckets.first_vertex(buckets.count()));
  return boundaries;
}

}  // namespace atl
