#include "atoll/message/route_table.hpp"

#include "atoll/message/outgoing.hpp"

#include <algorithm>

namespace atl::message {
namespace {

constexpr std::size_t k_largest_parcel = 4096;
constexpr std::size_t k_smallest_parcel = 48;

// Not smaller than the least, even where the buffer has no room for so many: each has headers.
std::size_t parcel_bytes_for(std::size_t capacity, int destinations) {
  const std::size_t share = capacity / static_cast<std::size_t>(std::max(1, destinations));
  return std::clamp(share / k_unit * k_unit, k_smallest_parcel, k_largest_parcel);
}

}  // namespace

route_table::route_table(int self, int pes, std::span<const int> known, std::uint64_t node_size,
                         std::size_t buffer_capacity)
    : self_(self),
      buffer_capacity_(buffer_capacity),
      own_nodes_(known.empty() ? nodes_of_size(pes, node_size) : std::vector<int>()),
      nodes_(known.empty() ? own_nodes_ : known),
      layout_(nodes_),
      how_(self, layout_, routing::direct) {}

void route_table::choose(routing how) {
  how_ = routes(self_, layout_, chosen_routing(how, layout_));
  destinations_.clear();
  if (layout_.nodes() == 1) return;  // no parcels
  for (int pe = 0; pe < layout_.pes(); ++pe) ++destinations_[hop(pe)];
}

std::size_t route_table::parcel_bytes(int hop) const {
  const auto found = destinations_.find(hop);
  return parcel_bytes_for(buffer_capacity_, found == destinations_.end() ? 1 : found->second);
}

}  // namespace atl::message
