#pragma once
// The names of a graph's vertices, spread over all PEs, and those of some vertices brought to
// one PE.

#include "atoll/collectives.hpp"
#include "atoll/graph/name_part.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

// What some vertices are called, brought to a PE that wants to write of them.

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

// The names of a graph's vertices, spread over all PEs.
namespace atl {

/// A small trivially copyable handle, like that of a global array.
class vertex_names {
 public:
  /// No names yet; `all_load_edges` brings them. One task calls it.
  static task<vertex_names> make();

  /// One task, once.
  task<> destroy() const;

  /// Whether vertices have names. Any PE; does not communicate.
  bool any() const { return !parts_.local().boundaries.empty(); }

  /// Whether the names are the ids of the input, which were compacted. Likewise.
  bool are_ids() const { return !parts_.local().first_ids.empty(); }

  /// The vertex of this name, the first one where several have it. Any task; waits for other PEs.
  task<std::optional<std::uint64_t>> find(std::string name) const;

  /// The name of the vertex, or "". Any task; waits for another PE.
  task<std::string> name_of(std::uint64_t vertex) const;

  /// The name that is most like `wrong`, or "" where none is near. Any task; looks at all names.
  task<std::string> nearest(std::string wrong) const;

  graph::name_part& local() const { return parts_.local(); }

 private:
  per_pe<graph::name_part> parts_;
};

}  // namespace atl
