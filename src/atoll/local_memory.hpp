#pragma once
// Memory of one PE beside arrays and containers: large blocks in huge pages, and what of it counts
// towards the memory limit.

#include "atoll/base/huge_page.hpp"
#include "atoll/base/site.hpp"

#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace atl {

/// Asks for huge pages for large blocks: random access to them is 1.6 times as fast.
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

/// For arrays private to a PE that are large and accessed at random. No limit knows of them, but
/// where `held_memory` tells of them.
template <class T>
using huge_vector = std::vector<T, huge_page_allocator<T>>;

class memory_account;

/// Counts memory that a program keeps outside arrays and containers towards the setting
/// memory-limit, from its construction to its end. Made on the PE that has the memory, before it
/// allocates that.
class held_memory {
 public:
  /// `what` names the memory in the error, "the counts before (--tasks)", and outlives this call.
  /// Throws atl::error: out_of_memory beyond the share of the PE, input outside of a job.
  held_memory(std::size_t bytes, const char* what, site where = site::current());
  ~held_memory();
  held_memory(const held_memory&) = delete;
  held_memory& operator=(const held_memory&) = delete;

 private:
  memory_account& account_;  // it outlives the objects of its PE, which may go when there is no PE
  std::size_t bytes_;
};

}  // namespace atl
