#pragma once
// The order of targets by the degrees of whom they are. What a PE has to know of the vertices of
// others comes in windows of them (window.hpp).

#include "atoll/graph/build.hpp"

#include <bit>

namespace atl::graph {

inline constexpr std::uint8_t k_class_of_hub = 64;

/// The size of a vertex's neighbourhood as its number of binary digits.
template <class Id>
std::vector<std::uint8_t> degree_classes(const graph_part<Id>& part) {
  std::vector<std::uint8_t> classes(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const bool is_hub = part.shape.hub_number(part.vertex_of_row(r)).has_value();
    const std::uint64_t arcs = part.offsets[r + 1] - part.offsets[r];
    classes[r] = is_hub ? k_class_of_hub : static_cast<std::uint8_t>(std::bit_width(arcs));
  }
  return classes;
}

/// The class of the target of each arc; rows are by target. Every PE calls it.
template <class Id>
task<huge_vector<std::uint8_t>> all_classes_of_targets(const graph_part<Id>& part,
                                                       std::uint64_t at_a_time) {
  const std::vector<std::uint8_t> mine = degree_classes(part);
  huge_vector<std::uint8_t> classes;
  co_await grow(classes, part.arcs());
  for (std::uint64_t begin = 0; begin < part.shape.vertices; begin += at_a_time) {
    const auto window = co_await all_gather_window(part, mine, begin, at_a_time);
    const auto look_up = [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t r = first; r < last; ++r) {
        const auto row = part.row(r);
        auto at = std::lower_bound(row.begin(), row.end(), begin);
        for (; at != row.end() && *at - begin < window.size(); ++at)
          classes[static_cast<std::uint64_t>(&*at - part.targets.data())] = window[*at - begin];
      }
    };
    co_await in_stretches(0, part.rows(), look_up, k_sorted_rows);
  }
  co_return classes;
}

/// Those of most arcs first, of equal classes ascending. `keys` is room for a row.
template <class Id>
void order_row(graph_part<Id>& part, std::uint64_t r, const huge_vector<std::uint8_t>& classes,
               std::vector<std::uint64_t>& keys) {
  constexpr unsigned bits_of_vertex = std::bit_width(largest_vertex);
  keys.clear();
  for (std::uint64_t i = part.offsets[r]; i < part.offsets[r + 1]; ++i) {
    const std::uint64_t below = k_class_of_hub - classes[i];
    keys.push_back(below << bits_of_vertex | part.targets[i]);
  }
  std::ranges::sort(keys);
  std::uint64_t i = part.offsets[r];
  for (const std::uint64_t key : keys) part.targets[i++] = static_cast<Id>(key & largest_vertex);
}

template <class Id>
task<> all_order_by_degree(graph_part<Id>& part, std::uint64_t at_a_time) {
  const auto classes = co_await all_classes_of_targets(part, at_a_time);
  std::vector<std::uint64_t> keys;
  const auto order = [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t r = begin; r < end; ++r) order_row(part, r, classes, keys);
  };
  co_await in_stretches(0, part.rows(), order, k_sorted_rows);
  part.first_targets.resize(part.vertices);
  for (std::uint64_t r = 0; r < part.vertices; ++r) {
    const auto itself = static_cast<Id>(part.vertex_of_row(r));
    part.first_targets[r] = part.row(r).empty() ? itself : part.row(r).front();
  }
}

}  // namespace atl::graph
