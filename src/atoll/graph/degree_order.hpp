#pragma once

#include "atoll/graph/build.hpp"

#include <bit>

namespace atl::graph {

/// The size of a vertex's neighbourhood as its number of binary digits: one byte a vertex of the
/// whole graph is what every PE needs of the others.
template <class Id>
std::vector<std::uint8_t> degree_classes(const graph_part<Id>& part) {
  std::vector<std::uint8_t> classes(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const bool is_hub = part.shape.hub_number(part.vertex_of_row(r)).has_value();
    const std::uint64_t arcs = part.offsets[r + 1] - part.offsets[r];
    classes[r] = is_hub ? 64 : static_cast<std::uint8_t>(std::bit_width(arcs));
  }
  return classes;
}

template <class Id>
task<> all_order_by_degree(graph_part<Id>& part) {
  const std::vector<std::uint8_t> mine = degree_classes(part);
  std::vector<std::uint8_t> all;
  all.reserve(part.shape.vertices);
  for (const auto& of_pe : co_await all_gather(std::span<const std::uint8_t>(mine))) {
    all.insert(all.end(), of_pe.begin(), of_pe.end());
  }
  const auto before = [&all](Id a, Id b) { return all[a] != all[b] ? all[a] > all[b] : a < b; };
  const auto order = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t r = begin; r < end; ++r) {
      std::sort(part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[r]),
                part.targets.begin() + static_cast<std::ptrdiff_t>(part.offsets[r + 1]), before);
    }
  };
  co_await in_stretches(0, part.rows(), order, k_sorted_rows);
  part.first_targets.resize(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const auto itself = static_cast<Id>(part.vertex_of_row(r));
    part.first_targets[r] = part.row(r).empty() ? itself : part.row(r).front();
  }
}

}  // namespace atl::graph
