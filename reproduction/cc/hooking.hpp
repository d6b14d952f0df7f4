#pragma once
// Joins the trees of a forest by edges (Shiloach, Vishkin, "An O(log n) parallel connectivity
// algorithm", 1982). In each round, the roots of the two ends of each edge are compared, and the
// larger root becomes a child of the smaller root (hooking). Path compression follows. Edges within
// one tree are dropped, and the next round uses the remaining edges.

#include "atoll/kernels/cc/compress.hpp"
#include "reproduction/cc/meetings.hpp"

namespace atl::reproduction::cc {

using namespace kernels::cc;

/// Returns an awaitable whose result is the label of `vertex`, which any PE may own.
template <class Id>
auto label_anywhere(const partition& shape, per_pe<forest_part<Id>> forests, Id vertex) {
  return call(shape.owner(vertex), [forests, vertex] { return forests->label_of(vertex); });
}

/// Lowers the label of `vertex` to `smaller` if the label is larger. The call does not wait. The
/// enclosing scope waits for the message.
template <class Id>
void async_lower_label(const partition& shape, per_pe<forest_part<Id>> forests, Id vertex,
                       Id smaller) {
  async_call(shape.owner(vertex), [forests, vertex, smaller] {
    Id& label = forests->label_of(vertex);
    label = std::min(label, smaller);
  });
}

/// Replaces the ends of each edge by the roots of their trees. If the ends of an edge have
/// different roots, makes the larger root a child of the smaller root.
template <class Id>
task<> all_hook(const partition& shape, per_pe<forest_part<Id>> forests,
                std::vector<meeting<Id>>& edges) {
  const auto hook = [&](std::uint64_t i) -> task<> {
    const Id a = co_await label_anywhere(shape, forests, edges[i].smaller);
    const Id b = co_await label_anywhere(shape, forests, edges[i].larger);
    edges[i] = meeting<Id>::of(a, b);
    if (a != b) async_lower_label(shape, forests, edges[i].larger, edges[i].smaller);
  };
  co_await local_parallel_for(0, edges.size(), hook);
  co_await all_barrier();
  std::erase_if(edges, [](const meeting<Id>& one) { return one.smaller == one.larger; });
}

/// Joins the trees of the forest by the `edges` of all PEs. Afterwards, the label of each vertex is
/// the smallest vertex of its tree. Every PE must call this function.
template <class Id>
task<> all_join(const partition& shape, per_pe<forest_part<Id>> forests,
                std::vector<meeting<Id>> edges) {
  kernels::cc::compression<Id> shortcuts(shape, forests.local());
  while (co_await all_reduce(std::uint64_t{edges.size()}, std::plus<>()) > 0) {
    co_await all_hook(shape, forests, edges);
    co_await shortcuts.all_compress();
    co_await all_barrier();  // the next round reads labels of other PEs, which must be complete
  }
}

}  // namespace atl::reproduction::cc
