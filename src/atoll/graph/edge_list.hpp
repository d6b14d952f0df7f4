#pragma once
// The edges of a file, or of one part of it, as they stand in memory after reading.

#include "atoll/error.hpp"
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
  /// The most columns of a line with an edge, in formats whose lines may have more than two.
  std::uint64_t columns = 0;
  /// The column of weights, in these; 0: none was looked for.
  std::uint64_t weight_column = 0;
  /// Lines with another number of columns than the first one of the file with an edge,
  std::uint64_t uneven_lines = 0;
  /// and what is said of the first of this part.
  std::optional<error> first_uneven;
  /// Ends of edges that are no integers, where ends are names, and the first of this part.
  std::uint64_t words = 0;
  std::optional<error> first_word;
  /// Sentences for the reader about how the file was understood; complete once all parts were read.
  std::vector<std::string> remarks;
  /// Ids stand as they are in the file, which lists edges and no sizes.
  bool ids_as_written = false;
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

/// Columns that were not used, of the line of the list with the most of them.
inline std::uint64_t columns_left_out(const edge_list& list) {
  const bool weighted = list.weight_column != 0 && !list.weights_fault;
  const std::uint64_t used = weighted ? 3 : 2;
  return list.columns > used ? list.columns - used : 0;
}

}  // namespace atl
