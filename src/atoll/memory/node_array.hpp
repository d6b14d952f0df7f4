#pragma once
// One array a node, which its PEs share: what all of them need is there once.

#include "atoll/base/bits.hpp"
#include "atoll/memory/collective_tree.hpp"
#include "atoll/memory/symmetric_array.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl {
namespace memory {

/// The PEs of each node, ascending, where those of a node load and store each other's memory.
inline std::vector<std::vector<int>> pes_that_share_memory() {
  const auto node_of = this_pe().transport->nodes();
  return pes_of_nodes(node_of.empty() ? std::vector<int>(static_cast<std::size_t>(pes()))
                                      : std::vector<int>(node_of.begin(), node_of.end()));
}

}  // namespace memory

/// `size()` zero-initialised T on each node, in the symmetric memory of its first PE. The handle is
/// a small trivially copyable value. What PEs of a node do to its array they order themselves, as
/// threads do.
template <class T>
class node_array {
 public:
  node_array() = default;
  explicit node_array(symmetric_array<T> of_all) : of_all_(of_all) {}

  std::uint64_t size() const { return of_all_.size(); }

  /// The array of this node, where its first PE is `holder`.
  std::span<T> of(int holder) const {
    std::byte* const segment = this_pe().transport->segment(holder);
    return {reinterpret_cast<T*>(segment + (of_all_.offset() - memory::k_symmetric)), size()};
  }

  /// Element `i` of the array of the node whose first PE is `holder`, for one-sided access.
  global_address<T> on(int holder, std::uint64_t i) const { return of_all_.on(holder, i); }

  /// One task makes it; it waits for PE 0. Throws atl::error (out_of_memory) where the job would
  /// exceed its limit.
  static task<node_array> make(std::uint64_t size, site where = site::current()) {
    memory::check_addressable(1, size, sizeof(T));
    const std::uint64_t bytes = size * sizeof(T);
    const std::uint64_t offset = co_await memory::allocate_everywhere(bytes, placement::symmetric,
                                                                      where, share_of_pe(bytes));
    co_return node_array(symmetric_array<T>(offset, size));
  }

  /// One task, once; nothing may use the array any more. Throws atl::error (input) where that was
  /// done before.
  task<> destroy(site where = site::current()) const {
    const std::uint64_t bytes = size() * sizeof(T);
    memory::check_destroyed_once(of_all_.offset(), bytes, where);
    co_await memory::release_everywhere(of_all_.offset(), bytes, where, share_of_pe(bytes));
  }

 private:
  static std::uint64_t share_of_pe(std::uint64_t bytes) {
    std::size_t fewest = static_cast<std::size_t>(pes());
    for (const auto& of_node : memory::pes_that_share_memory())
      fewest = std::min(fewest, of_node.size());
    return ceil_divide(bytes, std::uint64_t{fewest});
  }

  symmetric_array<T> of_all_;
};

}  // namespace atl
