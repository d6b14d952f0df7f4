#pragma once
// Trees that edges join (Shiloach, Vishkin, "An O(log n) parallel connectivity algorithm", 1982):
// the root of one end's tree is hooked below that of the other end's, the larger below the smaller,
// then every path is cut short. Edges within a tree are dropped; the others go on.

#include "atoll/kernels/cc/compress.hpp"
#include "reproduction/cc/meetings.hpp"

namespace atl::reproduction::cc {

using namespace kernels::cc;

/// Awaitable: the label of a vertex, wherever it is.
template <class Id>
auto label_anywhere(const partition& shape, per_pe<forest_part<Id>> forests, Id vertex) {
  return call(shape.owner(vertex), [forests, vertex] { return forests->label_of(vertex); });
}

/// Brings `vertex` below `smaller`, unless it is below a smaller one. Counted by the enclosing
/// scope.
template <class Id>
void async_lower_label(const partition& shape, per_pe<forest_part<Id>> forests, Id vertex,
                       Id smaller) {
  async_call(shape.owner(vertex), [forests, vertex, smaller] {
    Id& label = forests->label_of(vertex);
    label = std::min(label, smaller);
  });
}

/// Replaces the ends of each edge by the roots of their trees, and hooks those that differ.
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

/// Joins the trees of a forest, which has been started, by `edges`, of which each PE gives its own.
/// Afterwards the label of each vertex is the smallest of its tree. Every PE calls it.
template <class Id>
task<> all_join(const partition& shape, per_pe<forest_part<Id>> forests,
                std::vector<meeting<Id>> edges) {
  kernels::cc::compression<Id> shortcuts(shape, forests.local());
  while (co_await all_reduce(std::uint64_t{edges.size()}, std::plus<>()) > 0) {
    co_await all_hook(shape, forests, edges);
    co_await shortcuts.all_compress();
    co_await all_barrier();  // labels are read by others next
  }
}

}  // namespace atl::reproduction::cc
