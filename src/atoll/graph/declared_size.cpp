#include "atoll/graph/declared_size.hpp"

#include "atoll/error.hpp"

namespace atl {

void refuse_size(const declared_size& declared, std::uint64_t edges) {
  if (edges > declared.edges)
    fail(errc::input, "{}: it has more {} than {} says: {}", declared.graph, declared.unit,
         declared.says_who, declared.edges);
  fail(errc::input, "{}: it has {} {}, and {} says {}", declared.graph, edges, declared.unit,
       declared.says_who, declared.edges);
}

void check_size(const declared_size& declared, const found_size& found) {
  if (declared.has_rows && found.rows != declared.vertices)
    fail(errc::input, "{}: it has {} lines of vertices, and {} says {}", declared.graph, found.rows,
         declared.says_who, declared.vertices);
  if (declared.counts_edges) check_size(declared, found.edges);
}

}  // namespace atl
