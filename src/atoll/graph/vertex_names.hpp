#pragma once
// The names of a graph's vertices, which are spread over all PEs, and labels of some vertices on
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

// The names of some vertices, fetched to a PE that writes about them.

class vertex_labels {
 public:
  /// Makes the labels of a graph without names.
  vertex_labels() = default;

  /// Makes labels from the names of `vertices`, which are sorted.
  vertex_labels(std::vector<std::uint64_t> vertices, name_table names, bool are_ids = false)
      : vertices_(std::move(vertices)), names_(std::move(names)), are_ids_(are_ids) {}

  /// Returns the name of the vertex, or "". If there are names, the vertex must be one of those
  /// fetched.
  std::string_view operator[](std::uint64_t vertex) const;

  /// Returns true if the names are ids, which were compacted.
  bool are_ids() const { return are_ids_; }

  /// Returns the id of the vertex in the input.
  std::uint64_t id_of(std::uint64_t vertex) const;

 private:
  std::vector<std::uint64_t> vertices_;
  name_table names_;
  bool are_ids_ = false;
};

/// Fetches the names of `vertices`, in any order and with any repetition, from the other PEs. Every
/// PE calls it, with its own vertices.
task<vertex_labels> all_fetch_labels(const name_part& part, std::vector<std::uint64_t> vertices);

}  // namespace atl::graph

// The names of a graph's vertices, spread over all PEs.
namespace atl {

/// A small trivially copyable handle, like that of a global array.
class vertex_names {
 public:
  /// Makes a handle without names, which `all_load_edges` adds. One task calls it.
  static task<vertex_names> make();

  /// Frees the names. One task calls it once.
  task<> destroy() const;

  /// Returns true if vertices have names. Any PE may call it; it does not communicate.
  bool any() const { return !parts_.local().boundaries.empty(); }

  /// Returns true if the names are the ids of the input, which were compacted. Any PE may call it;
  /// it does not communicate.
  bool are_ids() const { return !parts_.local().first_ids.empty(); }

  /// Returns the vertex of this name, the first one if several have it. Any task may call it; it
  /// waits for other PEs.
  task<std::optional<std::uint64_t>> find(std::string name) const;

  /// Returns the name of the vertex, or "". Any task may call it; it waits for another PE.
  task<std::string> name_of(std::uint64_t vertex) const;

  /// Returns the name most similar to `wrong`, or "" if none is near. Any task may call it; it
  /// compares all names.
  task<std::string> nearest(std::string wrong) const;

  graph::name_part& local() const { return parts_.local(); }

 private:
  per_pe<graph::name_part> parts_;
};

}  // namespace atl
