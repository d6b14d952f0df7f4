#pragma once
// Private memory of one PE outside of global arrays and containers. `huge_vector` lies in huge
// pages. `held_memory` charges private memory to the memory limit.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/base/site.hpp"

#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace atl {

/// An allocator that requests huge pages for blocks of at least 2 MiB. Random access to memory in
/// huge pages was measured to be 1.6 times as fast.
template <class T>
struct huge_page_allocator {
  using value_type = T;

  huge_page_allocator() = default;
  template <class Other>
  huge_page_allocator(const huge_page_allocator<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= k_huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }

  friend bool operator==(const huge_page_allocator&, const huge_page_allocator&) { return true; }

 private:
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= k_huge_page ? k_huge_page : 64};
  }
};

/// A vector for large private arrays of a PE that are accessed at random. The memory of the vector
/// is not charged to the setting `memory-limit`; use a `held_memory` to charge it.
template <class T>
using huge_vector = std::vector<T, huge_page_allocator<T>>;

class memory_account;

/// While this object exists, memory outside of global arrays and containers is charged to the
/// setting `memory-limit`. Make the object before the memory is allocated, on the PE that will hold
/// the memory.
class held_memory {
 public:
  /// Counts `bytes` bytes. The text of an error names the memory by `what`, for example "the counts
  /// before (--tasks)". Throws atl::error (out_of_memory) if the PE's share of the memory limit is
  /// exceeded, and atl::error (input) outside of a job.
  held_memory(std::size_t bytes, const char* what, site where = site::current());
  ~held_memory();
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

 private:
  // The member is a reference, because this object may be destroyed when its thread is not a PE any
  // more.
  memory_account& account_;
  std::size_t bytes_;
};

}  // namespace atl
