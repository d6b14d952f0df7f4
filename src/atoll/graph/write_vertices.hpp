#pragma once
// A file about all vertices of a graph, made by all PEs and the same for any number of them.

#include "atoll/graph/io/vertex_rows.hpp"
#include "atoll/graph/partition.hpp"

#include <functional>

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
