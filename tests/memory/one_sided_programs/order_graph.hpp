#pragma once
// A directed graph whose edges mean "happens before". If the graph has no cycle, its nodes have a
// total order.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace atl::test::access {

class order_graph {
 public:
  using node = std::size_t;

  node add() {
    later_.emplace_back();
    return later_.size() - 1;
  }
  void put_before(node a, node b) { later_[a].push_back(b); }

  /// Computes for each pair of nodes whether one happens before the other, directly or indirectly.
  /// Returns the nodes of a shortest cycle. If the graph has no cycle, the result is empty, and
  /// `is_before` may be called.
  std::vector<node> close() {
    const std::vector<node> order = sorted();
    if (order.size() < later_.size()) return shortest_cycle(order);
    row_ = later_.size() / 64 + 1;
    reached_.assign(later_.size() * row_, 0);
    for (auto at = order.rbegin(); at != order.rend(); ++at) reach_from(*at);
    return {};
  }

  bool is_before(node a, node b) const { return (reached_[a * row_ + b / 64] >> b % 64 & 1) != 0; }

 private:
  /// Returns the nodes in an order in which all edges lead forwards. The order leaves out nodes on
  /// cycles and nodes that a cycle leads to.
  std::vector<node> sorted() const {
    std::vector<std::size_t> earlier(later_.size());
    for (const auto& all : later_)
      for (const node next : all) ++earlier[next];
    std::vector<node> order;
    for (node n = 0; n < later_.size(); ++n)
      if (earlier[n] == 0) order.push_back(n);
    for (std::size_t k = 0; k < order.size(); ++k)
      for (const node next : later_[order[k]])
        if (--earlier[next] == 0) order.push_back(next);
    return order;
  }

  void reach_from(node n) {
    std::uint64_t* const own = &reached_[n * row_];
    for (const node next : later_[n]) {
      own[next / 64] |= std::uint64_t{1} << next % 64;
      for (std::size_t k = 0; k < row_; ++k) own[k] |= reached_[next * row_ + k];
    }
  }

  std::vector<node> shortest_cycle(const std::vector<node>& in_order) const {
    std::vector<bool> is_free(later_.size());
    for (const node n : in_order) is_free[n] = true;
    std::vector<node> shortest;
    for (node n = 0; n < later_.size(); ++n) {
      if (is_free[n]) continue;
      const std::vector<node> found = cycle_through(n);
      if (!found.empty() && (shortest.empty() || found.size() < shortest.size())) shortest = found;
    }
    return shortest;
  }

  /// Returns a shortest cycle through `start`, or nothing if no cycle contains `start`.
  std::vector<node> cycle_through(node start) const {
    std::vector<node> from(later_.size(), later_.size()), next = {start};
    for (std::size_t k = 0; k < next.size(); ++k)
      for (const node n : later_[next[k]]) {
        if (from[n] != later_.size()) continue;
        from[n] = next[k];
        if (n == start) return way_back(from, start);
        next.push_back(n);
      }
    return {};
  }

  static std::vector<node> way_back(const std::vector<node>& from, node start) {
    std::vector<node> way = {start};
    for (node n = from[start]; n != start; n = from[n]) way.push_back(n);
    std::reverse(way.begin(), way.end());
    return way;
  }

  std::vector<std::vector<node>> later_;
  std::vector<std::uint64_t> reached_;  // one row of bits for each node
  std::size_t row_ = 0;
};

}  // namespace atl::test::access
