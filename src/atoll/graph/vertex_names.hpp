#pragma once
// The names of a graph's vertices, spread over all PEs.

#include "atoll/collectives.hpp"
#include "atoll/graph/name_part.hpp"

#include <cstdint>
#include <optional>
#include <string>

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
