#include "atoll/graph/declared_size.hpp"

#include "atoll/base/error.hpp"

namespace atl {

void refuse_size(const declared_size& declared, std::uint64_t edges) {
  if (edges > declared.edges)
    fail(errc::input, "{}: it has more arcs than {} says: {}", declared.graph, declared.says_who,
         declared.edges);
  fail(errc::input, "{}: it has {} arcs, and {} says {}", declared.graph, edges, declared.says_who,
       declared.edges);
}

}  // namespace atl
