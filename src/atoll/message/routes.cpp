#include "atoll/message/routes.hpp"

#include "atoll/message/send_buffer.hpp"
#include "atoll/transport/internode/nodes.hpp"

#include <algorithm>
#include <cmath>

namespace atl::message {

node_layout::node_layout(std::span<const int> node_of)
    : node_of_(node_of), each_(std::max(1, pes())) {
  if (node_of.empty()) return;
  nodes_ = *std::ranges::max_element(node_of) + 1;
  each_ = static_cast<int>(std::ranges::find_if(node_of, [](int node) { return node != 0; }) -
                           node_of.begin());
  if (!is_regular()) make_tables();
}

bool node_layout::is_regular() const {
  if (each_ == 0) return false;
  for (int pe = 0; pe < pes(); ++pe)
    if (node_of(pe) != pe / each_) return false;
  return true;
}

void node_layout::make_tables() {
  begins_.assign(index(nodes_) + 1, 0);
  for (const int node : node_of_) ++begins_[index(node) + 1];
  for (int node = 0; node < nodes_; ++node) begins_[index(node) + 1] += begins_[index(node)];
  std::vector<int> next = begins_;
  members_.resize(node_of_.size());
  for (int pe = 0; pe < pes(); ++pe) members_[index(next[index(node_of(pe))]++)] = pe;
}

int node_layout::begin_of(int node) const {
  return members_.empty() ? std::min(node * each_, pes()) : begins_[index(node)];
}

int node_layout::place_of(int pe) const {
  const int node = node_of(pe);
  if (members_.empty()) return pe - begin_of(node);
  const auto mine = std::span(members_).subspan(index(begin_of(node)), index(size_of(node)));
  return static_cast<int>(std::ranges::find(mine, pe) - mine.begin());
}

std::vector<int> nodes_of_size(int pes, std::uint64_t node_size) {
  const int pes_of_node = node_size == 0 ? pes : static_cast<int>(node_size);
  std::vector<int> nodes;
  for (int pe = 0; pe < pes; ++pe) nodes.push_back(pe / pes_of_node);
  return nodes;
}

routing chosen_routing(routing asked, const node_layout& layout) {
  if (layout.nodes() == 1) return routing::direct;
  if (asked != routing::automatic) return asked;
  return transport::internode::needs_grid(layout.nodes(), layout.size_of(0)) ? routing::grid
                                                                             : routing::node;
}

routes::routes(int self, const node_layout& layout, routing how)
    : layout_(&layout),
      columns_(static_cast<int>(std::ceil(std::sqrt(layout.nodes())))),
      own_node_(layout.node_of(self)),
      place_(layout.place_of(self)) {
  if (how == routing::direct) return;
  for (int node = 0; node < layout.nodes(); ++node) {
    if (node == own_node_)
      hops_.push_back(self);
    else
      hops_.push_back(how == routing::node ? by_node(node) : by_grid(node));
  }
}

// The streams (each leads from a PE of this node to a PE of another node) are distributed
// round-robin among the PEs of this node. A PE without a stream to the target node sends its
// messages to a PE of its own node that has such a stream.
int routes::by_node(int target) const {
  return by_stream({own_node_, layout_->nodes()}, {target, target});
}

int routes::by_grid(int target) const {
  const int row = own_node_ / columns_;
  const int column = own_node_ % columns_;
  const int rows = (layout_->nodes() - 1) / columns_ + 1;
  const int neighbours = columns_ + rows - 1;
  const int corner = row * columns_ + target % columns_;
  if (corner != own_node_ && corner < layout_->nodes())
    return by_stream({column, neighbours}, {corner, corner % columns_});
  // The node `corner` is in this node's row and in the target's column. If `corner` does not exist
  // or is this node itself, the message goes along this node's column.
  const int below = target / columns_ * columns_ + column;
  return by_stream({columns_ + row, neighbours}, {below, columns_ + below / columns_});
}

int routes::by_stream(beginning from, end to) const {
  const int mates = layout_->size_of(own_node_);
  const int streams = transport::internode::streams_to_a_node(from.others, mates);
  const int first = to.number * streams % mates;
  const int stream = (place_ + mates - first) % mates;
  if (stream >= streams) return layout_->member(own_node_, (first + place_ % streams) % mates);
  return layout_->member(to.node, (from.number * streams + stream) % layout_->size_of(to.node));
}

namespace {

constexpr std::size_t k_largest_parcel = 4096;
constexpr std::size_t k_smallest_parcel = 48;
// If a PE forwards to at most this number of destinations, messages travel in parcels, each with
// the messages for one destination. If a PE forwards to more than `k_most_parcels` destinations,
// small messages are relayed (runs.hpp). A parcel costs less than relaying only if the parcel
// contains more than six messages. The headers and the acknowledgement of a parcel have as many
// bytes as the destination fields of six relayed messages.
constexpr int k_most_parcels = 17;

// A parcel has a minimum size, even if a buffer cannot hold a parcel of this size for each
// destination. In a parcel below the minimum size, the headers could be larger than the messages.
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
    if (!is_distant(hop)) ++count;  // The forwarding PE (the hop) is a destination, too.
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
