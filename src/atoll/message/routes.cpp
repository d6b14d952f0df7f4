#include "atoll/message/routes.hpp"

#include "atoll/transport/far/partners.hpp"

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
  const int mates = layout_->size_of(own_node_);
  const int streams = transport::far::streams_to_a_node(layout_->nodes(), mates);
  const int first = target * streams % mates;
  const int stream = (place_ + mates - first) % mates;
  if (stream >= streams) return layout_->member(own_node_, (first + place_ % streams) % mates);
  return layout_->member(target, (own_node_ * streams + stream) % layout_->size_of(target));
}

int routes::by_grid(int target) const {
  const int corner = own_node_ / columns_ * columns_ + target % columns_;
  if (corner == own_node_) return at_place(target);
  if (corner < layout_->nodes()) return at_place(corner);
  // The last row may be short. Then down the own column, to the row of the target.
  return at_place(target / columns_ * columns_ + own_node_ % columns_);
}

/// The PE that has the place in `node` which this one has in its own.
int routes::at_place(int node) const {
  return layout_->member(node, place_ % layout_->size_of(node));
}

}  // namespace atl::message
