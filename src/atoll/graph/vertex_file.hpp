#pragma once
// Files with a row for each vertex: which PE has which vertices, how all PEs make the rows, and
// how one task writes the file.

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

// Which PE owns which vertices of a graph, and their names, whatever the width of ids in its rows.

/// One PE's copy, which is the same on all.
struct vertex_layout {
  partition shape;  ///< hubs are left out: they matter to rows alone
  vertex_names names;
  double read_seconds = 0, scan_seconds = 0, build_seconds = 0;  ///< that making the graph took

  std::uint64_t vertices_of(int pe) const { return shape.end(pe) - shape.begin(pe); }

  /// The largest number of vertices that a PE owns.
  std::uint64_t most_of_a_pe() const {
    std::uint64_t most = 0;
    for (int pe = 0; pe < pes(); ++pe) most = std::max(most, vertices_of(pe));
    return most;
  }
};

}  // namespace atl::graph

// A file about all vertices of a graph, made by all PEs and the same for any number of them.
namespace atl {

/// What all PEs together know of the vertices.
struct vertex_values {
  const partition& shape;
  std::span<const vertex_column> columns;
  /// The value of a vertex owned here: by its row, which is its place among those, and by the
  /// column.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Gives the bytes of the file to `take` on PE 0, in order; other PEs may pass none. The PEs make
/// the rows of one block of vertices each, and compress them, wherever the values and the names
/// are; so memory is bounded, and blocks do not depend on the number of PEs. Every PE calls it.
/// Throws what `take` throws, on PE 0.
task<> all_write_vertices(const vertex_values& values, const graph::name_part& names,
                          vertex_format format, const file_taker& take);

}  // namespace atl

// Files with a row for each vertex, as one task writes them.
namespace atl::graph {

/// What one PE tells of its vertices.
struct described_vertices {
  std::vector<vertex_column> columns;  ///< the same on every PE
  /// The value of a vertex owned here: by its row, and by the column.
  std::function<std::int64_t(std::uint64_t row, std::size_t column)> value;
};

/// Writes the file at `path`, which PE `from` alone needs to know; PE 0 writes it. Every PE calls
/// it. Returns, on every PE, the error (input, environment) where there is no file then.
task<std::optional<error>> all_write_vertex_file(const vertex_layout& layout, std::string path,
                                                 int from, const described_vertices& of_pe);

/// Writes a file of what `describe()`, called on every PE, tells of the vertices there. One task
/// calls it. Blocks the task. Throws `error`: input where `path` does not say a format or cannot be
/// written, environment where the disk is full.
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
