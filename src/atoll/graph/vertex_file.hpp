#pragma once
// Files with a row for each vertex: the owners of vertices, the rows that all PEs make, and the
// file that one task writes.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/io/vertex_rows.hpp"
#include "atoll/graph/partition.hpp"
#include "atoll/graph/vertex_names.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace atl::graph {

// The owners and names of the vertices of a graph, independent of the width of its ids.

/// A PE's copy, which is the same on all PEs.
struct vertex_layout {
  partition shape;  ///< hubs are left out: they matter to rows alone
  vertex_names names;
  double read_seconds = 0, scan_seconds = 0, build_seconds = 0;  ///< that making the graph took

  std::uint64_t vertices_of(int pe) const { return shape.end(pe) - shape.begin(pe); }

  /// Returns the largest number of vertices that a PE owns.
  std::uint64_t most_of_a_pe() const {
    std::uint64_t most = 0;
    for (int pe = 0; pe < pes(); ++pe) most = std::max(most, vertices_of(pe));
    return most;
  }
};

}  // namespace atl::graph

// A file about all vertices of a graph. All PEs make it, and it is the same for any number of PEs.
namespace atl {

/// The values of all vertices, on all PEs together.
struct vertex_values {
  const partition& shape;
  std::span<const vertex_column> columns;
  /// Returns the value of an owned vertex, by its row and by the column.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Passes the bytes of the file to `take` on PE 0, in order; other PEs may pass none. Each PE makes
/// and compresses the rows of one block of vertices at a time, wherever the values and names are.
/// Memory is therefore bounded, and blocks do not depend on the number of PEs. Every PE calls it.
/// Throws what `take` throws, on PE 0.
task<> all_write_vertices(const vertex_values& values, const graph::name_part& names,
                          vertex_format format, const file_taker& take);

}  // namespace atl

// Files with a row for each vertex, written by one task.
namespace atl::graph {

/// The values of one PE's vertices.
struct described_vertices {
  std::vector<vertex_column> columns;  ///< the same on every PE
  /// Returns the value of an owned vertex, by its row and by the column.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Writes the file at `path`, which only PE `from` needs to know; PE 0 writes it. Every PE calls
/// it. Returns, on every PE, the error (input, environment) if the file could not be written.
task<std::optional<error>> all_write_vertex_file(const vertex_layout& layout, std::string path,
                                                 int from, const described_vertices& of_pe);

/// Writes a file of the values that `describe()` returns on every PE. One task calls it, and waits.
/// Throws `error`: input if `path` has no known format or cannot be written, environment if the
/// disk is full.
template <class Describe>
task<> write_vertex_file(per_pe<vertex_layout> layout, std::string path, Describe describe) {
  const auto write = [layout, describe, path = tasks::own_pointer(&path),
                      here = my_pe()]() -> task<std::optional<error>> {
    std::string own;
    if (my_pe() == here) own = *path.get();
    const described_vertices mine = describe();
    co_return co_await all_write_vertex_file(layout.local(), std::move(own), here, mine);
  };
  const std::optional<error> failure = co_await from_all_pes(write);
  if (failure) throw error(*failure);
}

}  // namespace atl::graph
