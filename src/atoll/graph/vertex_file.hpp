#pragma once
// Files with a row for each vertex. This header declares the owners of vertices, the making of rows
// on all PEs, and the writing of the file by one task.

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

// The owners and names of the vertices of a graph. Graphs with 32-bit ids and graphs with 64-bit
// ids have layouts of the same type.

/// One PE's copy of the layout of a graph. All PEs have equal copies.
struct vertex_layout {
  partition shape;  ///< the partition without its hubs, which matter only for rows of the graph
  vertex_names names;
  /// Times in seconds for making the graph.
  double read_seconds = 0, scan_seconds = 0, build_seconds = 0;

  std::uint64_t vertices_of(int pe) const { return shape.end(pe) - shape.begin(pe); }

  /// Returns the largest number of vertices that one PE owns.
  std::uint64_t most_of_a_pe() const {
    std::uint64_t most = 0;
    for (int pe = 0; pe < pes(); ++pe) most = std::max(most, vertices_of(pe));
    return most;
  }
};

}  // namespace atl::graph

// A file about all vertices of a graph. All PEs make the file together. The content of the file
// does not depend on the number of PEs.
namespace atl {

/// The values that a file contains. Each PE has the values of the vertices that it owns.
struct vertex_values {
  const partition& shape;
  std::span<const vertex_column> columns;
  /// Returns the value of an owned vertex in a column. `row` is the index of the vertex among the
  /// vertices that this PE owns.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Passes the bytes of the file to `take` on PE 0, in order. In one step, each of several PEs makes
/// and compresses the rows of only one block of vertices, which bounds the memory. The blocks do
/// not depend on the number of PEs. Every PE calls this function. PE 0 rethrows exceptions of
/// `take`.
task<> all_write_vertices(const vertex_values& values, const graph::name_part& names,
                          vertex_format format, const file_taker& take);

}  // namespace atl

// Files with a row for each vertex, written by one task.
namespace atl::graph {

/// The values of the vertices that one PE owns.
struct described_vertices {
  std::vector<vertex_column> columns;  ///< columns of the file; the same on every PE
  /// Returns the value of an owned vertex in a column. `row` is the index of the vertex among the
  /// vertices that this PE owns.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Writes the file at `path`. Only PE `from` needs the path, and PE 0 writes the file. Every PE
/// calls this function. If the file could not be written, returns the error (input or environment)
/// on every PE.
task<std::optional<error>> all_write_vertex_file(const vertex_layout& layout, std::string path,
                                                 int from, const described_vertices& of_pe);

/// Writes a file of values. `describe()` is called on every PE and returns the values of that PE.
/// One task calls this function and waits. Throws `error` (input) if `path` tells no known format
/// or cannot be written. Throws `error` (environment) if the disk is full.
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
