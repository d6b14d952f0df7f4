#include "kruskal.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bench::mst {
namespace {

// The radix sort moves whole edges in four passes. Fewer passes take longer, because each pass
// would write to more lines than the L1 cache has. Sorting pairs of weight and edge number takes
// longer, because each processed edge would then be a cache miss.
constexpr unsigned digits = 4, digit_bits = 8;
constexpr std::size_t values = std::size_t{1} << digit_bits;

// Distance of the prefetch, in edges.
constexpr std::size_t ahead = 16;

std::size_t digit(const weighted_edge& edge, unsigned number) {
  return edge.weight >> (number * digit_bits) & (values - 1);
}

using places = std::array<std::array<std::uint32_t, values>, digits>;

/// Returns the target index of the first edge for each value of each digit.
places first_places(const huge_array<weighted_edge>& edges) {
  places next{};
  for (const auto& edge : edges) {
    for (unsigned d = 0; d < digits; ++d) ++next[d][digit(edge, d)];
  }
  for (auto& of_digit : next) {
    std::uint32_t sum = 0;
    for (auto& place : of_digit) sum += std::exchange(place, sum);
  }
  return next;
}

}  // namespace

kruskal::kruskal(const huge_array<weighted_edge>& edges, std::uint64_t vertices)
    : input_(edges), sorted_(edges.size()), other_(edges.size()), above_(vertices) {
  sorted_.touch();
  other_.touch();
  above_.touch();
}

void kruskal::run() {
  sort();
  unite();
}

void kruskal::sort() {
  places next = first_places(input_);
  const weighted_edge* from = input_.data();
  for (unsigned d = 0; d < digits; ++d) {
    for (std::size_t i = 0; i < input_.size(); ++i) sorted_[next[d][digit(from[i], d)]++] = from[i];
    std::swap(sorted_, other_);
    from = other_.data();
  }
  std::swap(sorted_, other_);
}

vertex kruskal::root_of(vertex v) {
  while (above_[v] != v) v = above_[v] = above_[above_[v]];
  return v;
}

void kruskal::unite() {
  for (std::size_t v = 0; v < above_.size(); ++v) above_[v] = static_cast<vertex>(v);
  forest_edges_ = weight_ = looked_at_ = 0;
  while (looked_at_ < sorted_.size() && forest_edges_ + 1 < above_.size()) {
    const weighted_edge& soon = sorted_[std::min(looked_at_ + ahead, sorted_.size() - 1)];
    __builtin_prefetch(&above_[soon.from]);
    __builtin_prefetch(&above_[soon.to]);
    const weighted_edge& edge = sorted_[looked_at_++];
    const vertex a = root_of(edge.from), b = root_of(edge.to);
    if (a == b) continue;
    above_[std::max(a, b)] = std::min(a, b);
    weight_ += edge.weight;
    ++forest_edges_;
  }
}

}  // namespace bench::mst
