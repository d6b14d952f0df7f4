#pragma once
// What some vertices are called, brought to a PE that wants to write of them.

#include "atoll/graph/name_part.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace atl::graph {

class vertex_labels {
 public:
  /// Of a graph without names.
  vertex_labels() = default;

  /// The names of these vertices, which are sorted.
  vertex_labels(std::vector<std::uint64_t> vertices, name_table names, bool are_ids = false)
      : vertices_(std::move(vertices)), names_(std::move(names)), are_ids_(are_ids) {}

  /// The name of the vertex, or "". Where there are names, it must be one of those asked for.
  std::string_view operator[](std::uint64_t vertex) const;

  /// The names are ids, which were compacted.
  bool are_ids() const { return are_ids_; }

  /// The id of the vertex in the input.
  std::uint64_t id_of(std::uint64_t vertex) const;

 private:
  std::vector<std::uint64_t> vertices_;
  name_table names_;
  bool are_ids_ = false;
};

/// Asks the other PEs for the names of `vertices`, in any order, each as often as it comes. Every
/// PE calls it, with vertices of its own.
task<vertex_labels> all_fetch_labels(const name_part& part, std::vector<std::uint64_t> vertices);

}  // namespace atl::graph
