#pragma once
// Vertices numbered without gaps: the ids that occur in edges, in their order, become 0, 1, 2 and
// so on. Each PE keeps a range of the ids, as names of the vertices they became (name_part.hpp).

#include "atoll/graph/name_part.hpp"
#include "atoll/graph/packed_edges.hpp"

#include <optional>
#include <vector>

namespace atl::graph {

/// Puts the numbers in place of the ids of all PEs' edges, and the ids into `part`. The numbers do
/// not depend on how many PEs there are. A PE holds its share of the ids and, at a time, six
/// numbers for each different id of its edges. Every PE calls it.
task<> all_compact_ids(packed_edges& edges, name_part& part);

/// The PE that keeps the id, if any does. Ids must have been compacted.
int pe_of_id(const name_part& part, std::uint64_t id);

/// On that PE: the vertex that the id became.
std::optional<std::uint64_t> compacted_vertex(const name_part& part, std::uint64_t id);

}  // namespace atl::graph
