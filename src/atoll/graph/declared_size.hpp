#pragma once
// The size of a graph as a file says it, which need not be right.

#include <cstdint>
#include <string>

namespace atl {

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

}  // namespace atl
