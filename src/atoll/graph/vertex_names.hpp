#pragma once
// The names of the vertices of a graph, distributed over all PEs, and copies of some names on one
// PE.

#include "atoll/collectives.hpp"
#include "atoll/graph/name_part.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace atl::graph {

// The names of some vertices, copied to a PE that writes about these vertices.

class vertex_labels {
 public:
  /// Makes labels for a graph without names.
  vertex_labels() = default;

  /// Makes labels from the names of `vertices`, which must be sorted.
  vertex_labels(std::vector<std::uint64_t> vertices, name_table names, bool are_ids = false)
      : vertices_(std::move(vertices)), names_(std::move(names)), are_ids_(are_ids) {}

  /// Returns the name of the vertex, or an empty text if the vertex has no name. If vertices have
  /// names, the caller must have fetched the name of the vertex before.
  std::string_view operator[](std::uint64_t vertex) const;

  /// Returns true if the names are the ids of the input, because ids were compacted.
  bool are_ids() const { return are_ids_; }

  /// Returns the id that the vertex had in the input.
  std::uint64_t id_of(std::uint64_t vertex) const;

 private:
  std::vector<std::uint64_t> vertices_;
  name_table names_;
  bool are_ids_ = false;
};

/// Fetches the names of `vertices` from the PEs that store them. The vertices may be in any order
/// and may repeat. Every PE calls this function, with its own vertices.
task<vertex_labels> all_fetch_labels(const name_part& part, std::vector<std::uint64_t> vertices);

}  // namespace atl::graph

// This part declares the names of the vertices of a graph, distributed over all PEs.
namespace atl {

/// A small trivially copyable handle, like the handle of a global array.
class vertex_names {
 public:
  /// Makes a handle without names. `all_load_edges` adds the names. One task calls this function.
  static task<vertex_names> make();

  /// Frees the names. One task calls this function, once.
  task<> destroy() const;

  /// Returns true if vertices have names. Any PE may call this function, which does not
  /// communicate.
  bool any() const { return !parts_.local().boundaries.empty(); }

  /// Returns true if the names are the ids of the input, because ids were compacted. Any PE may
  /// call this function, which does not communicate.
  bool are_ids() const { return !parts_.local().first_ids.empty(); }

  /// Returns the vertex that has this name. If several vertices have the name, returns the smallest
  /// of them. Any task may call this function, which waits for other PEs.
  task<std::optional<std::uint64_t>> find(std::string name) const;

  /// Returns the name of the vertex, or an empty text if the vertex has no name. Any task may call
  /// this function, which waits for another PE.
  task<std::string> name_of(std::uint64_t vertex) const;

  /// Returns the name that is most similar to `wrong`, or an empty text if no name is similar. Any
  /// task may call this function, which compares all names on all PEs.
  task<std::string> nearest(std::string wrong) const;

  graph::name_part& local() const { return parts_.local(); }

 private:
  per_pe<graph::name_part> parts_;
};

}  // namespace atl
