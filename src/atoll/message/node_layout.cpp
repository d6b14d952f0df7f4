#include "atoll/message/node_layout.hpp"

#include <algorithm>

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

}  // namespace atl::message
