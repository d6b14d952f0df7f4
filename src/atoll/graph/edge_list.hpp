#pragma once
// The edges of a file, or of one part of a file, in memory. This header also declares the sizes
// that a file states, and reserves memory for edges while the file is read.

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

// The size of a graph as its file declares it. The declaration may be wrong, so it is compared with
// the numbers that were found.

/// The size that a reader has found in a file, or in a part of a file. The sizes of all parts are
/// added up.
struct found_size {
  std::uint64_t edges = 0;
  /// Number of vertices whose neighbours are listed in a line of their own.
  std::uint64_t rows = 0;
  /// A checksum that is 0 if every edge is listed at both of its endpoints.
  std::uint64_t one_way = 0;

  friend found_size operator+(const found_size& a, const found_size& b) {
    return {a.edges + b.edges, a.rows + b.rows, a.one_way + b.one_way};
  }
};

struct declared_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  /// Text for messages: the name of the file, or of the line that declares the number.
  std::string graph;
  std::string says_who;       ///< text for messages: the place that declares the number
  const char* unit = "arcs";  ///< the name of edges in messages
  bool counts_edges = true;   ///< whether the number of edges is declared
  bool has_rows = false;      ///< whether the file has a line for each vertex
};

/// Throws an `error` (input) that says that the graph does not have the declared number of edges.
/// If `edges` is larger than the declared number, the graph may have even more edges than `edges`.
[[noreturn]] void refuse_size(const declared_size& declared, std::uint64_t edges);

/// Throws the error of `refuse_size` if `edges` is not the declared number.
inline void check_size(const declared_size& declared, std::uint64_t edges) {
  if (edges != declared.edges) refuse_size(declared, edges);
}

/// Throws an error like `refuse_size` if the sum over all parts differs from the declared size. The
/// member `one_way` is ignored.
void check_size(const declared_size& declared, const found_size& found);

struct edge_list {
  /// The edges, as numbers of vertices. If the file uses names, an endpoint is an index into
  /// `names`.
  std::vector<edge> edges;
  /// The weight of each edge. The vector is empty if the format has no weights. If
  /// `weights_are_real` is true, the elements are the bits of doubles.
  std::vector<std::int64_t> weights;
  /// Whether the file has weights that were not stored, because the caller needs none
  /// (`without_weights`).
  bool leaves_out_weights = false;
  /// Whether weights are stored as doubles. Doubles are stored if the options allow real weights
  /// (`real_weights`) and some weight of this part is not an integer. If weights are doubles,
  /// `weights_fault` describes the first weight that is not an integer.
  bool weights_are_real = false;
  /// An error for the first negative weight of this part. Only a reader of real weights looks for
  /// negative weights.
  std::optional<error> negative_weight;
  /// The different names of this part, in the order in which they first occur. In another part, the
  /// same name may have another index.
  std::vector<std::string> names;
  /// Whether endpoints of edges are names. If any endpoint in a .tsv file is not an integer, all
  /// endpoints are names.
  bool uses_names = false;
  /// Number of lines of this part, with comments and blank lines.
  std::uint64_t lines = 0;
  /// An error for the first integer that is too large for a vertex, in this part of a .tsv file.
  /// The error is dropped if another part shows that all endpoints are names. See `agree_on_names`.
  std::optional<error> deferred;
  /// An error for the first weight of this part that is not an integer. If weights are not stored
  /// as doubles, one weight that is not an integer causes all weights of the file to be removed
  /// from `weights`.
  std::optional<error> weights_fault;
  /// The largest number of columns in a line with an edge, in formats that allow more than two
  /// columns.
  std::uint64_t columns = 0;
  /// The number of the column with the weights, in formats that allow more than two columns. The
  /// number is 0 if the reader did not look for weights.
  std::uint64_t weight_column = 0;
  /// Number of lines with an edge that do not have as many columns as the first such line of the
  /// file.
  std::uint64_t uneven_lines = 0;
  /// An error for the first line of this part that `uneven_lines` counts.
  std::optional<error> first_uneven;
  /// If endpoints are names: the number of endpoints that are not integers (`words`), and an error
  /// for the first of them in this part (`first_word`).
  std::uint64_t words = 0;
  std::optional<error> first_word;
  /// Sentences for the user about how the file was understood. The list is complete after all parts
  /// were read.
  std::vector<std::string> remarks;
  /// Whether ids are taken unchanged from a file that lists edges and declares no sizes.
  bool ids_as_written = false;
  /// Whether edges have no direction, so that each edge stands for both directions.
  bool undirected = false;
  /// The size that the file declares. The member is empty if the file declares no size.
  std::optional<declared_size> declared;
  /// The number of rows that were found, and the checksum for edges that are listed at both
  /// endpoints. The member `edges` of `found` is not used.
  found_size found;
  /// The time in seconds to find the first edge of this part, if the place of the edge was not
  /// known beforehand.
  double scan_seconds = 0;
  /// Number of edges that the caller has taken away while the part was read. The edges that were
  /// taken away come before the elements of `edges` in the file.
  std::uint64_t handed_over = 0;
  /// The part of the file from which this list was read.
  file_part origin;

  /// Returns whether the weights of this part were dropped.
  bool has_lost_weights() const { return weights_fault && !weights_are_real; }

  /// Returns the number of edges of this part that were read so far.
  std::uint64_t count() const { return handed_over + edges.size(); }

  /// Returns the numbers that this part adds to the size of the file.
  found_size size() const { return {count(), found.rows, found.one_way}; }
};

/// Returns the largest number of unused columns in a line of this part.
inline std::uint64_t columns_left_out(const edge_list& list) {
  const bool weighted = list.weight_column != 0 && !list.has_lost_weights();
  const std::uint64_t used = weighted ? 3 : 2;
  return list.columns > used ? list.columns - used : 0;
}

}  // namespace atl

// Memory is reserved for the data that is still to be read. The amount is estimated from the data
// that were read so far.
namespace atl::graph {

/// Requests huge pages for the part of the block that fills whole huge pages. With small pages, the
/// page faults would take as long as reading the data.
inline void ask_for_huge_pages(void* block, std::size_t bytes) {
  void* begin = block;
  if (std::align(k_huge_page, k_huge_page, begin, bytes) == nullptr) return;
  ::madvise(begin, bytes / k_huge_page * k_huge_page, MADV_HUGEPAGE);
}

/// Reserves memory for the elements that are still to be read. `done` is the share of the data that
/// was read. The reader calls this function after each block. If the estimate is good, elements are
/// never moved, and reading needs no memory for a second copy.
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
    // There is no memory for the estimated number of elements, so the vector grows as elements are
    // added.
  }
}

/// Reserves memory for the edges and weights that are still to be read. If the list is read by
/// blocks, no memory is reserved.
inline void make_room_for_rest(edge_list& list, double done) {
  if (list.origin.options.by_blocks) return;
  make_room_for_rest(list.edges, done);
  if (!list.weights.empty()) make_room_for_rest(list.weights, done);
}

}  // namespace atl::graph

namespace atl {

/// Returns the smallest id in the edges. If there are no edges, returns 2^64 - 1.
std::uint64_t least_vertex_of(std::span<const edge> edges);

}  // namespace atl
