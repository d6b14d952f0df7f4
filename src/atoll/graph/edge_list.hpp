#pragma once
// The edges of a file, or of one part of it, as they stand in memory after reading.

#include "atoll/base/error.hpp"
#include "atoll/graph/declared_size.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/file_part.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

struct edge_list {
  /// Vertex numbers; positions in `names` where the file uses names.
  std::vector<edge> edges;
  /// One an edge if the format has weights, else empty.
  std::vector<std::int64_t> weights;
  /// The different names of this part in the order in which they first appear. Other parts count
  /// on their own: the same name may have another position there.
  std::vector<std::string> names;
  /// If any end in a .tsv file is not an integer, then all ends are names.
  bool uses_names = false;
  /// Lines of this part, comments and blank lines included.
  std::uint64_t lines = 0;
  /// The first integer of this part of a .tsv file that no vertex can have: an error, unless
  /// another part shows that all ends are names. See `agree_on_names`.
  std::optional<error> deferred;
  /// The first weight of this part that is no integer. Weights of a file are all kept or none:
  /// this part has none then.
  std::optional<error> weights_fault;
  /// Edges have no direction: each stands for both.
  bool undirected = false;
  /// What the file says of its size, if it does.
  std::optional<declared_size> declared;
  /// Lines of vertices, and the checksum of edges that stand at both ends. Of edges, `edges` tells.
  found_size found;
  /// What it took to find the first edge of this part, where that is not known beforehand.
  double scan_seconds = 0;
  /// Edges that were taken away while the part was read: they came before those in `edges`.
  std::uint64_t handed_over = 0;
  /// Where this was read from.
  file_part origin;

  /// Edges of this part so far.
  std::uint64_t count() const { return handed_over + edges.size(); }

  /// What this part adds to the size of the file.
  found_size size() const { return {count(), found.rows, found.one_way}; }
};

}  // namespace atl
