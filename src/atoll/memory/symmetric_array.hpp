#pragma once
// Memory of the same size, at the same place, on every PE, for one-sided access.

#include "atoll/memory/global_array.hpp"

#include <span>

namespace atl {

/// `size()` zero-initialised T on each PE, in symmetric memory. The handle is a small trivially
/// copyable value: capture it, send it.
template <class T>
class symmetric_array {
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of symmetric memory are trivially copyable");
  static_assert(alignof(T) <= 64, "arrays begin at cache lines");

 public:
  symmetric_array() = default;
  symmetric_array(std::uint64_t offset, std::uint64_t size) : offset_(offset), size_(size) {}

  /// Where it begins, in the global memory of each PE.
  std::uint64_t offset() const { return offset_; }

  /// Elements on each PE.
  std::uint64_t size() const { return size_; }

  /// The address of element `i` of PE `pe`. Any PE; does not communicate. Throws atl::error (input)
  /// where there is no such element; one-sided access refuses a PE that does not exist.
  global_address<T> on(int pe, std::uint64_t i = 0, site where = site::current()) const {
    if (i >= size_) [[unlikely]]
      memory::refuse_elements(i, 1, size_, where);
    return {pe, offset_ + i * sizeof(T)};
  }

  /// The elements of this PE. Throws atl::error (input) where the array was destroyed.
  std::span<T> local(site where = site::current()) const {
    memory::check_access(my_pe(where), offset_, size_ * sizeof(T), where);
    return {&object_at<T>(offset_), size_};
  }

  /// The elements of PE `pe`, which exists, as this PE loads and stores them itself; empty where it
  /// cannot.
  std::span<T> reached(int pe) const {
    std::byte* const segment = this_pe().transport->reached(pe);
    if (segment == nullptr) return {};
    return {reinterpret_cast<T*>(segment + (offset_ - memory::k_symmetric)), size_};
  }

  /// Gives the memory back, on all PEs. One task, once; nothing may use the array any more. Throws
  /// atl::error (input) where that was done before.
  task<> destroy(site where = site::current()) const {
    memory::check_destroyed_once(offset_, size_ * sizeof(T), where);
    co_await memory::release_everywhere(offset_, size_ * sizeof(T), where);
  }

 private:
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

/// Makes `size` elements on every PE. One task calls it; it waits for PE 0, which gives out the
/// memory. Nobody sets how much there may be: it is committed when it is touched. Throws atl::error
/// (out_of_memory) before anything is touched if the job would exceed its limit.
template <class T>
task<symmetric_array<T>> make_symmetric_array(std::uint64_t size, site where = site::current()) {
  memory::check_addressable(1, size, sizeof(T));
  const std::uint64_t offset =
      co_await memory::allocate_everywhere(size * sizeof(T), placement::symmetric, where);
  co_return symmetric_array<T>(offset, size);
}

}  // namespace atl
