#include "atoll/memory/collective_tree.hpp"

#include <algorithm>
#include <cstddef>

namespace atl::memory {
namespace {

std::size_t index(int of) { return static_cast<std::size_t>(of); }

}  // namespace

std::vector<std::vector<int>> pes_of_nodes(std::span<const int> node_of) {
  std::vector<std::vector<int>> members;
  for (int pe = 0; pe < static_cast<int>(node_of.size()); ++pe) {
    const std::size_t node = index(node_of[index(pe)]);
    if (node >= members.size()) members.resize(node + 1);
    members[node].push_back(pe);
  }
  return members;
}

tree_place place_in_tree(int pe, std::span<const int> node_of) {
  const auto members = pes_of_nodes(node_of);
  const std::size_t node = index(node_of[index(pe)]);
  const auto& mates = members[node];
  const auto place = static_cast<std::size_t>(std::ranges::find(mates, pe) - mates.begin());
  const auto nodes_below = [&](std::size_t above) {
    std::vector<int> first;
    for (std::size_t below = 2 * above + 1; below <= 2 * above + 2; ++below)
      if (below < members.size()) first.push_back(members[below].front());
    return first;
  };
  tree_place result;
  if (place == 0) result.children = nodes_below(node);
  for (std::size_t below = 2 * place + 1; below <= 2 * place + 2; ++below)
    if (below < mates.size()) result.children.push_back(mates[below]);
  if (place != 0) {
    const std::size_t nodes_ahead = place <= 2 ? nodes_below(node).size() : 0;
    result.parent = mates[(place - 1) / 2];
    result.number_at_parent = static_cast<int>(nodes_ahead + (place - 1) % 2);
  } else if (node != 0) {
    result.parent = members[(node - 1) / 2].front();
    result.number_at_parent = static_cast<int>((node - 1) % 2);
  }
  return result;
}

}  // namespace atl::memory
