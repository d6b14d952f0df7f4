#pragma once
// The vertices with the largest values of a result.

#include "atoll/collectives.hpp"
#include "atoll/vertex_array.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl::kernels {

/// A vertex and its value.
struct valued_vertex {
  vertex_id vertex = no_vertex;
  double value = 0;

  /// Places larger values before smaller values. Among vertices of equal value, smaller vertices
  /// come first.
  friend bool operator<(const valued_vertex& a, const valued_vertex& b) {
    return a.value != b.value ? a.value > b.value : a.vertex < b.vertex;
  }
};

/// Sorts the vertices, and keeps the first `most` of them.
inline void keep_first(std::vector<valued_vertex>& all, std::size_t most) {
  const std::size_t count = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
  all.resize(count);
}

/// Returns the `most` vertices with the largest values, in descending order of the values. One task
/// calls this function and waits.
inline task<std::vector<valued_vertex>> top_vertices(vertex_array<double> values, std::size_t most,
                                                     site where) {
  const auto find = [values, most]() -> task<std::vector<valued_vertex>> {
    std::vector<valued_vertex> mine;
    values.for_each_local([&](vertex_id vertex, double value) {
      mine.push_back({vertex, value});
      if (mine.size() > 2 * most + 1024) keep_first(mine, most);
    });
    keep_first(mine, most);
    std::vector<valued_vertex> all;
    for (const auto& of_pe : co_await all_gather(std::span<const valued_vertex>(mine)))
      all.insert(all.end(), of_pe.begin(), of_pe.end());
    keep_first(all, most);
    co_return all;
  };
  co_return co_await from_all_pes(find, where);
}

}  // namespace atl::kernels
