#pragma once
// Files with a row for each vertex, as one task writes them.

#include "atoll/collectives.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/vertex_layout.hpp"
#include "atoll/graph/write_vertices.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

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
