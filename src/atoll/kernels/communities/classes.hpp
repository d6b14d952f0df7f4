#pragma once
// The order in which vertices move. In a graph that is divided over PEs, a hash of vertex, round
// and seed assigns each vertex to a class. The vertices of one class move together: all vertices of
// the class decide before any of them moves. Classes are the same for any number of PEs, and
// therefore the result is the same, too. If every PE has the whole graph, vertices move one by one,
// in the order of their hashes.

#include "atoll/kernels/communities/level.hpp"
#include "atoll/random.hpp"

#include <array>

namespace atl::kernels::communities {

/// Number of classes (sets of vertices that move together) in a graph that is divided over PEs.
inline constexpr std::uint64_t k_classes = 32;

inline std::uint64_t class_of(std::uint64_t vertex, std::uint64_t key) {
  return hash(vertex ^ key) % k_classes;
}

/// The rows of each class (set of vertices that move together), in ascending order.
class rows_by_class {
 public:
  /// Assigns the rows of `on` for which `wanted(vertex)` is true to their classes.
  template <class Id, class Wanted>
  task<> assign(const level<Id>& on, std::uint64_t key, Wanted wanted) {
    std::array<std::uint64_t, k_classes + 1> counts = {};
    const auto count = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row)
        if (wanted(on.vertex_of(row))) ++counts[class_of(on.vertex_of(row), key) + 1];
    };
    co_await graph::in_stretches(0, on.rows(), count);
    for (std::uint64_t k = 0; k < k_classes; ++k) counts[k + 1] += counts[k];
    begins_ = counts;
    rows_.resize(counts[k_classes]);
    const auto place = [&](std::uint64_t begin, std::uint64_t end) {
      for (auto row = begin; row < end; ++row)
        if (wanted(on.vertex_of(row))) rows_[counts[class_of(on.vertex_of(row), key)]++] = row;
    };
    co_await graph::in_stretches(0, on.rows(), place);
  }

  std::span<const std::uint64_t> operator[](std::uint64_t k) const {
    return {rows_.data() + begins_[k], begins_[k + 1] - begins_[k]};
  }

 private:
  std::array<std::uint64_t, k_classes + 1> begins_ = {};
  huge_vector<std::uint64_t> rows_;
};

/// Returns the vertices for which `wanted(vertex)` is true, in the order of their hashes. Every PE
/// must have the whole graph.
template <class Id, class Wanted>
std::vector<Id> vertices_by_hash(const level<Id>& on, std::uint64_t key, Wanted wanted) {
  std::vector<std::pair<std::uint64_t, Id>> hashed;
  for (std::uint64_t v = 0; v < on.vertices(); ++v)
    if (wanted(static_cast<Id>(v))) hashed.emplace_back(hash(v ^ key), static_cast<Id>(v));
  std::ranges::sort(hashed);
  std::vector<Id> ordered;
  for (const auto& [number, vertex] : hashed) ordered.push_back(vertex);
  return ordered;
}

/// A vertex and the community that it joins.
template <class Id>
struct move_of {
  Id vertex;
  Id to;
};

/// Calls `apply(move)` on every PE for the moves of all PEs. Every PE calls this function with its
/// own moves in `mine`. Returns the number of all moves.
template <class Id, class Apply>
task<std::uint64_t> all_apply(std::span<const move_of<Id>> mine, Apply apply) {
  std::uint64_t moves = 0;
  for (const auto& part : co_await all_gather(mine)) {
    for (const move_of<Id>& one : part) apply(one);
    moves += part.size();
    co_await yield();
  }
  co_return moves;
}

}  // namespace atl::kernels::communities
