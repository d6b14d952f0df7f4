#include "atoll/pe.hpp"

#include "atoll/error.hpp"

#include <algorithm>

namespace atl {
namespace {

/// Returns the endpoint of this PE. If the job has no PE `pe`, throws `error` (input) with a text
/// that names the function `call`.
const transport::endpoint& endpoint_for(const char* call, int pe, site where) {
  const auto& self = pe_of_job(call, where);
  if (pe < 0 || pe >= self.size)
    fail(errc::input, "{}: {}({}): the job has PEs 0 to {}", to_string(where), call, pe,
         self.size - 1);
  return *self.transport;
}

int node_in(std::span<const int> nodes, int pe) {
  return nodes.empty() ? 0 : nodes[static_cast<std::size_t>(pe)];
}

}  // namespace

int nodes(site where) {
  const auto of_pes = pe_of_job("nodes", where).transport->nodes();
  return of_pes.empty() ? 1 : 1 + *std::ranges::max_element(of_pes);
}

int node_of(int pe, site where) { return node_in(endpoint_for("node_of", pe, where).nodes(), pe); }

std::vector<int> pes_of_node(int node, site where) {
  const auto& self = pe_of_job("pes_of_node", where);
  std::vector<int> found;
  for (int pe = 0; pe < self.size; ++pe)
    if (node_in(self.transport->nodes(), pe) == node) found.push_back(pe);
  return found;
}

bool shares_memory_with(int pe, site where) {
  const auto& wire = endpoint_for("shares_memory_with", pe, where);
  return node_in(wire.nodes(), pe) == node_in(wire.nodes(), wire.rank());
}

}  // namespace atl
