#include "verify.hpp"

#include <vector>

#include "atoll/kernels/mst/validation.hpp"

namespace bench::mst {

bool is_right(const huge_array<weighted_edge>& edges, const kruskal& found) {
  std::vector<atl::kernels::mst::plain_edge<std::uint32_t>> plain;
  for (const auto& e : edges) plain.push_back({e.from, e.to, e.weight});
  const auto expected = atl::kernels::mst::lightest_forest(std::move(plain));
  std::uint64_t weight = 0;
  for (const auto& e : expected) weight += e.weight;
  return found.edges() == expected.size() && found.weight() == weight;
}

}  // namespace bench::mst
