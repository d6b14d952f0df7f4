#pragma once
// The size of a graph as a file says it, which need not be right.

#include <cstdint>
#include <string>

namespace atl {

struct declared_size {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::string graph;     ///< the file that has the edges
  std::string says_who;  ///< the file that says how many
};

/// Throws an `error` (input): the graph has another number of edges. All that is known of a number
/// above the declared one is that it is more.
[[noreturn]] void refuse_size(const declared_size& declared, std::uint64_t edges);

/// Throws likewise unless the graph has so many edges.
inline void check_size(const declared_size& declared, std::uint64_t edges) {
  if (edges != declared.edges) refuse_size(declared, edges);
}

}  // namespace atl
