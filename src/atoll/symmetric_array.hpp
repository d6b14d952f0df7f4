#pragma once
// This header has arrays for one-sided access: one of the same size on every PE, or one that all
// PEs of a node share.

#include "atoll/array.hpp"
#include "atoll/base/bits.hpp"
#include "atoll/memory/collective_tree.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl {

// A symmetric array is memory of the same size, at the same offset, on every PE, for one-sided
// access.

/// An array of `size()` zero-initialised T on each PE, in symmetric memory. The handle is a small
/// trivially copyable value, which can be captured and sent.
template <class T>
class symmetric_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of symmetric memory are trivially copyable");
  static_assert(alignof(T) <= 64, "arrays begin at cache lines");

 public:
  symmetric_array() = default;
  symmetric_array(std::uint64_t offset, std::uint64_t size) : offset_(offset), size_(size) {}

  /// Returns the offset of the array in the global memory of each PE.
  std::uint64_t offset() const { return offset_; }

  /// Returns the number of elements on each PE.
  std::uint64_t size() const { return size_; }

  /// Returns the address of element `i` of PE `pe`. Any PE may call this function, which does not
  /// communicate. Throws atl::error (input) if the element does not exist. `pe` is not checked
  /// here; one-sided access refuses a PE that does not exist.
  global_address<T> on(int pe, std::uint64_t i = 0, site where = site::current()) const {
    if (i >= size_) [[unlikely]]
      memory::refuse_elements(i, 1, size_, where);
    return {pe, offset_ + i * sizeof(T)};
  }

  /// Returns the elements of this PE. Does not communicate. Throws atl::error (input) if the array
  /// was destroyed.
  std::span<T> local(site where = site::current()) const {
    memory::check_access(my_pe(where), offset_, size_ * sizeof(T), where);
    return {&object_at<T>(offset_), size_};
  }

  /// Returns the elements of PE `pe`, which must exist, for loads and stores of this PE. The result
  /// is empty if this PE cannot address the memory of PE `pe`.
  std::span<T> directly_mapped(int pe) const {
    std::byte* const segment = this_pe().transport->directly_mapped(pe);
    if (segment == nullptr) return {};
    return {reinterpret_cast<T*>(segment + (offset_ - memory::k_symmetric)), size_};
  }

  /// Frees the memory of the array on all PEs. One task calls this function once and waits. The
  /// array must not be used afterwards. Throws atl::error (input) if the array was destroyed
  /// before.
  task<> destroy(site where = site::current()) const {
    memory::check_destroyed_once(offset_, size_ * sizeof(T), where);
    co_await memory::release_everywhere(offset_, size_ * sizeof(T), where);
  }

 private:
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

/// Makes an array of `size` elements on every PE. One task calls this function and waits; PE 0
/// assigns the memory. The size of symmetric memory need not be set in advance, because the kernel
/// provides memory at first use. If the job would exceed its memory limit, throws atl::error
/// (out_of_memory) before any memory is used.
template <class T>
task<symmetric_array<T>> make_symmetric_array(std::uint64_t size, site where = site::current()) {
  memory::check_addressable(1, size, sizeof(T));
  const std::uint64_t offset =
      co_await memory::allocate_everywhere(size * sizeof(T), placement::symmetric, where);
  co_return symmetric_array<T>(offset, size);
}

// A node array is one array per node, which the PEs of the node share. Data that all PEs of a node
// need is thus stored only once per node.

namespace memory {

/// Returns the PEs of each node, in ascending order. A node is a group of PEs that can load and
/// store each other's memory.
inline std::vector<std::vector<int>> pes_that_share_memory() {
  const auto node_of = this_pe().transport->nodes();
  return pes_of_nodes(node_of.empty() ? std::vector<int>(static_cast<std::size_t>(pes()))
                                      : std::vector<int>(node_of.begin(), node_of.end()));
}

}  // namespace memory

/// An array of `size()` zero-initialised T on each node, in the symmetric memory of the node's
/// first PE. The handle is a small trivially copyable value. The PEs of a node must synchronise
/// their accesses, as threads do.
template <class T>
class node_array {
 public:
  node_array() = default;
  explicit node_array(symmetric_array<T> of_all) : of_all_(of_all) {}

  std::uint64_t size() const { return of_all_.size(); }

  /// Returns the array of this node, whose first PE must be `holder`.
  std::span<T> of(int holder) const {
    std::byte* const segment = this_pe().transport->segment(holder);
    return {reinterpret_cast<T*>(segment + (of_all_.offset() - memory::k_symmetric)), size()};
  }

  /// Returns the address of element `i` in the array of the node whose first PE is `holder`, for
  /// one-sided access.
  global_address<T> on(int holder, std::uint64_t i) const { return of_all_.on(holder, i); }

  /// Makes an array of `size` elements on each node. One task calls this function and waits; PE 0
  /// assigns the memory. Throws atl::error (out_of_memory) if the job would exceed its memory
  /// limit.
  static task<node_array> make(std::uint64_t size, site where = site::current()) {
    memory::check_addressable(1, size, sizeof(T));
    const std::uint64_t bytes = size * sizeof(T);
    const std::uint64_t offset = co_await memory::allocate_everywhere(bytes, placement::symmetric,
                                                                      where, share_of_pe(bytes));
    co_return node_array(symmetric_array<T>(offset, size));
  }

  /// Frees the memory of the array on all nodes. One task calls this function once and waits. The
  /// array must not be used afterwards. Throws atl::error (input) if the array was destroyed
  /// before.
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
