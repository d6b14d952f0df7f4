#pragma once
// Private memory of one PE outside of arrays and containers: large blocks in huge pages, and their
// share of the memory limit.

#include "atoll/base/pages_and_lines.hpp"
#include "atoll/base/site.hpp"

#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace atl {

/// An allocator that requests huge pages for large blocks: random access to them is 1.6 times as
/// fast.
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

/// A vector for large private arrays of a PE that are accessed at random. Its memory does not count
/// towards the memory limit, unless a `held_memory` counts it.
template <class T>
using huge_vector = std::vector<T, huge_page_allocator<T>>;

class memory_account;

/// Counts memory that a program keeps outside of arrays and containers towards the setting
/// memory-limit, as long as this object lives. Make it on the PE that holds the memory, before
/// allocating.
class held_memory {
 public:
  /// Counts `bytes`. `what` names the memory in the error, for example "the counts before
  /// (--tasks)", and must outlive this call. Throws atl::error: out_of_memory if the share of the
  /// PE is exceeded; input outside of a job.
  held_memory(std::size_t bytes, const char* what, site where = site::current());
  ~held_memory();
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

 private:
  memory_account& account_;  // it outlives the objects of its PE, which may be destroyed without a
                             // PE
  std::size_t bytes_;
};

}  // namespace atl
