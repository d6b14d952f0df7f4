#include "atoll/message/route_table.hpp"

#include "atoll/message/outgoing.hpp"

#include <algorithm>

namespace atl::message {
namespace {

constexpr std::size_t k_largest_parcel = 4096;
constexpr std::size_t k_smallest_parcel = 48;
// Two headers and an acknowledgement are worth six destinations beside messages.
constexpr int k_most_parcels = 17;

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
  const routing chosen = chosen_routing(how, layout_);
  how_ = routes(self_, layout_, chosen);
  destinations_.clear();
  is_relayed_.clear();
  if (chosen != routing::direct) {
    count_destinations();
    choose_relayed();
  }
  relays_ = std::ranges::find(is_relayed_, true) != is_relayed_.end();
}

int route_table::hop_to_node(int node) const { return hop(layout_.member(node, 0)); }

void route_table::count_destinations() {
  const int own = nodes_[self_];
  for (int node = 0; node < layout_.nodes(); ++node)
    if (node != own) destinations_[hop_to_node(node)] += layout_.size_of(node);
  for (auto& [hop, count] : destinations_)
    if (!is_distant(hop)) ++count;  // itself
}

void route_table::choose_relayed() {
  const bool all = layout_.pes() > k_most_places;
  for (int node = 0; node < layout_.nodes(); ++node)
    is_relayed_.push_back(node != nodes_[self_] &&
                          (all || destinations_.at(hop_to_node(node)) > k_most_parcels));
}

std::int64_t route_table::partners_beyond() const {
  return std::ranges::count_if(destinations_,
                               [this](const auto& of) { return is_distant(of.first); });
}

std::size_t route_table::parcel_bytes(int hop) const {
  const auto found = destinations_.find(hop);
  return parcel_bytes_for(buffer_capacity_, found == destinations_.end() ? 1 : found->second);
}

}  // namespace atl::message
