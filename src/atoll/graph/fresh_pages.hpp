#pragma once
// Private memory of this process that the system maps directly, without a heap. A page takes memory
// only after it was written. Freed memory returns to the system at once, while a heap may keep
// freed memory.

#include "atoll/base/pages_and_lines.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <sys/mman.h>

namespace atl::graph {

struct unmapped {
  std::size_t bytes = 0;
  void operator()(std::byte* block) const noexcept { ::munmap(block, bytes); }
};

/// Mapped memory, which is zero at first.
using fresh_pages = std::unique_ptr<std::byte[], unmapped>;

/// Maps `bytes` bytes. Throws `std::bad_alloc` if the system refuses.
inline fresh_pages map_fresh_pages(std::size_t bytes) {
  void* const block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  if (bytes >= 2 * k_huge_page) ::madvise(block, bytes, MADV_HUGEPAGE);
  return {static_cast<std::byte*>(block), unmapped{bytes}};
}

}  // namespace atl::graph
