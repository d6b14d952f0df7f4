#include "atoll/message/routes.hpp"

#include "atoll/transport/far/nodes.hpp"

#include <cmath>

namespace atl::message {
routing chosen_routing(routing asked, const node_layout& layout) {
  if (layout.nodes() == 1) return routing::direct;
  if (asked != routing::automatic) return asked;
  return transport::far::needs_grid(layout.nodes(), layout.size_of(0)) ? routing::grid
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

// The streams to the other nodes are dealt round-robin to the PEs of this node. A PE without a
// stream to the target hands over to a PE that has one.
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
  // Down the own column; from a last row that is short, too.
  const int below = target / columns_ * columns_ + column;
  return by_stream({columns_ + row, neighbours}, {below, columns_ + below / columns_});
}

int routes::by_stream(beginning from, end to) const {
  const int mates = layout_->size_of(own_node_);
  const int streams = transport::far::streams_to_a_node(from.others, mates);
  const int first = to.number * streams % mates;
  const int stream = (place_ + mates - first) % mates;
  if (stream >= streams) return layout_->member(own_node_, (first + place_ % streams) % mates);
  return layout_->member(to.node, (from.number * streams + stream) % layout_->size_of(to.node));
}

}  // namespace atl::message
