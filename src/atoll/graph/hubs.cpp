#include "atoll/graph/build.hpp"

namespace atl::graph {

task<std::vector<std::uint64_t>>
all_vertices_above(std::uint64_t threshold,
                   const std::unordered_map<std::uint64_t, std::uint64_t>& here) {
  const auto a_share = ceil_divide(threshold, static_cast<std::uint64_t>(pes()));
  std::vector<std::uint64_t> offered;
  for (const auto& [vertex, arcs] : here) {
    if (arcs >= a_share) offered.push_back(vertex);
  }
  std::vector<std::uint64_t> candidates;
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint64_t>(offered))) {
    candidates.insert(candidates.end(), of_pe.begin(), of_pe.end());
  }
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::vector<std::uint64_t> counts;
  for (const auto vertex : candidates) {
    const auto found = here.find(vertex);
    counts.push_back(found == here.end() ? 0 : found->second);
  }
  counts = co_await all_reduce(std::move(counts), k_sum);
  std::vector<std::uint64_t> above;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (counts[i] >= threshold) above.push_back(candidates[i]);
  }
  co_return above;
}

}  // namespace atl::graph
