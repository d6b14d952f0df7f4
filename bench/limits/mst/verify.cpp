#include "verify.hpp"

#include <utility>
#include <vector>

#include "atoll/kernels/forest.hpp"

namespace bench::mst {

bool is_right(const huge_array<weighted_edge>& edges, const kruskal& found) {
  std::vector<atl::weighted_edge> plain;
  for (const auto& e : edges) plain.push_back({e.from, e.to, e.weight});
  const auto expected = atl::serial_spanning_forest(std::move(plain));
  std::uint64_t weight = 0;
  for (const auto& e : expected) weight += static_cast<std::uint64_t>(e.weight);
  return found.edges() == expected.size() && found.weight() == weight;
}

}  // namespace bench::mst
