#pragma once
// The edges of a file, or of one part of it, as they stand in memory after reading. The sizes that
// the file declares are here too, and the memory for edges while the rest is read.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/error.hpp"
#include "atoll/graph/edge.hpp"
#include "atoll/graph/io/file_format.hpp"
#include "atoll/graph_files.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace atl {

// The size of a graph as a file says it, which need not be right.

/// What was found of a file, or of a part of it: parts add up.
struct found_size {
  std::uint64_t edges = 0;
  std::uint64_t rows = 0;     ///< vertices whose neighbours stand in a line each
  std::uint64_t one_way = 0;  ///< 0 if every edge that stands at both ends does so: a checksum

  friend found_size operator+(const found_size& a, const found_size& b) {
    return {a.edges + b.edges, a.rows + b.rows, a.one_way + b.one_way};
  }
};

struct declared_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::string graph;          ///< what has the edges: the file, or the line that tells how many
  std::string says_who;       ///< who says how many
  const char* unit = "arcs";  ///< what the file calls edges
  bool counts_edges = true;   ///< the number of edges is given
  bool has_rows = false;      ///< each vertex has a line of its own
};

/// Throws an `error` (input): the graph has another number of edges. All that is known of a number
/// above the declared one is that it is more.
[[noreturn]] void refuse_size(const declared_size& declared, std::uint64_t edges);

/// Throws likewise unless the graph has so many edges.
inline void check_size(const declared_size& declared, std::uint64_t edges) {
  if (edges != declared.edges) refuse_size(declared, edges);
}

/// Throws likewise unless all parts together are what was declared. `one_way` is not looked at.
void check_size(const declared_size& declared, const found_size& found);

struct edge_list {
  /// Vertex numbers; positions in `names` where the file uses names.
  std::vector<edge> edges;
  /// One an edge if the format has weights, else empty. The bits of doubles if they are real.
  std::vector<std::int64_t> weights;
  /// A weight of this part is no integer, and weights are kept as doubles (`real_weights` of the
  /// options). `weights_fault` then tells which one it is.
  bool weights_are_real = false;
  /// The first weight below 0 of this part, if real weights are read.
  std::optional<error> negative_weight;
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
  /// this part has none then, unless they are real.
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

  /// Returns whether the weights of this part are given up.
  bool has_lost_weights() const { return weights_fault && !weights_are_real; }

  /// Edges of this part so far.
  std::uint64_t count() const { return handed_over + edges.size(); }

  /// What this part adds to the size of the file.
  found_size size() const { return {count(), found.rows, found.one_way}; }
};

/// Columns that were not used, of the line of the list with the most of them.
inline std::uint64_t columns_left_out(const edge_list& list) {
  const bool weighted = list.weight_column != 0 && !list.has_lost_weights();
  const std::uint64_t used = weighted ? 3 : 2;
  return list.columns > used ? list.columns - used : 0;
}

}  // namespace atl

// Memory for the data that are still to be read, estimated from the data read so far.
namespace atl::graph {

/// Requests huge pages for the part of the block that fills whole ones. The first touch of small
/// pages would take as long as reading the data for them.
inline void ask_for_huge_pages(void* block, std::size_t bytes) {
  void* begin = block;
  if (std::align(k_huge_page, k_huge_page, begin, bytes) == nullptr) return;
  ::madvise(begin, bytes / k_huge_page * k_huge_page, MADV_HUGEPAGE);
}

/// Reserves memory for the elements that are still to be read; `done` is the share that was read.
/// Call it after each block. With a good guess elements are never moved, so reading needs the
/// memory of its result and not twice as much.
template <class Element>
void make_room_for_rest(std::vector<Element>& elements, double done) {
  if (done <= 0 || done >= 1) return;
  const auto size = static_cast<double>(elements.size());
  const auto rest = size / done - size;
  if (rest <= static_cast<double>(elements.capacity() - elements.size())) return;
  try {
    elements.reserve(static_cast<std::size_t>(size + std::max(1.1 * rest, 0.25 * size)));
    ask_for_huge_pages(elements.data(), elements.capacity() * sizeof(Element));
  } catch (const std::bad_alloc&) {
    // The guess was too high; the elements make do with what they need.
  }
}

/// Reserves memory for the edges and weights that are still to be read, unless the list is read by
/// blocks.
inline void make_room_for_rest(edge_list& list, double done) {
  if (list.origin.options.by_blocks) return;
  make_room_for_rest(list.edges, done);
  if (!list.weights.empty()) make_room_for_rest(list.weights, done);
}

}  // namespace atl::graph

namespace atl {

/// The smallest id; 2^64 - 1 without edges.
std::uint64_t least_vertex_of(std::span<const edge> edges);

}  // namespace atl
